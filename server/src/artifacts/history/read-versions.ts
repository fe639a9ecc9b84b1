import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Pagination } from '../../platform/http/pages.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { ArtifactId, ChangesetId } from '../artifact.ts'
import { type CommentReaction, reactionsSql } from '../comments/reaction.ts'
import { linkFieldOf } from '../links/link-field.ts'
import type { Audience } from '../reading/audience.ts'
import { maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'

/** A version that shows something to the viewer. */
export interface VisibleVersionRow {
  readonly id: ChangesetId
  readonly version: number
  readonly submitted_by: AccountId | null
  readonly submitted_on: Date
  /** Null if there is no comment that the viewer may read. */
  readonly comment: string | null
  readonly comment_format: TextFormat | null
  readonly comment_groups: readonly number[] | null
  /** The number of the present text, from 2; null: the comment was never changed. */
  readonly comment_version: number | null
  readonly comment_edited_by: AccountId | null
  readonly comment_edited_on: Date | null
  /** There was a comment that the viewer could read. */
  readonly is_comment_deleted: boolean
  /** Null: none. */
  readonly reactions: readonly CommentReaction[] | null
  /** True if a link changed whose other end the viewer sees. */
  readonly is_linked: boolean
  /** Null if the version was not imported. */
  readonly imported_by: AccountId | null
  readonly import_source: string | null
}

export interface VersionQuery {
  /** Only versions with a readable comment. */
  readonly commentsOnly: boolean
  readonly order: 'asc' | 'desc'
  readonly page: Pagination
  /** Only this changeset. */
  readonly id?: ChangesetId
  /** Only this version number. */
  readonly version?: number
  /** Only versions up to this moment. */
  readonly until?: string
}

/**
 * The versions that show something to this viewer, and their number: one statement, so that the size is exact and pages
 * are full. Undefined if the permissions have changed since the caller read them.
 */
export async function readVersions(
  { db, viewer }: Audience,
  access: TrackerAccess,
  artifact: ArtifactId,
  { commentsOnly, order, page: { limit, offset, after }, id, version, until }: VersionQuery,
): Promise<{ size: number; rows: VisibleVersionRow[] } | undefined> {
  const isDown = order === 'desc'
  const place = after ? (isDown ? sql`version < ${after[0]}` : sql`version > ${after[0]}`) : sql`true`
  const direction = isDown ? sql`desc` : sql`asc`
  const isMeant = commentsOnly
    ? sql`is_told`
    : sql`(version = 1 or is_changed or is_linked or is_told or is_comment_deleted)`
  const { rows } = await sql<(VisibleVersionRow | { id: null }) & { size: number }>`
    with me as materialized (${memberships(viewer)}), here as (
      select artifact.id from artifact ${joinTrackerProjectAndMe}
      where artifact.id = ${artifact} and ${accessVersion} = ${access.tracker.stamp} and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)}
    ), linked as materialized (${versionsThatLink(access, maySeeArtifact(viewer, joinTrackerProjectAndMe))}),
    judged as (
      select changeset.id, version, submitted_by, submitted_on, comment, comment_format, comment_groups,
        changes ?| ${plainFields(access)}::text[] as is_changed,
        version in (select linked.version from linked) as is_linked, ${mayReadComment(access)} as is_told,
        comment is null and ${isCommentForViewer(access)} and changeset.id = any(array(
          select comment_version.changeset_id from here join comment_version on comment_version.artifact_id = here.id
        )) as is_comment_deleted
      from here join changeset on changeset.artifact_id = here.id
    ), shown as materialized (
      select id, version, submitted_by, submitted_on, is_linked, is_told, is_comment_deleted,
        case when is_told then comment end as comment,
        case when is_told then comment_format end as comment_format,
        case when is_told then comment_groups end as comment_groups
      from judged where ${isMeant} and ${id === undefined ? sql`true` : sql`id = ${id}`}
        and ${version === undefined ? sql`true` : sql`version = ${version}::bigint`}
        and ${until === undefined ? sql`true` : sql`submitted_on <= ${until}::timestamptz`}
    )
    select counted.size, page.*, edited.*,
      case when page.is_told then ${reactionsSql(sql`page.id`, viewer)} end as reactions,
      imported.imported_by, imported.source as import_source from here
      cross join (select count(*) as size from shown) counted
      left join lateral (
        select * from shown where ${place} order by version ${direction} limit ${limit + 1} offset ${after ? 0 : offset}
      ) page on true
      left join lateral (
        select comment_version.version + 1 as comment_version, comment_version.replaced_by as comment_edited_by,
          comment_version.replaced_on as comment_edited_on
        from comment_version where comment_version.changeset_id = page.id and (page.is_told or page.is_comment_deleted)
        order by comment_version.version desc limit 1
      ) edited on true
      left join lateral (
        select imported_artifact.imported_by, artifact_import.source
        from imported_artifact join artifact_import on artifact_import.id = imported_artifact.import_id
        where imported_artifact.artifact_id = here.id and imported_artifact.versions >= page.version
      ) imported on true
    order by page.version ${direction}`.execute(db)
  const [first] = rows
  return first && { size: first.size, rows: rows.filter((row) => row.id !== null) }
}

/** Readable fields whose stored changes are always visible. Link changes depend on the visibility of their ends. */
export function plainFields(access: TrackerAccess): string[] {
  return access.readable.filter((element) => !fieldTypeOf(element).holdsLinks).map(({ id }) => String(id))
}

/** True if the viewer may read the comment of the row of `changeset`. */
export function mayReadComment(access: TrackerAccess): RawBuilder<boolean> {
  return sql`(comment is not null and ${isCommentForViewer(access)})`
}

/** True if the comment of the row of `changeset`, present or deleted, is not restricted to other groups. */
export function isCommentForViewer({ administers, groups }: TrackerAccess): RawBuilder<boolean> {
  return sql`(${administers} or comment_groups is null or comment_groups && ${[...groups]}::bigint[])`
}

/** Versions that added, removed or retyped a link whose target the viewer sees. */
function versionsThatLink(access: TrackerAccess, sees: RawBuilder<boolean>): RawBuilder<unknown> {
  const field = linkFieldOf(access.tracker)
  if (!field || !access.mayRead(field)) return sql`select null::integer as version where false`
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
    ) differing join artifact on artifact.id = differing.target ${joinTrackerProjectAndMe}
    where ${sees}`
}

function objectIn(json: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case jsonb_typeof(${json}) when 'object' then ${json} else '{}' end`
}
