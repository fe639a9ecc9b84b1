import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { type FullUserRow, usersByIdSql } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { isGranted } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { joinTrackerAndProject, maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'

/** A link whose other end the viewer sees. */
export interface LinkRow {
  readonly id: ArtifactId
  readonly type: string
  readonly tracker: { readonly id: TrackerId; readonly label: string; readonly color_name: string }
  readonly project: { readonly id: number; readonly label: string; readonly icon: string }
  /** Set for a child: the input of sums. Not part of the response. */
  readonly child?: { readonly values: StoredValues; readonly stamp: string; readonly submitted_on: string } | null
}

/** A reference in a text of this artifact or of a visible one. */
export interface ReferenceRow {
  readonly ref: string
  readonly keyword: string
  readonly value: string
  readonly of_project: number
  readonly target_id: ArtifactId | null
  /** The field of the text; 0 for a comment. */
  readonly field_id: number
  readonly comment_groups: readonly number[] | null
}

export interface IncomingRow extends Omit<ReferenceRow, 'ref' | 'keyword' | 'value' | 'of_project' | 'target_id'> {
  readonly artifact_id: ArtifactId
  readonly project_id: number
  readonly tracker_id: TrackerId
  readonly stamp: string
}

/** An artifact with everything needed to represent it, for one viewer in one snapshot. */
export interface FoundArtifact {
  readonly artifact: Artifact
  readonly access: TrackerAccess
  readonly people: readonly FullUserRow[]
  readonly forward: readonly LinkRow[]
  readonly reverse: readonly LinkRow[]
  readonly outgoing: readonly ReferenceRow[]
  readonly incoming: readonly IncomingRow[]
}

type Row = Artifact & Omit<FoundArtifact, 'artifact' | 'access'> & { stamp: string; persons: readonly FullUserRow[] }
/** Of several artifacts, one row has the people of all. */
type StoredRow = Omit<Row, 'persons'> & { persons: readonly FullUserRow[] | null }

/**
 * The artifact, if the viewer may see it, in one statement. A cached tracker is used only in the access version that
 * this statement read; if it has changed meanwhile, the artifact is read again.
 */
export async function findArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
): Promise<FoundArtifact> {
  return retryOnConflict(() => tryFindArtifact(context, db, viewer, id))
}

/** The same for callers that retry a larger unit; undefined if the tracker has changed meanwhile. */
export async function tryFindArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
): Promise<FoundArtifact | undefined> {
  const [row] = await readArtifacts(db, viewer, [id])
  if (!row) throw await whyHidden(db, viewer, id)
  return withAccess(context, db, viewer, row)
}

interface FindOptions {
  /** `head`: without links and references, which only values need. */
  readonly extent?: Extent
  /** Cached access to the tracker that most of them are in. */
  readonly access?: TrackerAccess
  /** Fields of that tracker whose values are not shown, and not read. */
  readonly omitted?: readonly FieldId[]
}
type Extent = 'whole' | 'head' | 'regardless' | 'head_regardless'

/** An artifact that the viewer was allowed to write, even if they no longer see it; undefined if it is gone. */
export async function findArtifactUnchecked(
  db: Db | Tx,
  access: TrackerAccess,
  id: ArtifactId,
): Promise<FoundArtifact | undefined> {
  const [row] = await readArtifacts(db, access.viewer, [id], 'regardless')
  return row && { ...partsOf(row), access }
}

/** The part of an artifact that a list shows, independent of the viewer. */
export type ArtifactHead = Omit<FoundArtifact, 'access'>

/** Without permission checks: the caller has checked visibility in the same snapshot. */
export async function findHeads(tx: Tx, ids: readonly ArtifactId[]): Promise<Map<ArtifactId, ArtifactHead>> {
  if (ids.length === 0) return new Map()
  const rows = await readArtifacts(tx, ANONYMOUS_VIEWER, ids, 'head_regardless')
  return new Map(rows.map((row) => [row.id, partsOf(row)]))
}

/** The same for several, unordered; invisible artifacts are omitted. */
export async function findArtifacts(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  { extent, access, omitted = [] }: FindOptions = {},
): Promise<FoundArtifact[]> {
  const rows = await readArtifacts(db, viewer, ids, extent, omitted)
  // If the tracker has changed meanwhile, an omitted value may be its title.
  if (
    omitted.length > 0 &&
    rows.some((row) => row.tracker_id === access?.tracker.id && row.stamp !== access.tracker.stamp)
  )
    return findArtifacts(context, db, viewer, ids, { ...(extent && { extent }), ...(access && { access }) })
  const found: FoundArtifact[] = []
  for (const row of rows)
    found.push(
      (await withAccess(context, db, viewer, row, access)) ?? (await findArtifact(context, db, viewer, row.id)),
    )
  return found
}

