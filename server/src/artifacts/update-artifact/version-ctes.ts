import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { insertEventsSql } from '../../platform/database/events.ts'
import { projectIdByShortname } from '../../projects/references/own-keywords.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import { accessVersion, type LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Artifact } from '../artifact.ts'
import { keyTargets } from '../imports/source-key.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import type { NewVersion } from './derived-rows.ts'
import type { TextReference } from './text-references.ts'
import type { VersionComment } from './version-draft.ts'

/**
 * Compare-and-swap, history, indexes and event in one statement and one round trip. Undefined, with nothing written, if
 * the artifact or the permissions in its tracker have changed since the caller read them.
 */
export async function appendVersion(
  db: Db | Tx,
  before: Pick<Artifact, 'id' | 'version'>,
  tracker: Pick<LoadedTracker, 'stamp'>,
  version: NewVersion,
): Promise<Artifact | undefined> {
  const { derived, author, now } = version
  const { rows } = await sql<Artifact>`
    with current as (
      select artifact.id from artifact ${joinTrackerAndProject} where artifact.id = ${before.id} and ${accessVersion} = ${tracker.stamp}
    ), after as (
      update artifact set
        version = artifact.version + 1,
        field_values = artifact.field_values || ${version.changes}::jsonb,
        people = ${derived.people}::bigint[],
        restricted_to = ${derived.restricted_to}::bigint[],
        last_update_by = ${author}::bigint,
        last_modified_date = greatest(${now}::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
        last_modified = greatest(date_trunc('second', ${now}::timestamptz), artifact.last_modified + interval '1 second')
      from current
      where artifact.id = current.id and artifact.version = ${before.version} and artifact.deleted_on is null
      returning ${artifactColumns}
    ), ${versionCtes(version)}
    select * from after`.execute(db)
  return rows[0]
}

/**
 * The CTEs that write a version, after the CTE `after`, which returns the row: history, indexes, links, references,
 * event. Empty ones are omitted.
 */
export function versionCtes({ changes, derived, comment, origin, event }: NewVersion): RawBuilder<unknown> {
  const { ids, numbers, links, references, worded } = derived
  const ctes = [
    sql`history as (
      insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
        changes, comment, comment_format, comment_groups)
      select project_id, id, tracker_id, version, last_update_by, last_modified_date, last_modified, ${changes}::jsonb,
        ${comment?.body ?? null}::text, ${comment?.format ?? null}::text, ${comment?.groups ?? null}::bigint[]
      from after returning id)`,
    sql`event_rows as (${insertEventsSql(
      origin,
      sql`select ${event.type}::text, 'artifacts/' || id, project_id,
        jsonb_build_object('version', version, 'tracker_id', tracker_id) || ${JSON.stringify(event.payload)}::jsonb
      from after${comment ? commentEventSql(comment) : sql``}`,
    )})`,
  ]
  if (ids.removed.length > 0)
    ctes.push(sql`ids_removed as (
      delete from value_index using after, unnest(${ids.removed.map(({ field }) => field)}::bigint[],
        ${ids.removed.map(({ value }) => value)}::bigint[]) as gone (field_id, value)
      where value_index.artifact_id = after.id and value_index.field_id = gone.field_id
        and value_index.value = gone.value)`)
  if (ids.added.length > 0)
    ctes.push(sql`ids_added as (
      insert into value_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id from after, unnest(${ids.added.map(({ field }) => field)}::bigint[],
        ${ids.added.map(({ value }) => value)}::bigint[]) as come (field_id, value))`)
  if (numbers.removed.length > 0)
    ctes.push(sql`numbers_removed as (
      delete from number_index using after, unnest(${numbers.removed.map(({ field }) => field)}::bigint[],
        ${numbers.removed.map(({ value }) => value)}::double precision[]) as gone (field_id, value)
      where number_index.artifact_id = after.id and number_index.field_id = gone.field_id
        and number_index.value = gone.value)`)
  if (numbers.added.length > 0)
    ctes.push(sql`numbers_added as (
      insert into number_index (project_id, field_id, value, artifact_id)
      select project_id, come.field_id, come.value, id
      from after, unnest(${numbers.added.map(({ field }) => field)}::bigint[],
        ${numbers.added.map(({ value }) => value)}::double precision[]) as come (field_id, value))`)
  if (links.removed.length > 0)
    ctes.push(sql`links_removed as (
      delete from artifact_link using after
      where source_id = after.id and target_id = any(${links.removed.map(({ target }) => target)}::bigint[]))`)
  if (links.added.length > 0)
    ctes.push(sql`links_added as (
      insert into artifact_link (project_id, source_id, target_id, type)
      select project_id, id, come.target_id, come.type
      from after, unnest(${links.added.map(({ target }) => target)}::bigint[],
        ${links.added.map(({ type }) => type)}::text[]) as come (target_id, type)
      on conflict (source_id, target_id) do update set type = excluded.type)`)
  if (references.removed.length > 0)
    ctes.push(sql`references_removed as (
      delete from artifact_reference using after, unnest(${references.removed.map(({ field }) => field)}::bigint[],
        ${references.removed.map(({ ref }) => ref)}::text[]) as gone (field_id, ref)
      where artifact_reference.artifact_id = after.id and artifact_reference.field_id = gone.field_id
        and gone.ref in (artifact_reference.ref, artifact_reference.keyword || artifact_reference.value))`)
  const referred = [...references.added, ...(comment?.references ?? [])]
  if (referred.length > 0) ctes.push(sql`references_added as (${insertReferences(referred)})`)
  if (worded.length > 0) ctes.push(sql`words_written as (${writeWords(worded, sql`after.field_values from after`)})`)
  return sql.join(ctes)
}

