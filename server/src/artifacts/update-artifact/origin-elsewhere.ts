import type { Origin } from '../../platform/database/audit.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'

/** A silent write stays silent in another tracker only if its author administers that tracker, too. */
export function originElsewhere(origin: Origin, { administers }: Pick<TrackerAccess, 'administers'>): Origin {
  return origin.isSilent && !administers ? { ...origin, isSilent: false } : origin
}
