import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { myGroups } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { FIELD_TYPES } from './fields/field-types.ts'

/**
 * What the viewer may read in some trackers, each a row: for a statement on artifacts of so many that nobody has a sight
 * of each. It says what `sightOf` says, in SQL, by the row of `me` (`memberships`):
 * - `groups`: all that he is in; `administers`: whether comments for few are for him too;
 * - `texts`: the ids of the fields in use that hold texts, in the order of the form; `title`: which of them is the title;
 * - `files`: the same of fields that hold files;
 * - `has_status`; `status`: its field, if he may read it; `open_values`: what counts as open.
 */
export function readableFields(viewer: Viewer, which: RawBuilder<boolean>): RawBuilder<unknown> {
  const administers = viewer.is_site_admin
    ? sql`true`
    : sql`(4 = any(mine.groups) or exists (select from tracker_grant admin where admin.tracker_id = tracker.id
        and admin.kind = 'admin' and admin.group_id = any(mine.groups)))`
  const idsOf = (types: readonly string[]) => sql`array_agg(element ->> 'id' order by place) filter (
    where element ->> 'type' = any(${types}::text[]) and (element ->> 'is_used')::boolean and ${mayRead(viewer)})`
  const isStatus = sql`coalesce(element ->> 'id' = semantics #>> '{status,field_id}', false)`
  // The structure is long: it is taken apart once, and walked through once.
  return sql`
    select tracker.id, mine.groups, ${administers} as administers, semantics ->> 'title' as title,
      coalesce(fields.texts, '{}') as texts, coalesce(fields.files, '{}') as files,
      semantics #>> '{status,field_id}' is not null as has_status, fields.status,
      array(select jsonb_array_elements_text(semantics #> '{status,open}')::bigint) as open_values
    from tracker ${itsProject(sql`tracker.project_id`)} cross join me
      cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
      cross join lateral (select ${myGroups(viewer)} as groups offset 0) mine
      cross join lateral (
        select ${idsOf(textTypes())} as texts, ${idsOf(fileTypes())} as files,
          min(element ->> 'id') filter (where ${isStatus} and ${mayRead(viewer)}) as status
        from jsonb_array_elements(elements) with ordinality as each (element, place)
      ) fields
    where ${which}`
}

/**
 * What the semantics of some trackers tell the viewer of their artifacts, in the same way and with the same columns; and
 * `contributor`, the field that says whose they are, if he may read it. `also`: further columns, of the rows of `tracker`,
 * `project` and `me`.
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
    from tracker ${itsProject(sql`tracker.project_id`)} cross join me
      cross join lateral jsonb_to_record(tracker.structure) as structure (elements jsonb, semantics jsonb)
      cross join lateral (select ${myGroups(viewer)} as groups offset 0) mine
    where ${which}`
}

/** The field of each tracker that says whose its artifacts are, whoever may read it. */
export const contributorFields: RawBuilder<unknown> = sql`select tracker.id as tracker_id,
  tracker.contributor_field_id as field_id from tracker where tracker.contributor_field_id is not null
  and tracker.deleted_on is null`

/** Those of the list as it is now: tests add to it. */
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
