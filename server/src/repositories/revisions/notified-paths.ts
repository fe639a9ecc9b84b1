import type { ChangedPath } from '../hooks/changed-paths.ts'
import { depthBelow, segmentsOf } from '../hooks/immutable-tags.ts'
import type { StoredNotification } from '../repository.ts'

const MOST_IN_SUBJECT = 3

/** The directories in which a commit has changed something, each once. */
export function changedDirectories(changes: readonly Pick<ChangedPath, 'path'>[]): string[] {
  return [...new Set(changes.map(({ path }) => directoryOf(path)))]
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Those who are to be told of changes in these directories: of one itself, or of one above it. */
export function notificationsFor(
  notifications: readonly StoredNotification[],
  directories: readonly string[],
): StoredNotification[] {
  const changed = directories.map(segmentsOf)
  return notifications.filter(({ path }) => {
    const pattern = segmentsOf(path)
    return changed.some((directory) => depthBelow(directory, pattern) !== undefined)
  })
}

/** As the subject of a mail names them. */
export function namedDirectories(directories: readonly string[]): string {
  const shown = directories.slice(0, MOST_IN_SUBJECT)
  return [...shown, ...(directories.length > shown.length ? ['...'] : [])].join(' ')
}
