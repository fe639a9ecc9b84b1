import type { Failpoint, Plant } from './failpoints.ts'

export const isArmed = false

/** Nothing, unless the process was started with `--conditions=faults`: see `failpoint-armed.ts`. */
export function failpoint(_name: Failpoint): void {}

/** False: this process has no faults but its own. */
export function isPlanted(_name: Plant): boolean {
  return false
}
