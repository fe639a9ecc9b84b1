import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { type UserRow, userColumns } from './user.ts'
import { maySee } from './visibility.ts'

/** By what a request names people; `id` as its digits. */
export const REFERENCE_KINDS = ['id', 'username', 'email', 'ldap_id'] as const
export type ReferenceKind = (typeof REFERENCE_KINDS)[number]

export interface NamedUser {
  /** What was given. */
  name: string
  id: AccountId
  status: AccountStatus
}

const COLUMNS = {
  id: sql`account.id = named.name::bigint`,
  username: sql`account.login = folded(named.name)`,
  email: sql`folded(account.email) = folded(named.name)`,
  ldap_id: sql`account.ldap_id = named.name and account.ldap_id <> ''`,
}

/** Those of the named people whom the viewer sees. A name that fits several gives several. */
export async function findUsersBy(
  context: Pick<Context, 'sharesProject'>,
  db: Db | Tx,
  viewer: Viewer,
  kind: ReferenceKind,
  names: readonly string[],
): Promise<NamedUser[]> {
  const { rows } = await sql<NamedUser>`
    select named.name, account.id, account.status
    from (select distinct name from unnest(${names}::text[]) as given (name)) named
      join account on ${COLUMNS[kind]}
    where ${maySee(context, viewer)}`.execute(db)
  return rows
}

/** Those of the people whom the viewer sees, by id. */
export async function findSeenUsers(
  context: Pick<Context, 'sharesProject'>,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<Map<AccountId, UserRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<UserRow>`
    select ${userColumns} from account
    where account.id = any(${ids}::bigint[]) and ${maySee(context, viewer)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The logins of these people, whoever asks: for what names them anyway, such as the audit log. */
export async function findLogins(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; login: string }>`
    select account.id, account.login from account where account.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, login }) => [id, login]))
}
