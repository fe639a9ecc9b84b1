import type { ChangedPath } from '../hooks/transaction-changes.ts'
import { depthBelow, segmentsOf } from '../hooks/immutable-tags.ts'
import type { StoredNotification } from '../repository.ts'

const MAX_DIRECTORIES_IN_SUBJECT = 3

/** The distinct directories in which a commit changes something. */
export function changedDirectories(changes: readonly Pick<ChangedPath, 'path'>[]): string[] {
  return [...new Set(changes.map(({ path }) => directoryOf(path)))]
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Notifications for these directories: exact matches and parents. */
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

/** The directory list for a mail subject. */
export function namedDirectories(directories: readonly string[]): string {
  const shown = directories.slice(0, MAX_DIRECTORIES_IN_SUBJECT)
  return [...shown, ...(directories.length > shown.length ? ['...'] : [])].join(' ')
}
