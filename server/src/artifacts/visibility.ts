import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { accountInGroup, inGroup } from '../projects/groups/in-group.ts'
import { amAdmin, amInOneOf, amMember } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnter, mayEnterAs } from '../projects/visibility.ts'
import { artifactCount } from '../trackers/counter.ts'
import type { Sight } from '../trackers/sight.ts'
import type { AccessKind } from '../trackers/tracker.ts'
import { administers, hasGrant, haveGrant, itsTracker } from '../trackers/visibility.ts'

/** How the three tables that decide who sees an artifact hang together; `artifact` is joined or selected before. */
export const itsPlace = sql`${itsTracker(sql`artifact.tracker_id`)} ${itsProject(sql`artifact.project_id`)}`

/**
 * Whether the viewer sees the row of `artifact`, in its rows of `tracker` and `project` (`itsPlace`): for every `where`
 * on artifacts, so that what may not be seen is neither counted nor shown.
 */
export function maySeeArtifact(viewer: Viewer): RawBuilder<boolean> {
  const exists = sql`artifact.deleted_on is null and tracker.deleted_on is null`
  if (viewer.is_site_admin) return sql`(${exists})`
  return sql`(${exists} and ${mayEnter(viewer)}
    and ((${isGranted(viewer)} and ${isUnrestricted(viewer)}) or ${administers(viewer)}))`
}

/** The same in a statement that has the row of `me`: it asks once what the viewer belongs to, and not for each row. */
export function iSeeArtifact(viewer: Viewer): RawBuilder<boolean> {
  const exists = sql`artifact.deleted_on is null and tracker.deleted_on is null`
  if (viewer.is_site_admin) return sql`(${exists})`
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
  return sql`(${exists} and ${mayEnterAs(viewer, amMember)} and (${admin} or ${granted}))`
}

/** One of the access kinds of the tracker matches. */
function isGranted(viewer: Viewer): RawBuilder<boolean> {
  const { account_id } = viewer
  const mine = account_id === undefined ? sql`false` : sql`artifact.submitted_by = ${account_id}`
  const group = sql`granted.group_id`
  return hasGrant(
    viewer,
    sql`case granted.kind
      when 'full' then true
      when 'submitted_by_user' then ${mine}
      when 'submitted_by_group' then ${accountInGroup(sql`artifact.submitted_by`, group)}
      when 'assigned_to_group' then exists (select from value_index assigned
        where assigned.artifact_id = artifact.id and assigned.field_id = tracker.contributor_field_id
          and ${accountInGroup(sql`assigned.value`, group)})
      else false end`,
  )
}

/** The restriction of one artifact counts while its tracker uses the field for it. */
function isUnrestricted(viewer: Viewer): RawBuilder<boolean> {
  return sql`(artifact.restricted_to is null or tracker.restriction_field_id is null
    or exists (select from unnest(artifact.restricted_to) as allowed (group_id)
      where ${inGroup(viewer, sql`allowed.group_id`)}))`
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

/** How many artifacts of the tracker the viewer sees: exact, and mostly known without counting them. */
export function sizeInSight(sight: Sight): RawBuilder<number> {
  if (sight.administers) return artifactCount
  const { granted, unrestricted } = termsOf(sight)
  if (granted !== 'all') return sql`(select count(*) from artifact where ${inSight(sight)})`
  return sql`(${artifactCount} - (select count(*) from artifact where ${isThere(sight)}
    and artifact.restricted_to is not null and not ${unrestricted}))`
}

function isThere({ tracker }: Sight): RawBuilder<boolean> {
  return sql`(artifact.tracker_id = ${tracker.id} and artifact.deleted_on is null)`
}

function termsOf({ tracker, viewer, groups }: Sight) {
  const restricts = tracker.elements.some(({ type, is_used }) => type === 'perm' && is_used)
  const unrestricted: RawBuilder<boolean> = restricts
    ? sql`(artifact.restricted_to is null or artifact.restricted_to && ${[...groups]}::bigint[])`
    : sql`true`
  const those = (kind: AccessKind) => tracker.grants[kind].filter((group) => groups.has(group))
  if (those('full').length > 0) return { granted: 'all', unrestricted } as const
  const kinds: RawBuilder<boolean>[] = [sql`false`]
  if (those('submitted_by_user').length > 0 && viewer.account_id !== undefined)
    kinds.push(sql`artifact.submitted_by = ${viewer.account_id}`)
  for (const group of those('submitted_by_group'))
    kinds.push(accountInGroup(sql`artifact.submitted_by`, sql`${group}::bigint`))
  for (const group of those('assigned_to_group'))
    kinds.push(sql`exists (select from value_index assigned where assigned.artifact_id = artifact.id
      and assigned.field_id = ${tracker.semantics.contributor}
      and ${accountInGroup(sql`assigned.value`, sql`${group}::bigint`)})`)
  return { granted: sql<boolean>`(${sql.join(kinds, sql` or `)})`, unrestricted } as const
}
