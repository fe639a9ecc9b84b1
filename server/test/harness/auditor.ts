import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { deriveRows } from '../../src/artifacts/update-artifact/derived-rows.ts'
import type { Db, Tx } from '../../src/platform/database/db.ts'
import { toId } from '../../src/platform/database/ids.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import { KEY_KEYWORD } from '../../src/projects/references/source-keys.ts'
import { fieldTypeOf } from '../../src/trackers/field-types/field-types.ts'
import type { LoadedTracker } from '../../src/trackers/load-tracker.ts'
import type { FieldId, TrackerId } from '../../src/trackers/tracker.ts'

type Known = Pick<Context, 'trackers' | 'referenceKinds'>

interface ArtifactRow {
  readonly id: number
  readonly tracker_id: TrackerId
  readonly version: number
  readonly field_values: Values
  readonly people: readonly number[]
  readonly restricted_to: readonly number[] | null
  readonly submitted_by: number | null
  readonly last_update_by: number | null
  readonly submitted_on: string
  readonly last_modified_date: string
  readonly last_modified: string
  readonly versions: readonly VersionRow[]
  readonly events: readonly { readonly type: string; readonly version: number }[]
  readonly ids: readonly string[]
  readonly numbers: readonly (readonly number[])[]
  readonly links: readonly string[]
  readonly is_worded: boolean
  readonly is_summarized: boolean
  readonly references: readonly string[]
  readonly files: readonly string[]
  /** How many versions were imported: those have no events. */
  readonly imported: number
  readonly deletions: number
  readonly recorded_deletions: number
}

interface VersionRow {
  readonly version: number
  readonly tracker_id: number
  readonly submitted_by: number | null
  readonly submitted_on: string
  readonly last_modified: string
  readonly changes: Values
}

type Values = Readonly<Record<string, unknown>>

/**
 * Reads all stored artifact data and reports inconsistencies: each row must equal the result of its history, with all
 * derived rows and no others.
 */
export async function auditArtifacts(context: Known, db: Db | Tx): Promise<string[]> {
  const problems: string[] = []
  const rows = await readAll(db)
  const trackers = new Map<TrackerId, LoadedTracker | undefined>()
  for (const id of new Set(rows.map(({ tracker_id }) => tracker_id)))
    trackers.set(id, await context.trackers.now(db, id))
  for (const row of rows) {
    const tracker = trackers.get(row.tracker_id)
    const say = (what: string) => problems.push(`artifact ${row.id}: ${what}`)
    checkHistory(row, say)
    checkEvents(row, say)
    if (tracker) {
      checkDerivedRows(context, row, tracker, say)
      checkFiles(row, tracker, say)
    } else say('it has no tracker')
  }
  return [...problems, ...(await countersOff(db)), ...(await filesOff(db))]
}

