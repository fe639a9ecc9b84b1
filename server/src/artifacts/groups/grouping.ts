import type { Viewer } from '../../platform/http/viewer.ts'
import type { GroupValue } from '../../trackers/search/group-value.ts'
import type { Bucket, Element } from '../../trackers/tracker.ts'

/** A dimension that artifacts are grouped by. */
export interface GroupKey {
  /** The name in responses. */
  readonly name: string
  /** Absent for members that every artifact has. */
  readonly element?: Element
  readonly value: GroupValue
  /** Set for dates only. */
  readonly bucket?: Bucket
}

/** The parameters of a count. */
export interface Grouping {
  /** One or two. */
  readonly keys: readonly GroupKey[]
  /** Number fields to sum. */
  readonly sums: readonly Element[]
  /** Sorts the largest groups first. */
  readonly isByCount: boolean
  /** Includes list values without artifacts. */
  readonly withEmpty: boolean
  /** The caller's time zone, which decides where the days of instants begin. */
  readonly zone: string
  /** Decides which parents are seen. */
  readonly viewer: Viewer
}

export function isByParent({ keys }: Grouping): boolean {
  return keys.some(({ value }) => value.kind === 'parent')
}
