import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { FullUserRow } from '../../accounts/users/user.ts'
import { type Db, inSnapshot, type Tx } from '../../platform/database/db.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { isMemberOf } from '../../projects/visibility.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { isGranted } from '../../trackers/visibility.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import { lookUpBothWays } from './check-rights.ts'
import { lookUpByRights } from './look-by-rights.ts'
import { type LookExtent, lookUpBySql } from './look-by-sql.ts'
import type { IncomingRow, LinkRow, LookRow, ReferenceRow } from './look-rows.ts'

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

/**
 * The artifact, if the viewer may see it, in one statement. A cached tracker is used only in the access version that
 * this statement read; if it has changed meanwhile, the artifact is read again.
 */
export async function findArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<FoundArtifact> {
  return retryOnConflict(() => tryFindArtifact(context, db, viewer, id, recalled))
}

/** The same for callers that retry a larger unit; undefined if the tracker has changed meanwhile. */
export async function tryFindArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<FoundArtifact | undefined> {
  const row = await lookUpOne(context, db, viewer, id, recalled)
  if (!row) throw await whyHidden(db, viewer, id)
  return toFoundArtifact(context, db, viewer, row)
}

/**
 * One artifact with everything around it that the viewer sees; undefined if they do not see it. Remembered rights decide
 * where they can. A transaction may have changed rights itself, which must not be remembered: there SQL decides.
 */
async function lookUpOne(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  id: ArtifactId,
  recalled?: RecalledSignIn,
): Promise<LookRow | undefined> {
  if (!db.isTransaction) {
    if (context.rightsCheck.isOn) return inSnapshot(db, (tx) => lookUpBothWays(context, tx, viewer, id, recalled))
    const found = await lookUpByRights(context, db, viewer, id, recalled)
    if (found !== 'undecided') return found === 'hidden' ? undefined : found
  }
  const [row] = await lookUpBySql(db, viewer, [id])
  return row
}

interface FindOptions {
  readonly extent?: LookExtent
  /** Cached access to the tracker that most of them are in. */
  readonly access?: TrackerAccess
  /** Fields of that tracker whose values are not shown, and not read. */
  readonly omitted?: readonly FieldId[]
}

/** An artifact that the viewer was allowed to write, even if they no longer see it; undefined if it is gone. */
export async function findArtifactUnchecked(
  db: Db | Tx,
  access: TrackerAccess,
  id: ArtifactId,
): Promise<FoundArtifact | undefined> {
  const [found] = await findArtifactsUnchecked(db, access, [id])
  return found
}

/** The same for several of one tracker, unordered. The caller has checked permissions. */
export async function findArtifactsUnchecked(
  db: Db | Tx,
  access: TrackerAccess,
  ids: readonly ArtifactId[],
): Promise<FoundArtifact[]> {
  const rows = await lookUpBySql(db, access.viewer, ids, 'regardless')
  return rows.map((row) => ({ ...partsOf(row, access.viewer), access }))
}

/** The part of an artifact that a list shows, independent of the viewer. */
export type ArtifactHead = Omit<FoundArtifact, 'access'>

/** Without permission checks: the caller has checked visibility in the same snapshot. */
export async function findHeads(tx: Tx, ids: readonly ArtifactId[]): Promise<Map<ArtifactId, ArtifactHead>> {
  if (ids.length === 0) return new Map()
  const rows = await lookUpBySql(tx, ANONYMOUS_VIEWER, ids, 'head_regardless')
  return new Map(rows.map((row) => [row.id, partsOf(row, ANONYMOUS_VIEWER)]))
}

/** The same for several, unordered; invisible artifacts are omitted. */
export async function findArtifacts(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
  { extent, access, omitted = [] }: FindOptions = {},
): Promise<FoundArtifact[]> {
  const rows = await lookUpBySql(db, viewer, ids, extent, omitted)
  // If the tracker has changed meanwhile, an omitted value may be its title.
  if (
    omitted.length > 0 &&
    rows.some((row) => row.tracker_id === access?.tracker.id && row.stamp !== access.tracker.stamp)
  )
    return findArtifacts(context, db, viewer, ids, { ...(extent && { extent }), ...(access && { access }) })
  const found: FoundArtifact[] = []
  for (const row of rows)
    found.push(
      (await toFoundArtifact(context, db, viewer, row, access)) ?? (await findArtifact(context, db, viewer, row.id)),
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

/** Adds the access to the tracker at the access version of the look; undefined if it has changed since. */
export async function toFoundArtifact(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  row: LookRow,
  known?: TrackerAccess,
): Promise<FoundArtifact | undefined> {
  const { tracker_id, stamp: seen } = row
  if (known && known.tracker.id === tracker_id && known.tracker.stamp === seen)
    return { ...partsOf(row, viewer), access: known }
  const tracker = await context.trackers.at(db, tracker_id, seen)
  return tracker?.stamp === seen
    ? { ...partsOf(row, viewer), access: await getTrackerAccess(db, tracker, viewer) }
    : undefined
}

function partsOf(row: LookRow, { account_id }: Viewer): Omit<FoundArtifact, 'access'> {
  const { stamp: _, persons, forward, reverse, outgoing, incoming, ...artifact } = row
  const ids = new Set([...artifact.people, artifact.submitted_by, artifact.last_update_by, account_id ?? null])
  const people = persons.filter(({ id }) => ids.has(id)).toSorted((one, other) => one.id - other.id)
  return { artifact, people, forward, reverse, outgoing, incoming }
}

/** Members of a suspended project get the reason; others get the error for hidden artifacts. */
async function whyHidden(db: Db | Tx, viewer: Viewer, id: ArtifactId): Promise<ApiError> {
  const { rows } = await sql<{ explains_suspension: boolean }>`
    select project.status = 'suspended' and ${isMemberOf(viewer, joinTrackerAndProject)} and ${isGranted(viewer, joinTrackerAndProject)} as explains_suspension from artifact ${joinTrackerAndProject}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null`.execute(db)
  return rows[0]?.explains_suspension ? new ApiError('project_suspended') : hiddenError(viewer)
}
