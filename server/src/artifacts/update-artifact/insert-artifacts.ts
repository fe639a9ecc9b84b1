import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { insertEventsSql } from '../../platform/database/events.ts'
import { countCreation, drawNumbers, useNumber } from '../../trackers/counter.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import type { NewVersion } from './derived-rows.ts'
import { commentPayload, insertReferences, versionCtes, writeWords } from './version-ctes.ts'

/**
 * Inserts the artifact and its first version in one statement. Its number is drawn before (`drawn`), or by the statement
 * itself, which then locks the total of the tracker until the transaction ends. Undefined if the permissions in the
 * tracker have changed since the caller read them.
 */
export async function insertArtifact(
  db: Db | Tx,
  tracker: LoadedTracker,
  version: NewVersion,
  drawn?: number,
): Promise<Artifact | undefined> {
  const { derived, author, now } = version
  const counted = drawn === undefined ? drawNumbers(tracker) : useNumber(tracker, drawn)
  const total = drawn === undefined ? sql`` : sql`, total as (${countCreation(sql`after`)})`
  const { rows } = await sql<Artifact>`
    with counted as (${counted}), after as (
      insert into artifact (project_id, tracker_id, number, field_values, people, restricted_to, submitted_by,
        submitted_on, last_update_by, last_modified_date, last_modified)
      select counted.project_id, counted.tracker_id, counted.last_number, ${version.changes}::jsonb,
        ${derived.people}::bigint[], ${derived.restricted_to}::bigint[], ${author}::bigint, ${now}::timestamptz,
        ${author}::bigint, ${now}::timestamptz, date_trunc('second', ${now}::timestamptz)
      from counted
      returning ${artifactColumns}
    )${total}, ${versionCtes(version)}
    select * from after`.execute(db)
  return rows[0]
}

export type Inserted = Pick<Artifact, 'id' | 'version' | 'last_modified'>

/**
 * Like repeated `insertArtifact`, in one statement: rows of all artifacts are combined, and refer to their artifact by
 * index. All have the same author, time and origin.
 */
export async function insertArtifacts(
  tx: Tx,
  tracker: LoadedTracker,
  versions: readonly [NewVersion, ...NewVersion[]],
): Promise<readonly Inserted[] | undefined> {
  const [{ author, now, origin }] = versions
  const { rows } = await sql<Inserted>`
    with given as materialized (${rowsOf(versions)}), counted as (${drawNumbers(tracker, versions.length)}), made as (
      insert into artifact (project_id, tracker_id, number, field_values, people, restricted_to, submitted_by,
        submitted_on, last_update_by, last_modified_date, last_modified)
      select counted.project_id, counted.tracker_id, counted.last_number - ${versions.length}::bigint + given.place,
        given.changes, given.people, given.restricted_to, ${author}::bigint, ${now}::timestamptz, ${author}::bigint,
        ${now}::timestamptz, date_trunc('second', ${now}::timestamptz)
      from counted, given order by given.place
      returning artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.version,
        artifact.last_update_by, artifact.last_modified_date, artifact.last_modified
    ), after as materialized (
      select made.*, made.number - counted.last_number + ${versions.length}::bigint as place from made, counted
    ), history as (
      insert into changeset (project_id, artifact_id, tracker_id, version, submitted_by, submitted_on, last_modified,
        changes, comment, comment_format, comment_groups)
      select after.project_id, after.id, after.tracker_id, after.version, after.last_update_by,
        after.last_modified_date, after.last_modified, given.changes, given.comment, given.comment_format,
        given.comment_groups
      from after join given using (place) order by place
      returning id, artifact_id
    ), event_rows as (${insertEventsSql(
      origin,
      sql`select each.event ->> 'type', 'artifacts/' || after.id, after.project_id,
        jsonb_build_object('version', after.version, 'tracker_id', after.tracker_id) || (each.event -> 'payload')
      from after join given using (place)
        cross join lateral jsonb_array_elements(given.events) with ordinality as each (event, at)
      order by place, each.at`,
    )})${indexCtes(versions)}
    select after.id, after.version, after.last_modified from after order by after.place`.execute(tx)
  return rows.length === 0 ? undefined : rows
}

