import type { Failpoint } from './failpoints.ts'

export const isArmed = false

/** A no-op, unless the process was started with `--conditions=faults`: see `failpoint-armed.ts`. */
export function failpoint(_name: Failpoint): void {}