function commentEventSql({ groups }: VersionComment): RawBuilder<unknown> {
  return sql` union all select 'comment.added', 'artifacts/' || id, project_id,
    jsonb_build_object('version', version, 'tracker_id', tracker_id) || ${JSON.stringify(commentPayload(groups))}::jsonb
  from after`
}

/** The event payload of a comment; `groups`: the only groups that may read it. */
export function commentPayload(groups: VersionComment['groups']): object {
  return { has_comment: true, ...(groups && { comment_groups: groups }) }
}

/** Writes the full-text index of `after`; `values`: the field values and their source. */
export function writeWords(fields: readonly number[], values: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into artifact_words (artifact_id, project_id, words)
    select id, project_id, words_of(field_values, ${inOrder(fields)}::bigint[])
    from (select after.id, after.project_id, ${values}) as come (id, project_id, field_values)
    on conflict (artifact_id) do update set words = excluded.words`
}

/** Sorted by id, because the form order may change without a write. */
function inOrder(fields: readonly number[]): readonly number[] {
  return fields.toSorted((one, other) => one - other)
}

/**
 * A reference to a project that does not exist is dropped, and so is a source key without artifacts; a key of several
 * has a row for each. `whose`: the source of the rows of `after` and `history` that it belongs to; `come.at` numbers the
 * references from 1.
 */
export function insertReferences(
  references: readonly TextReference[],
  whose: RawBuilder<unknown> = sql`after cross join history`,
  belongs: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const projects = references.map(({ of_project }) => of_project)
  const ids = projects.map((project) => (typeof project === 'number' ? project : null))
  const names = projects.map((project) => (typeof project === 'string' ? project : null))
  const keyed = references.some(({ keyword }) => keyword === KEY_KEYWORD) ? KEYED : NOT_KEYED
  return sql`
    insert into artifact_reference (project_id, artifact_id, field_id, changeset_id, ref, keyword, value, of_project, target_id)
    select after.project_id, after.id, come.field_id, case come.field_id when 0 then history.id else 0 end,
      ${keyed.ref}, come.keyword, come.value, ${keyed.of_project}, ${keyed.target_id}
    from ${whose}, unnest(${references.map(({ field }) => field)}::bigint[],
      ${references.map(({ ref }) => ref)}::text[], ${references.map(({ keyword }) => keyword)}::text[],
      ${references.map(({ value }) => value)}::text[], ${ids}::bigint[], ${names}::text[],
      ${references.map(({ target }) => target)}::bigint[]) with ordinality
      as come (field_id, ref, keyword, value, of_id, of_name, target_id, at) ${keyed.join}
    where ${belongs} and (come.of_id is not null or ${projectIdByShortname(sql`come.of_name`)} is not null)
      and ${keyed.exists}
    on conflict do nothing`
}

const ofProject = sql`coalesce(come.of_id, ${projectIdByShortname(sql`come.of_name`)})`
const isKey = sql`come.keyword = ${sql.lit(KEY_KEYWORD)}`

const NOT_KEYED = {
  join: sql``,
  exists: sql`true`,
  ref: sql`come.ref`,
  of_project: ofProject,
  target_id: sql`come.target_id`,
}

/** For references with source keys among them. */
const KEYED = {
  join: sql`left join lateral ${keyTargets(sql`come.value`, { id: sql`after.id`, project_id: sql`after.project_id` })} keyed
      on ${isKey}`,
  exists: sql`(not ${isKey} or keyed.artifact_id is not null)`,
  ref: sql`come.ref || coalesce(' #' || keyed.artifact_id, '')`,
  of_project: sql`coalesce(keyed.project_id, ${ofProject})`,
  target_id: sql`coalesce(keyed.artifact_id, come.target_id)`,
}
