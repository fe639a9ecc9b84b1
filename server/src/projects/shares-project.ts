import { type RawBuilder, sql } from 'kysely'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import { isReadableStatus } from './visibility.ts'

/**
 * Whether the `account` row shares a project with a restricted account, or with an access key limited to projects. The
 * set is computed once, not per row.
 */
export function sharesProject(account: AccountId, { credential, is_restricted }: Viewer): RawBuilder<boolean> {
  const within = credential?.projects ? sql`and mine.project_id = any(${credential.projects}::bigint[])` : sql``
  const isOpen = is_restricted ? sql`and project.access <> 'private-wo-restr'` : sql``
  return sql`account.id in (select theirs.account_id from project_member mine
    join project on project.id = mine.project_id
    join project_member theirs on theirs.project_id = mine.project_id
    where mine.account_id = ${account} and ${isReadableStatus} ${isOpen} ${within})`
}
