import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../platform/http/viewer.ts'

/**
 * Whether the row of `account` that the statement looks at is a member of a project that this restricted account is a
 * member of, too. What he may not enter himself shows him nobody. The people are found once, not once a row.
 */
export function sharesProject(account: AccountId): RawBuilder<boolean> {
  return sql`account.id in (select theirs.account_id from project_member mine
    join project on project.id = mine.project_id
    join project_member theirs on theirs.project_id = mine.project_id
    where mine.account_id = ${account} and project.status = 'active' and project.access <> 'private-wo-restr')`
}
