import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Whether the row of `account` that the statement looks at shares a project with this account. Projects fill it. */
    readonly sharesProject: (account: AccountId) => RawBuilder<boolean>
  }
}

/** Whether it is an account at all, and not only somebody who waits to become one. */
const isAccount = sql<boolean>`account.status not in ('P', 'V', 'W')`

/** Whether the row of `account` that the statement looks at may sign in. */
export const isActive = sql<boolean>`account.status in ('A', 'R')`

/**
 * Whether the viewer sees the row of `account` that the statement looks at: for every list, search and reference, so
 * that what may not be seen is neither counted nor shown.
 */
export function maySee({ sharesProject }: Pick<Context, 'sharesProject'>, viewer: Viewer): RawBuilder<boolean> {
  const { account_id, is_site_admin, is_restricted } = viewer
  if (is_site_admin) return sql`true`
  if (account_id === undefined) return isActive
  if (!is_restricted) return isAccount
  return sql`(account.id = ${account_id} or (${isAccount} and ${sharesProject(account_id)}))`
}
