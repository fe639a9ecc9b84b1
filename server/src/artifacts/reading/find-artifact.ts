import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { hiddenFrom } from '../../accounts/refusals.ts'
import { type FullUserRow, usersWith } from '../../accounts/users/user.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import { type Sight, sightOf } from '../../trackers/sight.ts'
import type { StoredValues, TrackerId } from '../../trackers/tracker.ts'
import { isGranted } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { itsPlace, maySeeArtifact } from '../visibility.ts'

/** A link whose other end the viewer sees. */
export interface LinkRow {
  readonly id: ArtifactId
  readonly type: string
  readonly tracker: { readonly id: TrackerId; readonly label: string; readonly color_name: string }
  readonly project: { readonly id: number; readonly label: string; readonly icon: string }
  /** Of a child: what sums are made of. It is not shown. */
  readonly child?: { readonly values: StoredValues; readonly stamp: string; readonly submitted_on: string } | null
}

/** A reference in a text, from here or from an artifact that the viewer sees. */
export interface ReferenceRow {
  readonly ref: string
  readonly keyword: string
  readonly value: string
  readonly of_project: number
  readonly target_id: ArtifactId | null
  /** Where the text stands; 0: in a comment. */
  readonly field_id: number
  readonly comment_groups: readonly number[] | null
}

export interface IncomingRow extends Omit<ReferenceRow, 'ref' | 'keyword' | 'value' | 'of_project' | 'target_id'> {
  readonly artifact_id: ArtifactId
  readonly project_id: number
  readonly tracker_id: TrackerId
  readonly stamp: string
}

/** An artifact with all that showing it needs, as one viewer sees it at one moment. */
export interface FoundArtifact {
  readonly artifact: Artifact
  readonly sight: Sight
  readonly people: readonly FullUserRow[]
  readonly forward: readonly LinkRow[]
  readonly reverse: readonly LinkRow[]
  readonly outgoing: readonly ReferenceRow[]
  readonly incoming: readonly IncomingRow[]
}

type Row = Artifact & Omit<FoundArtifact, 'artifact' | 'sight'> & { stamp: string; persons: readonly FullUserRow[] }

/**
 * The artifact, if the viewer may see it: one statement. What is known in memory of its tracker counts only in the
 * state that this statement has seen; where that has moved on meanwhile, the artifact is read again.
 */
export async function findArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
): Promise<FoundArtifact> {
  return untilUnchanged(async () => {
    const [row] = await readArtifacts(db, viewer, [id])
    if (!row) throw await whyHidden(db, viewer, id)
    return withSight(context, db, viewer, row)
  })
}

interface Finding {
  /** `head`: without links and references, which nothing but values shows. */
  readonly extent?: Extent
  /** What is known of the tracker that most of them are in. */
  readonly sight?: Sight
}
type Extent = 'whole' | 'head' | 'regardless' | 'head_regardless'

/** One that the viewer was allowed to write, whether he still sees it or not; undefined: it is gone. */
export async function findRegardless(db: Db | Tx, sight: Sight, id: ArtifactId): Promise<FoundArtifact | undefined> {
  const [row] = await readArtifacts(db, sight.viewer, [id], 'regardless')
  return row && { ...partsOf(row), sight }
}

/** What a list shows of an artifact, whoever reads it. */
export type ArtifactHead = Omit<FoundArtifact, 'sight'>

/** For those of whom it was found out in the same snapshot that they see all of these. */
export async function findHeads(tx: Tx, ids: readonly ArtifactId[]): Promise<Map<ArtifactId, ArtifactHead>> {
  if (ids.length === 0) return new Map()
  const rows = await readArtifacts(tx, ANONYMOUS, ids, 'head_regardless')
  return new Map(rows.map((row) => [row.id, partsOf(row)]))
}

/** The same for several, in no order; who may not be seen is left out. */
export async function findArtifacts(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  { extent, sight }: Finding = {},
): Promise<FoundArtifact[]> {
  const rows = await readArtifacts(db, viewer, ids, extent)
  const found: FoundArtifact[] = []
  for (const row of rows)
    found.push((await withSight(context, db, viewer, row, sight)) ?? (await findArtifact(context, db, viewer, row.id)))
  return found
}

