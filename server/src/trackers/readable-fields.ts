import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerGroups } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { FIELD_TYPES } from './field-types/field-types.ts'

/**
 * The fields that the viewer may read, one row per tracker: for statements over too many trackers to load the
 * `TrackerAccess` of each. SQL equivalent of `getTrackerAccess`, using the row of `me` (`memberships`):
 * - `groups`: the viewer's groups; `administers`: whether the viewer may read restricted comments;
 * - `texts`: ids of the used text fields, in form order; `title`: the title field among them;
 * - `files`: the same for file fields;
 * - `has_status`; `status`: the status field, if readable; `open_values`: its open values;
 * - `contributor`: the assignee field, if readable.
 */
export function readableFields(viewer: Viewer, which: RawBuilder<boolean>): RawBuilder<unknown> {
  const administers = viewer.is_site_admin
    ? sql`true`
    : sql`(4 = any(mine.groups) or exists (select from tracker_grant admin where admin.tracker_id = tracker.id
        and admin.kind = 'admin' and admin.group_id = any(mine.groups)))`
  const idsOf = (types: readonly string[]) => sql`array_agg(element ->> 'id' order by place) filter (
    where element ->> 'type' = any(${types}::text[]) and (element ->> 'is_used')::boolean and ${mayRead(viewer)})`
  const ifReadable = (meant: RawBuilder<string>) =>
    sql`min(element ->> 'id') filter (where coalesce(element ->> 'id' = ${meant}, false) and ${mayRead(viewer)})`
  // The structure is large JSON: parse and traverse it once.
  return sql`
    select tracker.id, mine.groups, ${administers} as administers, semantics ->> 'title' as title,
      coalesce(fields.texts, '{}') as texts, coalesce(fields.files, '{}') as files,
      semantics #>> '{status,field_id}' is not null as has_status, fields.status, fields.contributor,
      array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
    from tracker ${joinProject(sql`tracker.project_id`)} cross join me
      cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
      cross join lateral (select ${viewerGroups(viewer, aliases('project', 'me'))} as groups offset 0) mine
      cross join lateral (
        select ${idsOf(textTypes())} as texts, ${idsOf(fileTypes())} as files,
          ${ifReadable(sql`semantics #>> '{status,field_id}'`)} as status,
          ${ifReadable(sql`semantics ->> 'contributor'`)} as contributor
        from jsonb_array_elements(elements) with ordinality as each (element, place)
      ) fields
    where ${which}`
}

/**
 * The readable semantics of some trackers, in columns of the same names. `also`: further columns, computed from the rows of
 * `tracker`, `project` and `me`.
 */
export function readableSemantics(
  viewer: Viewer,
  which: RawBuilder<boolean>,
  also: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const meantBy = (path: RawBuilder<string>) => sql`(select element ->> 'id' from (
    select jsonb_path_query_first(elements, '$[*] ? (@.id == $id)', jsonb_build_object('id', semantics #> ${path}))
      as element offset 0) found where element is not null and ${mayRead(viewer)})`
  return sql`
    select tracker.id, ${also}, semantics #>> '{status,field_id}' is not null as has_status,
      ${meantBy(sql`'{status,field_id}'`)} as status, ${meantBy(sql`'{contributor}'`)} as contributor,
      array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
    from tracker ${joinProject(sql`tracker.project_id`)} cross join me
      cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
      cross join lateral (select ${viewerGroups(viewer, aliases('project', 'me'))} as groups offset 0) mine
    where ${which}`
}

/** The ids of all used fields that the viewer may read, one row per tracker; uses the row of `me`. */
export function readableFieldIds(viewer: Viewer, which: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select tracker.id, array(select (element ->> 'id')::bigint from jsonb_array_elements(tracker.structure -> 'elements') element
      where (element ->> 'is_used')::boolean and ${mayRead(viewer)}) as fields
    from tracker ${joinProject(sql`tracker.project_id`)} cross join me
      cross join lateral (select ${viewerGroups(viewer, aliases('project', 'me'))} as groups offset 0) mine
    where ${which}`
}

/** The assignee field of each tracker, regardless of permissions. */
export const contributorFields: RawBuilder<unknown> = sql`select tracker.id as tracker_id,
  tracker.contributor_field_id as field_id from tracker where tracker.contributor_field_id is not null
  and tracker.deleted_on is null`

/** Computed on each call, because tests register types. */
function textTypes(): string[] {
  return FIELD_TYPES.filter((each) => each.texts !== undefined).map(({ type }) => type)
}

function fileTypes(): string[] {
  return FIELD_TYPES.filter((each) => each.files !== undefined).map(({ type }) => type)
}

function mayRead(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`true`
  return sql`(element -> 'rights' = 'null' or array(select jsonb_array_elements_text(
    (element -> 'rights' -> 'read') || (element -> 'rights' -> 'update'))::bigint) && mine.groups)`
}