/** The same, in the order of the ids. */
export async function findArtifactsInOrder(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  finding?: FindOptions,
): Promise<FoundArtifact[]> {
  if (ids.length === 0) return []
  const all = await findArtifacts(context, db, viewer, ids, finding)
  const found = new Map(all.map((each) => [each.artifact.id, each]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

async function withAccess(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  row: Row,
  known?: TrackerAccess,
): Promise<FoundArtifact | undefined> {
  const { tracker_id, stamp: seen } = row
  if (known && known.tracker.id === tracker_id && known.tracker.stamp === seen)
    return { ...partsOf(row), access: known }
  const tracker = await context.trackers.at(db, tracker_id, seen)
  return tracker?.stamp === seen ? { ...partsOf(row), access: await getTrackerAccess(db, tracker, viewer) } : undefined
}

function partsOf(row: Row): Omit<FoundArtifact, 'access'> {
  const { stamp: _, persons, forward, reverse, outgoing, incoming, ...artifact } = row
  return { artifact, people: persons, forward, reverse, outgoing, incoming }
}

export const artifactColumns = columnsWith(sql`artifact.field_values`)

function columnsWith(values: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
    artifact.version, ${values}, artifact.people, artifact.restricted_to, artifact.submitted_by,
    artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified`
}

async function readArtifacts(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  extent: Extent = 'whole',
  omitted: readonly FieldId[] = [],
): Promise<Row[]> {
  const form = { extent, isOne: ids.length === 1, isCut: omitted.length > 0 }
  const statement = statementFor(viewer, form, db)
  const parameters = statement.parameters.map((each) => {
    if (each === PLACEHOLDER_ACCOUNT) return viewer.account_id
    if (each === PLACEHOLDER_PROJECTS) return viewer.credential?.projects
    if (each === PLACEHOLDER_ID) return ids[0]
    if (each === PLACEHOLDER_FIELDS) return omitted.map(String)
    return each === PLACEHOLDER_IDS ? ids : each
  })
  const query: CompiledQuery<StoredRow> = { ...statement, parameters }
  const { rows } = await db.executeQuery(query)
  return withPeople(rows, viewer)
}

/** Each artifact with its own people. */
function withPeople(rows: readonly StoredRow[], viewer: Viewer): Row[] {
  const own = viewer.account_id ?? null
  const people = new Map(rows.flatMap(({ persons }) => persons ?? []).map((person) => [person.id, person]))
  return rows.map((row) => {
    const ids = new Set([...row.people, row.submitted_by, row.last_update_by, own])
    return { ...row, persons: [...ids].flatMap((id) => (id === null ? [] : (people.get(id) ?? []))) }
  })
}

/** Placeholders for viewer and ids, so that all viewers of a kind share one statement text. */
const PLACEHOLDER_ACCOUNT = toId<AccountId>(Number.MAX_SAFE_INTEGER)
const PLACEHOLDER_IDS: readonly ArtifactId[] = []
const PLACEHOLDER_PROJECTS: readonly number[] = []
const LIMITED_KEY = { kind: 'access_key', id: null, projects: PLACEHOLDER_PROJECTS } as const
const PLACEHOLDER_ID = toId<ArtifactId>(Number.MAX_SAFE_INTEGER - 1)
const PLACEHOLDER_FIELDS: readonly string[] = []

interface StatementForm {
  readonly extent: Extent
  readonly isOne: boolean
  /** Without the values of some fields. */
  readonly isCut: boolean
}

const statements = new Map<string, CompiledQuery<StoredRow>>()

/** Compiled once per kind of viewer: compiling takes as long as the rest of the request. */
function statementFor(viewer: Viewer, form: StatementForm, db: Db | Tx): CompiledQuery<StoredRow> {
  const { extent, isOne, isCut } = form
  const { account_id, is_site_admin = false, is_restricted = false, credential } = viewer
  const isLimited = credential?.projects !== undefined
  const kind = `${account_id === undefined} ${is_site_admin} ${is_restricted} ${isLimited} ${extent} ${isOne} ${isCut}`
  const known = statements.get(kind)
  if (known) return known
  const placeholder = account_id === undefined ? {} : { account_id: PLACEHOLDER_ACCOUNT }
  const limited = isLimited ? { credential: LIMITED_KEY } : {}
  const kindred = { ...placeholder, ...limited, is_site_admin, is_restricted, language: null, time_zone: null }
  const made = statementOf(kindred, form).compile(db)
  statements.set(kind, made)
  return made
}

function statementOf(viewer: Viewer, { extent, isOne, isCut }: StatementForm): RawBuilder<StoredRow> {
  const sees = maySeeArtifact(viewer, joinTrackerProjectAndMe)
  // A separate text for one id: PostgreSQL estimates many rows for an array and would replan each time.
  const which = isOne ? sql`artifact.id = ${PLACEHOLDER_ID}` : sql`artifact.id = any(${PLACEHOLDER_IDS}::bigint[])`
  const columns = isCut
    ? columnsWith(sql`artifact.field_values - ${PLACEHOLDER_FIELDS}::text[] as field_values`)
    : artifactColumns
  const named = sql`main.people || main.submitted_by || main.last_update_by || ${viewer.account_id ?? null}::bigint`
  // One lookup for the people of all artifacts, who are often the same.
  const persons = isOne
    ? asArray(usersByIdSql(named))
    : sql`case when row_number() over () = 1
        then ${asArray(usersByIdSql(sql`array(select distinct unnest(${named}) from main)`))} end`
  return sql<StoredRow>`
    with me as materialized (${memberships(viewer)}), main as materialized (
      select ${columns}, ${accessVersion} as stamp from artifact ${joinTrackerProjectAndMe} where ${which}
        and ${extent.endsWith('regardless') ? sql`true` : sees}
    )
    select main.*,
      ${persons} as persons,
      ${extent.startsWith('head') ? NEITHER : linksAndReferences(sees)}
    from main`
}

const NEITHER = sql`'[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming`

/** Links and references of the artifact in `main` whose other end the viewer sees. */
function linksAndReferences(sees: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    ${asArray(sql`${linkColumns}, ${childColumn} from artifact_link link ${joinArtifact(sql`link.target_id`)} ${joinTrackerProjectAndMe}
      where link.source_id = main.id and ${sees} order by link.target_id`)} as forward,
    ${asArray(sql`${linkColumns} from artifact_link link ${joinArtifact(sql`link.source_id`)} ${joinTrackerProjectAndMe}
      where link.target_id = main.id and ${sees} order by link.source_id`)} as reverse,
    ${asArray(sql`select reference.ref, reference.keyword, reference.value, reference.of_project, reference.target_id,
        reference.field_id, changeset.comment_groups
      from artifact_reference reference left join changeset on changeset.id = reference.changeset_id
      where reference.artifact_id = main.id and ${leadsSomewhere(sees)} order by reference.ref`)} as outgoing,
    ${asArray(sql`select reference.artifact_id, artifact.project_id, artifact.tracker_id, reference.field_id,
        changeset.comment_groups, ${accessVersion} as stamp
      from artifact_reference reference ${joinArtifact(sql`reference.artifact_id`)} ${joinTrackerProjectAndMe}
        left join changeset on changeset.id = reference.changeset_id
      where reference.target_id = main.id and ${sees} order by reference.artifact_id`)} as incoming`
}

/**
 * The artifact at the other end, looked up by its id. `offset 0` keeps PostgreSQL from beginning with all artifacts
 * that the viewer sees, which it prefers where many references lead to few artifacts.
 */
function joinArtifact(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cross join lateral (select * from artifact where artifact.id = ${id} offset 0) artifact`
}

/**
 * True if the target exists in the referenced project and is visible. References to other things than artifacts are not
 * checked. A source key names no project, and has no target while its import runs.
 */
function leadsSomewhere(sees: RawBuilder<boolean>): RawBuilder<boolean> {
  const isKey = sql`reference.keyword = ${sql.lit(KEY_KEYWORD)}`
  return sql`(reference.target_id is null and reference.of_project = main.project_id and not ${isKey} or exists (
    select from artifact ${joinTrackerProjectAndMe} where artifact.id = reference.target_id and ${sees}
      and (reference.of_project in (main.project_id, artifact.project_id) or ${isKey})))`
}

const linkColumns = sql`select artifact.id, link.type,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project`

const childColumn = sql`case link.type when '_is_child' then jsonb_build_object('values', artifact.field_values,
  'stamp', ${accessVersion}, 'submitted_on', artifact.submitted_on) end as child`

function asArray(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(each), '[]') from (${query}) each)`
}

/** Members of a suspended project get the reason; others get the error for hidden artifacts. */
async function whyHidden(db: Db | Tx, viewer: Viewer, id: ArtifactId): Promise<ApiError> {
  const { rows } = await sql<{ explains_suspension: boolean }>`
    select project.status = 'suspended' and ${isMemberOf(viewer, joinTrackerAndProject)} and ${isGranted(viewer, joinTrackerAndProject)} as explains_suspension from artifact ${joinTrackerAndProject}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null`.execute(db)
  return rows[0]?.explains_suspension ? new ApiError('project_suspended') : hiddenError(viewer)
}
