import { type RawBuilder, sql } from 'kysely'
import { type Aliases, aliases, type Join, joining } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerIsAdmin, viewerIsInAnyGroup, viewerIsMember, memberships } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { artifactCount } from '../trackers/counter.ts'
import { fieldTypeOf } from '../trackers/field-types/field-types.ts'
import { trackersWithItemName } from '../trackers/find-visible-trackers.ts'
import type { TrackerAccess } from '../trackers/tracker-access.ts'
import type { AccessKind } from '../trackers/tracker.ts'
import { hasGrant, joinTracker, fullyVisibleTrackers } from '../trackers/visibility.ts'

// The rule stands here twice, and a change belongs into both: by joins, for statements over many trackers
// (`maySeeArtifact`), and by the cached access of a viewer, for statements on known trackers (`isVisibleInTracker`).
// `artifact-visibility.test.ts` compares them.

/** Joins `tracker` and `project`, which decide the visibility of `artifact`; `artifact` comes before. */
export const joinTrackerAndProject: Join<'artifact' | 'tracker' | 'project'> = joining(
  sql`${joinTracker(sql`artifact.tracker_id`)} ${joinProject(sql`artifact.project_id`)}`,
  'artifact',
  'tracker',
  'project',
)

/** The aliases that decide whether a viewer sees an artifact. */
export type ArtifactAlias = 'artifact' | 'tracker' | 'project' | 'me'

/** `joinTrackerAndProject` with the row of `me`, which the statement defines as a CTE. */
export const joinTrackerProjectAndMe: Join<ArtifactAlias> = joining(
  sql`${joinTrackerAndProject} cross join me`,
  'artifact',
  'tracker',
  'project',
  'me',
)