/** For the end of a test. */
export async function requireSound({ db, ...known }: Known & { db: Db }, about = ''): Promise<void> {
  const problems = (await auditArtifacts(known, db)).filter((each) => each.includes(about))
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

async function readAll(db: Db | Tx): Promise<ArtifactRow[]> {
  const list = (query: ReturnType<typeof sql>) =>
    sql`(select coalesce(json_agg(each.entry), '[]') from (${query}) each)`
  const exact = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
  const { rows } = await sql<ArtifactRow>`
    with candidate as materialized (
      select object,
        json_agg(json_build_object('type', type, 'version', (payload->>'version')::integer) order by position, event.id) as events,
        count(*) filter (where type = 'artifact.deleted') as deletions
      from event left join event_position on event_position.event_id = event.id
      where object like 'artifacts/%' group by object
    )
    select artifact.id, tracker_id, version, field_values, people, restricted_to, submitted_by, last_update_by,
      ${exact('artifact.submitted_on')} as submitted_on, ${exact('artifact.last_modified_date')} as last_modified_date,
      ${exact('artifact.last_modified')} as last_modified,
      ${list(sql`select json_build_object('version', version, 'tracker_id', tracker_id, 'submitted_by', submitted_by,
          'submitted_on', ${exact('submitted_on')}, 'last_modified', ${exact('last_modified')}, 'changes', changes) as entry
        from changeset where artifact_id = artifact.id order by version`)} as versions,
      coalesce(candidate.events, '[]') as events,
      ${list(sql`select concat_ws(' ', field_id, value) as entry from value_index where artifact_id = artifact.id`)} as ids,
      ${list(sql`select json_build_array(field_id, value) as entry from number_index where artifact_id = artifact.id`)} as numbers,
      ${list(sql`select concat_ws(' ', target_id, type) as entry from artifact_link where source_id = artifact.id`)} as links,
      ${list(sql`select concat_ws(' ', field_id, ref, target_id) as entry from artifact_reference
        where artifact_id = artifact.id and field_id <> 0 and keyword <> ${KEY_KEYWORD}`)} as "references",
      ${list(sql`select concat_ws(' ', field_id, file_id) as entry from artifact_file where artifact_id = artifact.id`)} as files,
      coalesce((select words from artifact_words where artifact_id = artifact.id), '') = words_of(field_values,
        array(select (element ->> 'id')::bigint from tracker cross join jsonb_array_elements(structure -> 'elements') element
          where tracker.id = artifact.tracker_id and element ->> 'type' in ('string', 'text') order by 1)) as is_worded,
      (select summary.* is not distinct from wanted.* from artifact_to_summarize wanted
        left join artifact_summary summary on summary.id = wanted.id where wanted.id = artifact.id) as is_summarized,
      coalesce((select versions from imported_artifact where artifact_id = artifact.id), 0) as imported,
      (select count(*) from artifact_deletion where artifact_id = artifact.id) as deletions,
      coalesce(candidate.deletions, 0) as recorded_deletions
    from artifact left join candidate on candidate.object = 'artifacts/' || artifact.id order by artifact.id`.execute(
    db,
  )
  return rows
}

function checkHistory(row: ArtifactRow, say: (what: string) => void): void {
  const { versions } = row
  let values: Values = {}
  for (const [at, { version, tracker_id, changes, submitted_on, last_modified }] of versions.entries()) {
    if (version !== at + 1) say(`version ${at + 1} is missing`)
    const before = versions[at - 1]
    if (before && before.submitted_on >= submitted_on) say(`version ${version} is no later than the one before`)
    if (before && before.last_modified >= last_modified) say(`version ${version} shares its second`)
    // Values of another tracker have no field here.
    values = before && before.tracker_id !== tracker_id ? changes : { ...values, ...changes }
  }
  const [first, last] = [versions[0], versions.at(-1)]
  if (!isDeepStrictEqual(values, row.field_values))
    say(`it holds ${JSON.stringify(row.field_values)}, its history gives ${JSON.stringify(values)}`)
  const recorded = [last?.version, last?.submitted_on, last?.last_modified, last?.submitted_by, last?.tracker_id]
  const kept = [row.version, row.last_modified_date, row.last_modified, row.last_update_by, row.tracker_id]
  if (!isDeepStrictEqual(recorded, kept))
    say(`its last version is ${recorded.join(', ')}, the row says ${kept.join(', ')}`)
  if (first?.submitted_by !== row.submitted_by || first?.submitted_on !== row.submitted_on)
    say('it was submitted by somebody else, or at another time, than its first version')
}

const VERSIONS = new Set(['artifact.created', 'artifact.updated', 'artifact.moved', 'artifact.restored'])

/** One event per version that was not imported, in order. */
function checkEvents(
  { events, versions, imported, deletions, recorded_deletions }: ArtifactRow,
  say: (what: string) => void,
): void {
  const recorded = events.filter(({ type }) => VERSIONS.has(type)).map(({ version }) => version)
  if (
    !isDeepStrictEqual(
      recorded,
      versions.slice(imported).map(({ version }) => version),
    )
  )
    say(`its events are of the versions ${recorded.join(', ')}`)
  if (imported === 0 && events[0]?.type !== 'artifact.created') say(`its first event is ${events[0]?.type}`)
  if (deletions !== recorded_deletions) say(`${deletions} deletions are counted, ${recorded_deletions} told`)
}

function checkDerivedRows(
  { referenceKinds }: Known,
  row: ArtifactRow,
  tracker: LoadedTracker,
  say: (what: string) => void,
): void {
  const stored = Object.entries(row.field_values).filter(([, value]) => value !== null)
  const changes = new Map(stored.map(([field, value]) => [toId<FieldId>(Number(field)), value]))
  const derived = deriveRows({ tracker, referenceKinds }, {}, changes)
  const pairs = {
    people: [row.people, derived.people],
    restriction: [row.restricted_to ?? [], derived.restricted_to ?? []],
    'index of ids': [row.ids, derived.ids.added.map(({ field, value }) => `${field} ${value}`)],
    'index of numbers': [row.numbers, derived.numbers.added.map(({ field, value }) => [field, value])],
    links: [
      row.links,
      derived.links.added.map(({ target, type }) => (type === '' ? `${target} ` : `${target} ${type}`)),
    ],
    references: [
      row.references,
      // References by source key depend on the imports of their time.
      derived.references.added
        .filter(({ keyword }) => keyword !== KEY_KEYWORD)
        .map(({ field, ref, target }) => [field, ref, ...(target === null ? [] : [target])].join(' ')),
    ],
  }
  for (const [what, [kept, wanted]] of Object.entries(pairs))
    if (!isDeepStrictEqual(sorted(kept), sorted(wanted)))
      say(`${what}: there is ${JSON.stringify(sorted(kept))}, its values give ${JSON.stringify(sorted(wanted))}`)
  if (!row.is_worded) say('it is not found by its words')
  if (!row.is_summarized) say('its summary differs')
  if ((row.restricted_to === null) !== (derived.restricted_to === null)) say('restricted to nobody is not unrestricted')
}

/** Every file in a field belongs to the artifact and the field. */
function checkFiles({ field_values, files }: ArtifactRow, tracker: LoadedTracker, say: (what: string) => void): void {
  for (const element of tracker.elements)
    for (const file of fieldTypeOf(element).files?.(field_values[String(element.id)]) ?? [])
      if (!files.includes(`${element.id} ${file}`))
        say(`file ${file} is in field ${element.id}, and not the artifact's`)
}

function sorted(values: readonly unknown[] | undefined): string[] {
  return (values ?? []).map(String).toSorted()
}

/** Counters are exact, and no number exceeds the counter. */
async function countersOff(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ tracker_id: number; says: string }>`
    select tracker_id, concat_ws(', ', 'artifacts ' || artifacts || ' of ' || living, 'number ' || last_number || ' of ' || highest) as says
    from (
      select counter.tracker_id, counter.artifacts, counter.last_number,
        count(artifact.id) filter (where artifact.deleted_on is null) as living, coalesce(max(artifact.number), 0) as highest
      from tracker_counter counter left join artifact on artifact.tracker_id = counter.tracker_id
      group by counter.tracker_id, counter.artifacts, counter.last_number
    ) counted
    where artifacts <> living or last_number < highest`.execute(db)
  return rows.map(({ tracker_id, says }) => `the counter of tracker ${tracker_id} is off: ${says}`)
}

/** An attached file belongs to an artifact or to an archive, and no other file does. */
async function filesOff(db: Db | Tx): Promise<string[]> {
  const { rows } = await sql<{ id: number; is_attached: boolean }>`
    select file.id, is_attached from file where is_attached <> (
      exists (select from artifact_file where artifact_file.file_id = file.id)
      or exists (select from archive_file where archive_file.file_id = file.id))`.execute(db)
  return rows.map(
    ({ id, is_attached }) => `file ${id} is ${is_attached ? 'attached nowhere' : 'free, and has a place'}`,
  )
}
