import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Page } from '../../platform/http/pages.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { ArtifactId, ChangesetId } from '../artifact.ts'
import { linkFieldOf } from '../links/link-field.ts'
import type { Audience } from '../reading/reading.ts'
import { itsPlace, maySeeArtifact } from '../visibility.ts'

/** A version that shows the viewer something. */
export interface VersionRow {
  readonly id: ChangesetId
  readonly version: number
  readonly submitted_by: AccountId | null
  readonly submitted_on: Date
  /** Null: there is none that the viewer may read. */
  readonly comment: string | null
  readonly comment_format: TextFormat | null
  readonly comment_groups: readonly number[] | null
  /** Whether a link has changed whose other end the viewer sees. */
  readonly is_linked: boolean
}

export interface Wanted {
  /** Only versions with a comment that the viewer may read. */
  readonly commentsOnly: boolean
  readonly order: 'asc' | 'desc'
  readonly page: Page
  /** Only this one. */
  readonly id?: ChangesetId
  /** Only the one with this number. */
  readonly version?: number
}

/**
 * The versions that show this viewer something, and how many there are: one statement, so that the size is exact and
 * pages are full. Undefined: the rights are no longer those that the caller has looked at.
 */
export async function readVersions(
  { db, viewer }: Audience,
  sight: Sight,
  artifact: ArtifactId,
  { commentsOnly, order, page: { limit, offset, after }, id, version }: Wanted,
): Promise<{ size: number; rows: VersionRow[] } | undefined> {
  const isDown = order === 'desc'
  const place = after ? (isDown ? sql`version < ${after[0]}` : sql`version > ${after[0]}`) : sql`true`
  const direction = isDown ? sql`desc` : sql`asc`
  const isMeant = commentsOnly ? sql`is_told` : sql`(version = 1 or is_changed or is_linked or is_told)`
  const { rows } = await sql<(VersionRow | { id: null }) & { size: number }>`
    with me as materialized (${memberships(viewer)}), here as (
      select artifact.id from artifact ${itsPlace} cross join me
      where artifact.id = ${artifact} and ${stamp} = ${sight.tracker.stamp} and ${maySeeArtifact(viewer)}
    ), linked as materialized (${versionsThatLink(sight, maySeeArtifact(viewer))}),
    judged as (
      select changeset.id, version, submitted_by, submitted_on, comment, comment_format, comment_groups,
        changes ?| ${plainFields(sight)}::text[] as is_changed,
        version in (select linked.version from linked) as is_linked, ${mayReadComment(sight)} as is_told
      from here join changeset on changeset.artifact_id = here.id
    ), shown as materialized (
      select id, version, submitted_by, submitted_on, is_linked, case when is_told then comment end as comment,
        case when is_told then comment_format end as comment_format,
        case when is_told then comment_groups end as comment_groups
      from judged where ${isMeant} and ${id === undefined ? sql`true` : sql`id = ${id}`}
        and ${version === undefined ? sql`true` : sql`version = ${version}`}
    )
    select counted.size, page.* from here
      cross join (select count(*) as size from shown) counted
      left join lateral (
        select * from shown where ${place} order by version ${direction} limit ${limit + 1} offset ${after ? 0 : offset}
      ) page on true
    order by page.version ${direction}`.execute(db)
  const [first] = rows
  return first && { size: first.size, rows: rows.filter((row) => row.id !== null) }
}

/** Readable fields, of which every stored change is one that shows. Links show by their ends. */
function plainFields(sight: Sight): string[] {
  return sight.readable.filter(({ type }) => type !== 'art_link').map(({ id }) => String(id))
}

/** Whether the viewer may read the comment of the row of `changeset`. */
export function mayReadComment({ administers, groups }: Sight): RawBuilder<boolean> {
  return sql`(comment is not null
    and (${administers} or comment_groups is null or comment_groups && ${[...groups]}::bigint[]))`
}

/** Versions in which a link came, went or took another type, and the viewer sees what it leads to. */
function versionsThatLink(sight: Sight, sees: RawBuilder<boolean>): RawBuilder<unknown> {
  const field = linkFieldOf(sight.tracker)
  if (!field || !sight.mayRead(field)) return sql`select null::integer as version where false`
  const key = String(field.id)
  return sql`
    select step.version from (
      select version, ${objectIn(sql`changes -> ${key}`)} as is,
        lag(${objectIn(sql`changes -> ${key}`)}, 1, '{}') over (order by version) as was
      from here join changeset on changeset.artifact_id = here.id where changes ? ${key}
    ) step cross join lateral (
      select coalesce(one.key, other.key)::bigint as target
      from jsonb_each_text(step.is) one full join jsonb_each_text(step.was) other on other.key = one.key
      where one.value is distinct from other.value
    ) differing join artifact on artifact.id = differing.target ${itsPlace} cross join me
    where ${sees}`
}

function objectIn(json: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case jsonb_typeof(${json}) when 'object' then ${json} else '{}' end`
}
