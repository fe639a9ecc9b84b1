import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Page } from '../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { contributorFields, readableSemantics } from '../../trackers/readable-fields.ts'
import type { FoundIds } from '../search/find-ids.ts'
import { behindSql, type Order, orderSql, placeSql } from '../search/order-sql.ts'
import { itsPlace, maySeeAllOf, maySeeArtifact } from '../visibility.ts'

/** What makes an artifact somebody's own; at least one of them. */
export interface Owning {
  readonly submitted_by: boolean
  readonly assigned_to: boolean
}

const LAST_UPDATE_FIRST: Order = {
  keys: [{ by: { kind: 'fact', fact: 'last_modified_date' }, isDescending: true }],
  isDescending: false,
}

/**
 * One page more by one row of the open artifacts of the viewer, whose account it is, and how many there are: as far as he
 * may see them, and may know that they are open, and his. It begins with those that name him, by their indexes; trackers
 * in which there are none are not looked at.
 */
export async function findOwnIds(
  db: Db | Tx,
  viewer: Viewer,
  account: AccountId,
  owning: Owning,
  { limit, offset, after }: Page,
): Promise<Pick<FoundIds, 'rows' | 'size'>> {
  const { rows } = await sql<Pick<FoundIds, 'size'> & { found: FoundIds['rows'] }>`${plannedAnew}
    with me as materialized (${memberships(viewer)}),
    mine as materialized (${sql.join(mineSql(account, owning), sql` union all `)}),
    known as materialized (
      ${readableSemantics(viewer, sql`tracker.id in (select mine.tracker_id from mine)`, sql`${maySeeAllOf(viewer)} as is_whole`)}
    ),
    own as materialized (
      select artifact.id, artifact.last_modified_date
      from mine join known on known.id = mine.tracker_id join artifact on artifact.id = mine.id
      where (mine.is_submitted or known.contributor is not null)
        and (not known.has_status or (artifact.field_values -> known.status ->> 0)::bigint = any(known.open_values))
        and (known.is_whole or exists (select from me ${itsPlace} where ${maySeeArtifact(viewer)}))
    )
    select (select count(*) from own) as size,
      (select coalesce(json_agg(found), '[]') from (
        select artifact.id, ${placeSql(LAST_UPDATE_FIRST)} as place from own as artifact
        where ${after ? behindSql(LAST_UPDATE_FIRST, after) : sql`true`} order by ${orderSql(LAST_UPDATE_FIRST)}
        limit ${limit + 1} offset ${after ? 0 : offset}) found) as found`.execute(db)
  const [row] = rows
  return { rows: row?.found ?? [], size: row?.size ?? 0 }
}

/** Each artifact once, whatever makes it one's own; whether it may be seen is not asked yet. */
function mineSql(account: AccountId, { submitted_by, assigned_to }: Owning): RawBuilder<unknown>[] {
  const columns = sql`select artifact.id, artifact.tracker_id`
  const isSubmitted = sql`artifact.submitted_by = ${account}::bigint`
  const submitted = sql`${columns}, true as is_submitted from artifact where ${isSubmitted} and artifact.deleted_on is null`
  // One look into the index for each tracker: what people are in all of its fields, it would know only by looking at all.
  const assigned = sql`${columns}, false as is_submitted from (${contributorFields}) assigned
      cross join lateral (select value_index.artifact_id from value_index
        where value_index.field_id = assigned.field_id and value_index.value = ${account}::bigint offset 0) held
      join artifact on artifact.id = held.artifact_id and artifact.tracker_id = assigned.tracker_id
    where artifact.deleted_on is null and ${submitted_by ? sql`${isSubmitted} is not true` : sql`true`}`
  return [...(submitted_by ? [submitted] : []), ...(assigned_to ? [assigned] : [])]
}
