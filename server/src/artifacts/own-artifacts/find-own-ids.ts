import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import type { Pagination } from '../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { contributorFields, readableSemantics } from '../../trackers/readable-fields.ts'
import type { FoundIds } from '../search/find-ids.ts'
import { afterCursorSql, type SortOrder, orderSql, sortCursorSql } from '../search/order-sql.ts'
import { joinTrackerAndProject, maySeeAllArtifacts, maySeeArtifact } from '../visibility.ts'

const ARTIFACT_AND_ME = aliases('artifact', 'tracker', 'project', 'me')

/** The relations that make an artifact the viewer's own; at least one is set. */
export interface OwnershipFilter {
  readonly submitted_by: boolean
  readonly assigned_to: boolean
}

const LAST_UPDATE_FIRST: SortOrder = {
  keys: [{ by: { kind: 'fact', fact: 'last_modified_date' }, isDescending: true }],
  isDescending: false,
}

/**
 * The viewer's open artifacts: a page plus one row, and the exact count. Limited to artifacts that the viewer sees and
 * whose status and assignment they may read. Starts from the indexes on submitter and assignee, so other trackers are
 * not read.
 */
export async function findOwnIds(
  db: Db | Tx,
  viewer: Viewer,
  account: AccountId,
  owning: OwnershipFilter,
  { limit, offset, after }: Pagination,
): Promise<Pick<FoundIds, 'rows' | 'size'>> {
  const { rows } = await sql<Pick<FoundIds, 'size'> & { found: FoundIds['rows'] }>`${alwaysReplanHint}
    with me as materialized (${memberships(viewer)}),
    mine as materialized (${sql.join(mineSql(account, owning), sql` union all `)}),
    known as materialized (
      ${readableSemantics(viewer, sql`tracker.id in (select mine.tracker_id from mine)`, sql`${maySeeAllArtifacts(viewer, ARTIFACT_AND_ME)} as is_whole`)}
    ),
    own as materialized (
      select artifact.id, artifact.last_modified_date
      from mine join known on known.id = mine.tracker_id join artifact on artifact.id = mine.id
      where (mine.is_submitted or known.contributor is not null)
        and (not known.has_status or (artifact.field_values -> known.status ->> 0)::bigint = any(known.open_values))
        and (known.is_whole or exists (select from me ${joinTrackerAndProject} where ${maySeeArtifact(viewer, ARTIFACT_AND_ME)}))
    )
    select (select count(*) from own) as size,
      (select coalesce(json_agg(found), '[]') from (
        select artifact.id, ${sortCursorSql(LAST_UPDATE_FIRST)} as place from own as artifact
        where ${after ? afterCursorSql(LAST_UPDATE_FIRST, after) : sql`true`} order by ${orderSql(LAST_UPDATE_FIRST)}
        limit ${limit + 1} offset ${after ? 0 : offset}) found) as found`.execute(db)
  const [row] = rows
  return { rows: row?.found ?? [], size: row?.size ?? 0 }
}

/** Each artifact once, before visibility is checked. */
function mineSql(account: AccountId, { submitted_by, assigned_to }: OwnershipFilter): RawBuilder<unknown>[] {
  const columns = sql`select artifact.id, artifact.tracker_id`
  const isSubmitted = sql`artifact.submitted_by = ${account}::bigint`
  const submitted = sql`${columns}, true as is_submitted from artifact where ${isSubmitted} and artifact.deleted_on is null`
  // One index lookup per tracker; an index lookup by person alone would read all fields.
  const assigned = sql`${columns}, false as is_submitted from (${contributorFields}) assigned
      cross join lateral (select value_index.artifact_id from value_index
        where value_index.field_id = assigned.field_id and value_index.value = ${account}::bigint offset 0) held
      join artifact on artifact.id = held.artifact_id and artifact.tracker_id = assigned.tracker_id
    where artifact.deleted_on is null and ${submitted_by ? sql`${isSubmitted} is not true` : sql`true`}`
  return [...(submitted_by ? [submitted] : []), ...(assigned_to ? [assigned] : [])]
}
