import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { AccountStatus } from '../account.ts'
import { type UserRow, userColumns } from './user.ts'
import { maySee, type PeopleContext } from './visibility.ts'

/** The ways to name a user in a request; `id` as its digits. */
export const USER_REFERENCE_KINDS = ['id', 'username', 'email', 'ldap_id'] as const
export type UserReferenceKind = (typeof USER_REFERENCE_KINDS)[number]

export interface NamedUser {
  /** The name as given. */
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

/** The named users who are visible to the viewer. A name may match several. */
export async function findUsersBy(
  context: PeopleContext,
  db: Db | Tx,
  viewer: Viewer,
  kind: UserReferenceKind,
  names: readonly string[],
): Promise<NamedUser[]> {
  const { rows } = await sql<NamedUser>`
    select named.name, account.id, account.status
    from (select distinct name from unnest(${names}::text[]) as given (name)) named
      join account on ${COLUMNS[kind]}
    where ${maySee(context, viewer)}`.execute(db)
  return rows
}

/** The users among these who are visible to the viewer, by id. */
export async function findVisibleUsers(
  context: PeopleContext,
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

/** Logins without a visibility check, for records that name the accounts anyway, such as the audit log. */
export async function findLogins(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; login: string }>`
    select account.id, account.login from account where account.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, login }) => [id, login]))
}
