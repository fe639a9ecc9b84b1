import type { GroupValue } from '../../trackers/search/group-value.ts'
import type { Element } from '../../trackers/tracker.ts'

export const BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]

/** One of the things that artifacts are counted by. */
export interface GroupKey {
  /** As answers call it. */
  readonly name: string
  /** Absent: what every artifact has. */
  readonly element?: Element
  readonly value: GroupValue
  /** Of dates, and only of them. */
  readonly bucket?: Bucket
}

/** How artifacts are counted. */
export interface Grouping {
  /** One or two. */
  readonly keys: readonly GroupKey[]
  /** Number fields that are added up. */
  readonly sums: readonly Element[]
  /** The largest groups first. */
  readonly isByCount: boolean
  /** Values of lists that nothing has are counted too. */
  readonly withEmpty: boolean
  /** The zone of the caller, in which the days of instants begin. */
  readonly zone: string
}
