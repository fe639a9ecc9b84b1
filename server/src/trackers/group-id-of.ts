import { english } from '../platform/messages/english.ts'
import { groupIn } from './groups-of-tracker.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { GroupNumber } from './tracker.ts'

/** The wire id of a group: `105_3`, or `158`. */
export function groupIdOf(tracker: Pick<LoadedTracker, 'project'>, group: GroupNumber): string {
  return groupIn(tracker, group, english)?.id ?? String(group)
}
