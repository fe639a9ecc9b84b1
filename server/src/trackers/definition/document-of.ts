import type { Db, Tx } from '../../platform/database/db.ts'
import type { Tracker } from '../tracker.ts'
import { EVERYTHING, loadNames } from './load-world.ts'
import type { TrackerDefinition } from './schemas.ts'
import { writeDefinition } from './write-definition.ts'

/** The document of a tracker as it is kept: with every name, whoever may know it. */
export async function documentOf(db: Db | Tx, tracker: Tracker): Promise<TrackerDefinition> {
  return writeDefinition(tracker, await loadNames(db, EVERYTHING, tracker))
}
