import { english } from '../platform/words/english.ts'
import { groupIn } from './groups-of-tracker.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { GroupNumber } from './tracker.ts'

/** The id of a group on the wire: `105_3`, or `158`. */
export function groupIdOf(tracker: Pick<LoadedTracker, 'project'>, group: GroupNumber): string {
  return groupIn(tracker, group, english)?.id ?? String(group)
}
