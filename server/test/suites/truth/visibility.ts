import {
  type OracleArtifact,
  type OracleField,
  type OracleGroup,
  lastVersion,
  type OracleTracker,
  type OracleVersion,
  type OracleViewer,
  type OracleWorld,
} from './model.ts'

// Visibility by the contract: current permissions, also for queries on the past.

export function isIn({ groups }: OracleViewer, granted: readonly OracleGroup[]): boolean {
  return granted.some((group) => groups.includes(group))
}

export function seesTracker(viewer: OracleViewer, { access }: OracleTracker): boolean {
  return viewer.administers || Object.values(access).some((granted: readonly OracleGroup[]) => isIn(viewer, granted))
}

export function readsField(viewer: OracleViewer, { readers }: OracleField): boolean {
  return viewer.isSiteAdmin || isIn(viewer, readers)
}

export function sees(world: OracleWorld, viewer: OracleViewer, artifact: OracleArtifact): boolean {
  if (artifact.isDeleted) return false
  if (viewer.administers) return true
  const last = lastVersion(artifact)
  if (last.restricted_to && !isIn(viewer, last.restricted_to)) return false
  const { full, submitted_by_user, submitted_by_group, assigned_to_group } = artifact.tracker.access
  const submitter = artifact.versions[0].by
  if (isIn(viewer, full)) return true
  if (isIn(viewer, submitted_by_user) && viewer.login === submitter) return true
  const groupsOf = (login: string) => world.people.find((person) => person.login === login)?.groups ?? []
  const shares = (granted: readonly OracleGroup[], login: string) =>
    granted.some((group) => viewer.groups.includes(group) && groupsOf(login).includes(group))
  return (
    shares(submitted_by_group, submitter) ||
    assigneesOf(artifact.tracker, last).some((login) => shares(assigned_to_group, login))
  )
}

/** The comments of versions, without those restricted to others. */
export function commentsFor(viewer: OracleViewer, versions: readonly OracleVersion[]): readonly string[] {
  return versions.flatMap(({ comment }) => {
    if (!comment) return []
    const isForViewer = !comment.groups || viewer.administers || isIn(viewer, comment.groups)
    return isForViewer ? [comment.text] : []
  })
}

export function assigneesOf({ contributor }: OracleTracker, { values }: OracleVersion): readonly string[] {
  const value = values[contributor]
  return value?.kind === 'chosen' ? value.labels : []
}
