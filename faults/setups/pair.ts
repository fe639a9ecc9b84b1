import type { Setup, SetupOptions } from '../setup.ts'
import { startServersOnOne } from './single.ts'

/** Two servers before one database: when one is gone, clients go to the other. */
export function startPair(options: SetupOptions): Promise<Setup> {
  return startServersOnOne(options, 2)
}
