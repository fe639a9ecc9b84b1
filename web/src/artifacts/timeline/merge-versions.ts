import type { Change, Changeset, UserMinimal } from '@waypost/sdk/api'

/** An entry of the timeline: a version, or several quick ones of the same person. */
export interface TimelineEntry {
  /** Ascending; each is an address of the entry. */
  readonly versions: readonly number[]
  /** The id of the last version. */
  readonly changeset: number
  readonly author: UserMinimal | null
  /** Of the last version. */
  readonly submitted_on: string
  /** Also a deleted one, without text. */
  readonly comment: Changeset['last_comment'] | undefined
  /** One per field: the value before the first version, and after the last. */
  readonly changes: readonly Change[]
}

const MERGE_WINDOW_MS = 5 * 60_000

/**
 * Merges changes by one person within five minutes. Comments and the first version stay alone. Takes and returns the
 * oldest first.
 */
export function mergeVersions(versions: readonly Changeset[]): readonly TimelineEntry[] {
  const entries: TimelineEntry[] = []
  for (const version of versions) {
    const entry = toEntry(version)
    const last = entries.at(-1)
    if (last && belongTogether(last, entry)) entries[entries.length - 1] = mergeEntries(last, entry)
    else entries.push(entry)
  }
  return entries
}

function toEntry({ id, version, submitted_by_details, submitted_on, last_comment, changes = [] }: Changeset) {
  return {
    versions: [version],
    changeset: id,
    author: submitted_by_details,
    submitted_on,
    comment: last_comment.body === '' && !last_comment.is_deleted ? undefined : last_comment,
    changes,
  }
}

function belongTogether(one: TimelineEntry, other: TimelineEntry): boolean {
  const isPlain = !one.comment && !other.comment && !one.versions.includes(1)
  const isQuick = Date.parse(other.submitted_on) - Date.parse(one.submitted_on) <= MERGE_WINDOW_MS
  const isKnown = one.author !== null && one.author.id !== null
  return isPlain && isQuick && isKnown && one.author.id === other.author?.id
}

function mergeEntries(one: TimelineEntry, other: TimelineEntry): TimelineEntry {
  const again = new Map(other.changes.map((change) => [change.field_id, change]))
  const kept = one.changes.map((change) => ({ ...change, after: (again.get(change.field_id) ?? change).after }))
  const added = other.changes.filter(({ field_id }) => !one.changes.some((change) => change.field_id === field_id))
  return {
    ...other,
    versions: [...one.versions, ...other.versions],
    changes: [...kept, ...added].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after)),
  }
}
