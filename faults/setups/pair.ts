import type { Setup, SetupOptions } from '../setup.ts'
import { startServersOnOne } from './single.ts'

/** Two servers on one database: when one is down, clients use the other. */
export function startPair(options: SetupOptions): Promise<Setup> {
  return startServersOnOne(options, 2)
}