/** One JSON document for all, which is faster than one parameter per value. */
function rowsOf(versions: readonly NewVersion[]): RawBuilder<unknown> {
  const rows = versions.map(({ changes, derived, comment, event }, index) => {
    const row = {
      place: index + 1,
      people: derived.people,
      restricted_to: derived.restricted_to,
      comment: comment?.body,
      comment_format: comment?.format,
      comment_groups: comment?.groups,
      events: [event, ...(comment ? [{ type: 'comment.added', payload: commentPayload(comment.groups) }] : [])],
    }
    return `{"changes":${changes},${JSON.stringify(row).slice(1)}`
  })
  return sql`select * from jsonb_to_recordset(${`[${rows.join()}]`}::jsonb) as (place bigint, changes jsonb,
    people bigint[], restricted_to bigint[], comment text, comment_format text, comment_groups bigint[],
    events jsonb)`
}

interface Placed {
  readonly place: number
}

/** CTEs for indexes, links and references. Empty ones are omitted. */
export function indexCtes(versions: readonly Pick<NewVersion, 'derived' | 'comment'>[]): RawBuilder<unknown> {
  const placed = <T>(
    rowsIn: (version: Pick<NewVersion, 'derived' | 'comment'>) => readonly T[],
  ): readonly (T & Placed)[] =>
    versions.flatMap((version, index) => rowsIn(version).map((row) => ({ ...row, place: index + 1 })))
  const ids = placed(({ derived }) => derived.ids.added)
  const numbers = placed(({ derived }) => derived.numbers.added)
  const links = placed(({ derived }) => derived.links.added)
  const references = placed(({ derived, comment }) => [...derived.references.added, ...(comment?.references ?? [])])
  const ctes: RawBuilder<unknown>[] = []
  if (ids.length > 0)
    ctes.push(sql`, ids_added as (
      insert into value_index (project_id, field_id, value, artifact_id)
      select after.project_id, come.field_id, come.value, after.id
      from unnest(${placesOf(ids)}::bigint[], ${numbersIn(ids, ({ field }) => field)}::bigint[],
        ${numbersIn(ids, ({ value }) => value)}::bigint[]) as come (place, field_id, value) join after using (place))`)
  if (numbers.length > 0)
    ctes.push(sql`, numbers_added as (
      insert into number_index (project_id, field_id, value, artifact_id)
      select after.project_id, come.field_id, come.value, after.id
      from unnest(${placesOf(numbers)}::bigint[], ${numbersIn(numbers, ({ field }) => field)}::bigint[],
        ${numbersIn(numbers, ({ value }) => value)}::double precision[]) as come (place, field_id, value)
        join after using (place))`)
  if (links.length > 0)
    ctes.push(sql`, links_added as (
      insert into artifact_link (project_id, source_id, target_id, type)
      select after.project_id, after.id, come.target_id, come.type
      from unnest(${placesOf(links)}::bigint[], ${numbersIn(links, ({ target }) => target)}::bigint[],
        ${links.map(({ type }) => type)}::text[]) as come (place, target_id, type) join after using (place))`)
  if (references.length > 0) {
    const whose = sql`after join history on history.artifact_id = after.id`
    const belongs = sql`after.place = (${placesOf(references)}::bigint[])[come.at]`
    ctes.push(sql`, references_added as (${insertReferences(references, whose, belongs)})`)
  }
  const worded = versions.find(({ derived }) => derived.worded.length > 0)?.derived.worded
  if (worded) {
    const values = sql`given.changes from after join given using (place)`
    ctes.push(sql`, words_written as (${writeWords(worded, values)})`)
  }
  return ctes.length === 0 ? sql`` : sql.join(ctes, sql``)
}

function placesOf(rows: readonly Placed[]): string {
  return numbersIn(rows, ({ place }) => place)
}

/** A PostgreSQL array literal: faster than the driver, which checks thousands of elements for quotes. */
function numbersIn<T>(rows: readonly T[], numberIn: (row: T) => number): string {
  return `{${rows.map(numberIn).join()}}`
}