/** The same, in the order of the ids. */
export async function findInOrder(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  finding?: Finding,
): Promise<FoundArtifact[]> {
  if (ids.length === 0) return []
  const all = await findArtifacts(context, db, viewer, ids, finding)
  const found = new Map(all.map((each) => [each.artifact.id, each]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

async function withSight(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  row: Row,
  known?: Sight,
): Promise<FoundArtifact | undefined> {
  const { tracker_id, stamp: seen } = row
  if (known && known.tracker.id === tracker_id && known.tracker.stamp === seen) return { ...partsOf(row), sight: known }
  const tracker = await context.trackers.at(db, tracker_id, seen)
  return tracker?.stamp === seen ? { ...partsOf(row), sight: await sightOf(db, tracker, viewer) } : undefined
}

function partsOf(row: Row): Omit<FoundArtifact, 'sight'> {
  const { stamp: _, persons, forward, reverse, outgoing, incoming, ...artifact } = row
  return { artifact, people: persons, forward, reverse, outgoing, incoming }
}

export const artifactColumns = sql`artifact.id, artifact.project_id, artifact.tracker_id, artifact.number, artifact.rank,
  artifact.version, artifact.field_values, artifact.people, artifact.restricted_to, artifact.submitted_by,
  artifact.submitted_on, artifact.last_update_by, artifact.last_modified_date, artifact.last_modified`

async function readArtifacts(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  extent: Extent = 'whole',
): Promise<Row[]> {
  const statement = statementFor(viewer, extent, ids.length === 1, db)
  const parameters = statement.parameters.map((each) => {
    if (each === SOMEBODY) return viewer.account_id
    if (each === THAT) return ids[0]
    return each === THOSE ? ids : each
  })
  const query: CompiledQuery<Row> = { ...statement, parameters }
  const { rows } = await db.executeQuery(query)
  return rows
}

/** What stands in a statement for who asks and what for. Its text is the same for everybody of a kind. */
const SOMEBODY = toId<AccountId>(Number.MAX_SAFE_INTEGER)
const THOSE: readonly ArtifactId[] = []
const THAT = toId<ArtifactId>(Number.MAX_SAFE_INTEGER - 1)

const statements = new Map<string, CompiledQuery<Row>>()

/** Composed once for each kind of viewer: doing it anew would take as long as the rest of the request. */
function statementFor(viewer: Viewer, extent: Extent, isOne: boolean, db: Db | Tx): CompiledQuery<Row> {
  const { account_id, is_site_admin = false, is_restricted = false } = viewer
  const kind = `${account_id === undefined} ${is_site_admin} ${is_restricted} ${extent} ${isOne}`
  const known = statements.get(kind)
  if (known) return known
  const somebody = account_id === undefined ? {} : { account_id: SOMEBODY }
  const kindred = { ...somebody, is_site_admin, is_restricted, language: null, time_zone: null }
  const made = statementOf(kindred, extent, isOne).compile(db)
  statements.set(kind, made)
  return made
}

function statementOf(viewer: Viewer, extent: Extent, isOne: boolean): RawBuilder<Row> {
  const sees = maySeeArtifact(viewer)
  // For one there is a text of its own: PostgreSQL takes a list for many, and would plan anew each time.
  const which = isOne ? sql`artifact.id = ${THAT}` : sql`artifact.id = any(${THOSE}::bigint[])`
  return sql<Row>`
    with me as materialized (${memberships(viewer)}), main as materialized (
      select ${artifactColumns}, ${stamp} as stamp from artifact ${itsPlace} cross join me where ${which}
        and ${extent.endsWith('regardless') ? sql`true` : sees}
    )
    select main.*,
      ${asArray(usersWith(sql`main.people || main.submitted_by || main.last_update_by || ${viewer.account_id ?? null}::bigint`))} as persons,
      ${extent.startsWith('head') ? NEITHER : linksAndReferences(sees)}
    from main`
}

const NEITHER = sql`'[]'::json as forward, '[]'::json as reverse, '[]'::json as outgoing, '[]'::json as incoming`

/** Of the artifact in the row of `main`, as far as the viewer sees the other end. */
function linksAndReferences(sees: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    ${asArray(sql`${linkColumns}, ${childColumn} from artifact_link link join artifact on artifact.id = link.target_id ${itsPlace} cross join me
      where link.source_id = main.id and ${sees} order by link.target_id`)} as forward,
    ${asArray(sql`${linkColumns} from artifact_link link join artifact on artifact.id = link.source_id ${itsPlace} cross join me
      where link.target_id = main.id and ${sees} order by link.source_id`)} as reverse,
    ${asArray(sql`select reference.ref, reference.keyword, reference.value, reference.of_project, reference.target_id,
        reference.field_id, changeset.comment_groups
      from artifact_reference reference left join changeset on changeset.id = reference.changeset_id
      where reference.artifact_id = main.id and ${leadsSomewhere(sees)} order by reference.ref`)} as outgoing,
    ${asArray(sql`select reference.artifact_id, artifact.project_id, artifact.tracker_id, reference.field_id,
        changeset.comment_groups, ${stamp} as stamp
      from artifact_reference reference join artifact on artifact.id = reference.artifact_id ${itsPlace} cross join me
        left join changeset on changeset.id = reference.changeset_id
      where reference.target_id = main.id and ${sees} order by reference.artifact_id`)} as incoming`
}

/** What a reference names is there, in the project that it names, and to be seen. What is no artifact is not looked for. */
function leadsSomewhere(sees: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`(reference.target_id is null and reference.of_project = main.project_id or exists (
    select from artifact ${itsPlace} cross join me where artifact.id = reference.target_id and ${sees}
      and reference.of_project in (main.project_id, artifact.project_id)))`
}

const linkColumns = sql`select artifact.id, link.type,
  jsonb_build_object('id', tracker.id, 'label', tracker.label, 'color_name', tracker.color_name) as tracker,
  jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project`

const childColumn = sql`case link.type when '_is_child' then jsonb_build_object('values', artifact.field_values,
  'stamp', ${stamp}, 'submitted_on', artifact.submitted_on) end as child`

function asArray(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(each), '[]') from (${query}) each)`
}

/** Members of a suspended project are told why. */
async function whyHidden(db: Db | Tx, viewer: Viewer, id: ArtifactId): Promise<ApiError> {
  const { rows } = await sql<{ is_told: boolean }>`
    select project.status = 'suspended' and ${isMemberOf(viewer)} and ${isGranted(viewer)} as is_told from artifact ${itsPlace}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null`.execute(db)
  return rows[0]?.is_told ? new ApiError('project_suspended') : hiddenFrom(viewer)
}
