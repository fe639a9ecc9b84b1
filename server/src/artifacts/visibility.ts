import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { amAdmin, amInOneOf, amMember, memberships } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { artifactCount } from '../trackers/counter.ts'
import { trackersCalled } from '../trackers/find-sights.ts'
import type { Sight } from '../trackers/sight.ts'
import type { AccessKind } from '../trackers/tracker.ts'
import { haveGrant, itsTracker, openTrackers } from '../trackers/visibility.ts'

/** How the three tables that decide who sees an artifact hang together; `artifact` is joined or selected before. */
export const itsPlace = sql`${itsTracker(sql`artifact.tracker_id`)} ${itsProject(sql`artifact.project_id`)}`

/** Brings the row of `artifact` into a statement on what refers to it; `itsPlace` follows. */
export function itsArtifact(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join artifact on artifact.id = ${id}`
}

/** `itsPlace` with the row of `me`, for a statement that asks once. Others have `me` in front of all their parts. */
export function itsPlaceFor(viewer: Viewer): RawBuilder<unknown> {
  return sql`${itsPlace} cross join (${memberships(viewer)}) me`
}

/**
 * Whether the viewer sees the row of `artifact`, in its rows of `tracker` and `project`, by the row of `me`
 * (`itsPlaceFor`): for every `where` on artifacts, so that what may not be seen is neither counted nor shown.
 */
export function maySeeArtifact(viewer: Viewer): RawBuilder<boolean> {
  return sql`(artifact.deleted_on is null and tracker.deleted_on is null and ${wouldSeeArtifact(viewer)})`
}

/** The same as if neither it nor its tracker were deleted. */
export function wouldSeeArtifact(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`true`
  const { account_id } = viewer
  const mine = account_id === undefined ? sql`false` : sql`artifact.submitted_by = ${account_id}::bigint`
  const unrestricted = sql`(artifact.restricted_to is null or tracker.restriction_field_id is null
    or ${amInOneOf(viewer, sql`artifact.restricted_to`)})`
  const granted = haveGrant(
    viewer,
    sql`(granted.kind = 'admin' or ${unrestricted} and case granted.kind
      when 'full' then true
      when 'submitted_by_user' then ${mine}
      when 'submitted_by_group' then account_in_group(artifact.submitted_by, project.id, granted.group_id)
      when 'assigned_to_group' then
        assigned_in_group(artifact.id, tracker.contributor_field_id, project.id, granted.group_id)
      else false end)`,
  )
  const admin = account_id === undefined ? sql`false` : amAdmin
  return sql`(${mayEnterAs(viewer, amMember)} and (${admin} or ${granted}))`
}

/**
 * The same in a statement that asks about the ends of very many links: which trackers are open to the viewer is found out
 * once, and only what is special about an artifact is looked at one by one. It needs the row of `me`, and no others.
 */
export function maySeeEnd(viewer: Viewer): RawBuilder<boolean> {
  return sql`(artifact.deleted_on is null and (
    artifact.restricted_to is null and artifact.tracker_id in (select tracker.id from ${openTrackers(viewer)})
    or exists (select from me ${itsPlace} where ${maySeeArtifact(viewer)})))`
}

/** Whether the row of `artifact` is in a tracker with this item name, in whatever project; or in one with another. */
export function inTrackersCalled(itemName: string, isNot: boolean): RawBuilder<boolean> {
  const called = sql`artifact.tracker_id in (select tracker.id from ${trackersCalled(itemName)})`
  return isNot ? sql`(not ${called})` : sql`(${called})`
}

/**
 * Whether every artifact of the row of `tracker` is for the viewer, by the rows of `project` and `me`: where it is, none of
 * them need be looked at by itself.
 */
export function maySeeAllOf(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`(tracker.deleted_on is null)`
  const granted = haveGrant(
    viewer,
    sql`(granted.kind = 'admin' or granted.kind = 'full' and tracker.restriction_field_id is null)`,
  )
  const admin = viewer.account_id === undefined ? sql`false` : amAdmin
  return sql`(tracker.deleted_on is null and ${mayEnterAs(viewer, amMember)} and (${admin} or ${granted}))`
}

/**
 * The same for the artifacts of one tracker, made of what is known of the viewer there: whoever uses it compares the
 * stamp of the tracker in the same statement (`oneTracker`).
 */
export function inSight(sight: Sight): RawBuilder<boolean> {
  const there = isThere(sight)
  if (sight.administers) return there
  const { granted, unrestricted } = termsOf(sight)
  return granted === 'all' ? sql`(${there} and ${unrestricted})` : sql`(${there} and ${unrestricted} and ${granted})`
}

/** The same for the artifacts of several trackers: those that hide nothing are looked for together. */
export function inOneOf(sights: readonly Sight[]): RawBuilder<boolean> {
  const [first, ...others] = sights
  if (first && others.length === 0) return inSight(first)
  const [open, partly] = [sights.filter(seesEverything), sights.filter((sight) => !seesEverything(sight))]
  const whole = sql<boolean>`artifact.tracker_id = any(${open.map(({ tracker }) => tracker.id)}::bigint[])`
  const ways = open.length > 0 ? [whole, ...partly.map(inSight)] : partly.map(inSight)
  return sql`(artifact.deleted_on is null and (${sql.join(ways, sql` or `)}))`
}

function seesEverything(sight: Sight): boolean {
  return sight.administers || (seesWhatIsShown(sight) && !restricts(sight))
}

/** How many artifacts of the tracker the viewer sees: exact, and mostly known without counting them. */
export function sizeInSight(sight: Sight): RawBuilder<number> {
  if (sight.administers) return artifactCount
  const { granted, unrestricted } = termsOf(sight)
  if (granted !== 'all') return sql`(select count(*) from artifact where ${inSight(sight)})`
  return sql`(${artifactCount} - (select count(*) from artifact where ${isThere(sight)}
    and artifact.restricted_to is not null and not ${unrestricted}))`
}

/** Whether every artifact of the tracker is for the viewer, but for those that are restricted to others. */
export function seesWhatIsShown(sight: Sight): boolean {
  return sight.administers || termsOf(sight).granted === 'all'
}

/** What such a viewer does not see of the tracker, on the row of `artifact`: two conditions, each with its own index. */
export function hiddenFrom(sight: Sight): readonly RawBuilder<boolean>[] {
  const deleted = sql<boolean>`(artifact.tracker_id = ${sight.tracker.id} and artifact.deleted_on is not null)`
  if (sight.administers || !restricts(sight)) return [deleted]
  const { unrestricted } = termsOf(sight)
  return [deleted, sql`(${isThere(sight)} and artifact.restricted_to is not null and not ${unrestricted})`]
}

function isThere({ tracker }: Sight): RawBuilder<boolean> {
  return sql`(artifact.tracker_id = ${tracker.id} and artifact.deleted_on is null)`
}

/** Whether single artifacts of the tracker may be for some groups alone. */
function restricts({ tracker }: Sight): boolean {
  return tracker.elements.some(({ type, is_used }) => type === 'perm' && is_used)
}

function termsOf(sight: Sight) {
  const { tracker, viewer, groups } = sight
  const unrestricted: RawBuilder<boolean> = restricts(sight)
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
