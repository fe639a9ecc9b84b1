import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { type ViewerRow, toViewer } from '../account.ts'
import { viewerColumns } from '../sign-in/viewer-columns.ts'
import { isActive } from './visibility.ts'

/** A recipient of notifications, as a viewer with the rights of the account. */
export interface ActivePerson {
  readonly viewer: Viewer & { readonly account_id: AccountId }
  readonly real_name: string
  readonly email: string | null
}

/** The accounts among these that may sign in, by id. */
export async function findActivePeople(
  db: Db | Tx,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, ActivePerson>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ViewerRow & { real_name: string; email: string | null }>`
    select ${viewerColumns}, account.real_name, account.email from account
    where account.id = any(${ids}::bigint[]) and ${isActive}`.execute(db)
  return new Map(
    rows.map(({ real_name, email, ...row }) => {
      const viewer = { ...toViewer(row, { kind: 'job', id: null }), account_id: row.account_id }
      return [row.account_id, { viewer, real_name, email }]
    }),
  )
}

/** The active accounts with these logins, by login. */
export async function findActiveLogins(
  db: Db | Tx,
  logins: readonly string[],
): Promise<ReadonlyMap<string, AccountId>> {
  if (logins.length === 0) return new Map()
  const { rows } = await sql<{ id: AccountId; login: string }>`
    select account.id, account.login from account
    where account.login = any(${logins}::text[]) and ${isActive}`.execute(db)
  return new Map(rows.map(({ id, login }) => [login, id]))
}
