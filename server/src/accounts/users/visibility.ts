import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** SQL condition: the row of `account` shares a project with this account. Implemented by the projects module. */
    readonly sharesProject: (account: AccountId, viewer: Viewer) => RawBuilder<boolean>
  }
}

/** Whether it is an account, and not a pending registration. */
const isAccount = sql<boolean>`account.status not in ('P', 'V', 'W')`

/** SQL condition: the account may sign in. */
export const isActive = sql<boolean>`account.status in ('A', 'R')`

/** The context that user visibility depends on. */
export type PeopleContext = Pick<Context, 'sharesProject' | 'settings'>

/**
 * SQL condition: the viewer may see the row of `account`. Used by every list, search and reference, so that hidden
 * users are neither counted nor shown. Anonymous viewers see no users unless `anonymous_directory` is set; names in
 * public artifacts do not use this check.
 */
export function maySee({ sharesProject, settings }: PeopleContext, viewer: Viewer): RawBuilder<boolean> {
  const { account_id, is_site_admin, is_restricted } = viewer
  if (is_site_admin) return sql`true`
  if (account_id === undefined) return settings.current.anonymous_directory ? isActive : sql`false`
  if (!is_restricted && !viewer.credential?.projects) return isAccount
  return sql`(account.id = ${account_id} or (${isAccount} and ${sharesProject(account_id, viewer)}))`
}
