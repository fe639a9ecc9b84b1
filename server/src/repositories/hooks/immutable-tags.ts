import type { ChangedPath } from './changed-paths.ts'
import { Refusal } from './refusal.ts'

export interface ImmutableTags {
  readonly immutable_paths: readonly string[]
  readonly immutable_whitelist: readonly string[]
}

type Segments = readonly string[]

/** What is in a tag stays as it is: whole tags may be added, and single things where the whitelist says so. */
export function requireUntouchedTags(
  change: ChangedPath,
  { immutable_paths, immutable_whitelist }: ImmutableTags,
): void {
  const path = segmentsOf(change.path)
  const depths = immutable_paths.map(segmentsOf).flatMap((tags) => depthBelow(path, tags) ?? [])
  if (depths.length === 0) return
  if (change.op !== 'added') throw new Refusal('immutable', { path: change.path })
  const isFree = immutable_whitelist.some((each) => depthBelow(path, segmentsOf(each)) === 1)
  if (!isFree && depths.some((depth) => depth > 1)) throw new Refusal('inside_tag', { path: change.path })
}

/** The immutable paths that would go with this one, if there are any below it. */
export function immutableBelow(path: string, { immutable_paths }: ImmutableTags): Segments[] {
  const gone = segmentsOf(path)
  return immutable_paths
    .map(segmentsOf)
    .filter((tags) => tags.length > gone.length && fits(gone, tags.slice(0, gone.length)))
}

export function isAt(path: string, pattern: Segments): boolean {
  return depthBelow(segmentsOf(path), pattern) === 0
}

/** How many levels a path lies below another, in which `*` is any one segment; undefined: it does not. */
export function depthBelow(path: Segments, pattern: Segments): number | undefined {
  return path.length >= pattern.length && fits(path.slice(0, pattern.length), pattern)
    ? path.length - pattern.length
    : undefined
}

export function segmentsOf(path: string): Segments {
  return path.split('/').filter(Boolean)
}

function fits(path: Segments, pattern: Segments): boolean {
  return path.every((segment, at) => pattern[at] === '*' || pattern[at] === segment)
}