/** Joins `artifact` to a table that refers to it; `joinTrackerAndProject` follows. */
export function joinArtifact(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join artifact on artifact.id = ${id}`
}

/** The same for a statement with one check, which needs no CTE. */
export function joinTrackerProjectAndMemberships(viewer: Viewer): Join<ArtifactAlias> {
  const joined = sql`${joinTrackerAndProject} cross join (${memberships(viewer)}) me`
  return joining(joined, 'artifact', 'tracker', 'project', 'me')
}

/**
 * True if the viewer sees the row of `artifact`. Add it to every `where` on artifacts, so that invisible artifacts are
 * neither counted nor shown.
 */
export function maySeeArtifact(viewer: Viewer, rows: Aliases<ArtifactAlias>): RawBuilder<boolean> {
  return sql`(artifact.deleted_on is null and tracker.deleted_on is null and ${wouldSeeArtifact(viewer, rows)})`
}

/** The same, ignoring deletion of the artifact and of its tracker. */
export function wouldSeeArtifact(viewer: Viewer, rows: Aliases<ArtifactAlias>): RawBuilder<boolean> {
  const enters = mayEnterAs(viewer, rows, viewerIsMember(rows))
  if (viewer.is_site_admin) return enters
  const { account_id } = viewer
  const mine = account_id === undefined ? sql`false` : sql`artifact.submitted_by = ${account_id}::bigint`
  const unrestricted = sql`(artifact.restricted_to is null or tracker.restriction_field_id is null
    or ${viewerIsInAnyGroup(viewer, rows, sql`artifact.restricted_to`)})`
  const granted = hasGrant(
    viewer,
    rows,
    sql`(granted.kind = 'admin' or ${unrestricted} and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then ${mine}
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end)`,
  )
  return sql`(${enters} and (${viewerIsAdmin(rows)} or ${granted}))`
}

/**
 * The same for statements that check the ends of many links: fully visible trackers are computed once, and only the
 * other artifacts are checked one by one. Needs only the row of `me`.
 */
export function maySeeLinkedArtifact(viewer: Viewer, _rows: Aliases<'artifact' | 'me'>): RawBuilder<boolean> {
  return sql`(artifact.deleted_on is null and (
    artifact.restricted_to is null and artifact.tracker_id in (select tracker.id from ${fullyVisibleTrackers(viewer)})
    or exists (select from me ${joinTrackerAndProject} where ${maySeeArtifact(viewer, aliases('artifact', 'tracker', 'project', 'me'))})))`
}

/** True if the row of `artifact` is in a tracker with this item name in any project; inverted by `isNot`. */
export function inTrackersCalled(itemName: string, isNot: boolean): RawBuilder<boolean> {
  const called = sql`artifact.tracker_id in (select tracker.id from ${trackersWithItemName(itemName)})`
  return isNot ? sql`(not ${called})` : sql`(${called})`
}

/**
 * True if the viewer sees every artifact of the row of `tracker`, given `project` and `me`; saves a check per artifact.
 */
export function maySeeAllArtifacts(viewer: Viewer, rows: Aliases<'tracker' | 'project' | 'me'>): RawBuilder<boolean> {
  const enters = mayEnterAs(viewer, rows, viewerIsMember(rows))
  if (viewer.is_site_admin) return sql`(tracker.deleted_on is null and ${enters})`
  const granted = hasGrant(
    viewer,
    rows,
    sql`(granted.kind = 'admin' or granted.kind = 'full' and tracker.restriction_field_id is null)`,
  )
  return sql`(tracker.deleted_on is null and ${enters} and (${viewerIsAdmin(rows)} or ${granted}))`
}

/**
 * The same for the artifacts of one tracker, from the cached access of the viewer. The statement must also compare the
 * access version of the tracker (`oneTracker`).
 */
export function isVisibleInTracker(access: TrackerAccess): RawBuilder<boolean> {
  const there = isUndeleted(access)
  if (access.administers) return there
  const { granted, unrestricted } = visibilityTerms(access)
  return granted === 'all' ? sql`(${there} and ${unrestricted})` : sql`(${there} and ${unrestricted} and ${granted})`
}

/** The same for the artifacts of several trackers; trackers that hide nothing share one condition. */
export function isVisibleInTrackers(accesses: readonly TrackerAccess[]): RawBuilder<boolean> {
  const [first, ...others] = accesses
  if (first && others.length === 0) return isVisibleInTracker(first)
  const [open, partly] = [accesses.filter(seesEverything), accesses.filter((access) => !seesEverything(access))]
  const whole = sql<boolean>`artifact.tracker_id = any(${open.map(({ tracker }) => tracker.id)}::bigint[])`
  const ways = open.length > 0 ? [whole, ...partly.map(isVisibleInTracker)] : partly.map(isVisibleInTracker)
  return sql`(artifact.deleted_on is null and (${sql.join(ways, sql` or `)}))`
}

function seesEverything(access: TrackerAccess): boolean {
  return access.administers || (seesAllUnrestricted(access) && !restricts(access))
}

/** The exact number of artifacts that the viewer sees in the tracker, mostly without counting rows. */
export function visibleArtifactCount(access: TrackerAccess): RawBuilder<number> {
  if (access.administers) return artifactCount
  const { granted, unrestricted } = visibilityTerms(access)
  if (granted !== 'all') return sql`(select count(*) from artifact where ${isVisibleInTracker(access)})`
  return sql`(${artifactCount} - (select count(*) from artifact where ${isUndeleted(access)}
    and artifact.restricted_to is not null and not ${unrestricted}))`
}

/** True if the viewer sees every artifact of the tracker that is not restricted to groups. */
export function seesAllUnrestricted(access: TrackerAccess): boolean {
  return access.administers || visibilityTerms(access).granted === 'all'
}

/** Conditions on `artifact` for the rows that such a viewer does not see: two conditions, each with its own index. */
export function hiddenArtifactConditions(access: TrackerAccess): readonly RawBuilder<boolean>[] {
  return Object.values(hiddenArtifacts(access))
}

/** The same by name. `restricted` is absent if the viewer sees all restricted artifacts. */
export function hiddenArtifacts(access: TrackerAccess) {
  const deleted = sql<boolean>`(artifact.tracker_id = ${access.tracker.id} and artifact.deleted_on is not null)`
  if (access.administers || !restricts(access)) return { deleted }
  const { unrestricted } = visibilityTerms(access)
  const restricted = sql<boolean>`(${isUndeleted(access)} and artifact.restricted_to is not null and not ${unrestricted})`
  return { deleted, restricted }
}

function isUndeleted({ tracker }: TrackerAccess): RawBuilder<boolean> {
  return sql`(artifact.tracker_id = ${tracker.id} and artifact.deleted_on is null)`
}

/** True if the tracker can restrict single artifacts to groups. */
function restricts({ tracker }: TrackerAccess): boolean {
  return tracker.elements.some((element) => element.is_used && fieldTypeOf(element).controlsVisibility)
}

function visibilityTerms(access: TrackerAccess) {
  const { tracker, viewer, groups } = access
  const unrestricted: RawBuilder<boolean> = restricts(access)
    ? sql`(artifact.restricted_to is null or artifact.restricted_to && ${[...groups]}::bigint[])`
    : sql`true`
  const those = (kind: AccessKind) => tracker.grants[kind].filter((group) => groups.has(group))
  if (those('full').length > 0) return { granted: 'all', unrestricted } as const
  const kinds: RawBuilder<boolean>[] = [sql`false`]
  if (those('submitted_by_user').length > 0 && viewer.account_id !== undefined)
    kinds.push(sql`artifact.submitted_by = ${viewer.account_id}`)
  for (const group of those('submitted_by_group'))
    kinds.push(sql`account_in_group(artifact.submitted_by, ${tracker.project_id}, ${group})`)
  for (const group of those('assigned_to_group'))
    kinds.push(sql`assigned_in_group(artifact.id, ${tracker.semantics.contributor}, ${tracker.project_id}, ${group})`)
  return { granted: sql<boolean>`(${sql.join(kinds, sql` or `)})`, unrestricted } as const
}
