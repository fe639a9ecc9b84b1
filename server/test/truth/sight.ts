import {
  type Artifact,
  type Field,
  type Group,
  lastOf,
  type Tracker,
  type Version,
  type Viewer,
  type World,
} from './model.ts'

// Who may see what, as the contract says it: today's rights, whatever was asked.

export function isIn({ groups }: Viewer, granted: readonly Group[]): boolean {
  return granted.some((group) => groups.includes(group))
}

export function seesTracker(viewer: Viewer, { access }: Tracker): boolean {
  return viewer.administers || Object.values(access).some((granted: readonly Group[]) => isIn(viewer, granted))
}

export function readsField(viewer: Viewer, { readers }: Field): boolean {
  return viewer.isSiteAdmin || isIn(viewer, readers)
}

export function sees(world: World, viewer: Viewer, artifact: Artifact): boolean {
  if (artifact.isDeleted) return false
  if (viewer.administers) return true
  const last = lastOf(artifact)
  if (last.restricted_to && !isIn(viewer, last.restricted_to)) return false
  const { full, submitted_by_user, submitted_by_group, assigned_to_group } = artifact.tracker.access
  const submitter = artifact.versions[0].by
  if (isIn(viewer, full)) return true
  if (isIn(viewer, submitted_by_user) && viewer.login === submitter) return true
  const groupsOf = (login: string) => world.people.find((person) => person.login === login)?.groups ?? []
  const shares = (granted: readonly Group[], login: string) =>
    granted.some((group) => viewer.groups.includes(group) && groupsOf(login).includes(group))
  return (
    shares(submitted_by_group, submitter) ||
    assigneesOf(artifact.tracker, last).some((login) => shares(assigned_to_group, login))
  )
}

/** The comments of versions, but for those that are for others. */
export function commentsFor(viewer: Viewer, versions: readonly Version[]): readonly string[] {
  return versions.flatMap(({ comment }) => {
    if (!comment) return []
    const isForViewer = !comment.groups || viewer.administers || isIn(viewer, comment.groups)
    return isForViewer ? [comment.text] : []
  })
}

export function assigneesOf({ contributor }: Tracker, { values }: Version): readonly string[] {
  const value = values[contributor]
  return value?.kind === 'chosen' ? value.labels : []
}
