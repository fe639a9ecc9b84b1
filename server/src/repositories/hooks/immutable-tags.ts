import type { ChangedPath } from './transaction-changes.ts'
import { CommitRefusal } from './commit-refusal.ts'

export interface ImmutableTagRules {
  readonly immutable_paths: readonly string[]
  readonly immutable_whitelist: readonly string[]
}

type Segments = readonly string[]

/** The content of a tag is immutable: whole tags may be added, and single entries where the whitelist allows it. */
export function assertTagsUntouched(
  change: ChangedPath,
  { immutable_paths, immutable_whitelist }: ImmutableTagRules,
): void {
  const path = segmentsOf(change.path)
  const depths = immutable_paths.map(segmentsOf).flatMap((tags) => depthBelow(path, tags) ?? [])
  if (depths.length === 0) return
  if (change.op !== 'added') throw new CommitRefusal('immutable', { path: change.path })
  const isFree = immutable_whitelist.some((each) => depthBelow(path, segmentsOf(each)) === 1)
  if (!isFree && depths.some((depth) => depth > 1)) throw new CommitRefusal('inside_tag', { path: change.path })
}

/** The immutable paths that the removal of this path would remove, if any exist. */
export function immutableBelow(path: string, { immutable_paths }: ImmutableTagRules): Segments[] {
  const gone = segmentsOf(path)
  return immutable_paths
    .map(segmentsOf)
    .filter((tags) => tags.length > gone.length && matchesPattern(gone, tags.slice(0, gone.length)))
}

export function matchesPath(path: string, pattern: Segments): boolean {
  return depthBelow(segmentsOf(path), pattern) === 0
}

/** The depth of a path below a pattern, in which `*` matches one segment; undefined if it is not below. */
export function depthBelow(path: Segments, pattern: Segments): number | undefined {
  return path.length >= pattern.length && matchesPattern(path.slice(0, pattern.length), pattern)
    ? path.length - pattern.length
    : undefined
}

export function segmentsOf(path: string): Segments {
  return path.split('/').filter(Boolean)
}

function matchesPattern(path: Segments, pattern: Segments): boolean {
  return path.every((segment, at) => pattern[at] === '*' || pattern[at] === segment)
}
