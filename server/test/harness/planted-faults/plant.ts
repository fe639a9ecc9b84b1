/** Faults that tests inject, to prove that the fault search and the attacks find them. */
export const PLANTED_FAULTS = [
  'lost-write',
  'duplicate-on-retry',
  'stale-overwrite',
  'swapped-id',
  'leaked-field',
] as const

export type PlantedFault = (typeof PLANTED_FAULTS)[number]

const given = process.env['WAYPOST_PLANT']
export const plantedFault = PLANTED_FAULTS.find((name) => name === given)
if (given && !plantedFault) throw new Error(`There is no fault ${given}.`)

const FAULT_INTERVAL_PASSES = 3
let passes = 0

/** True at every third pass of the fault that `WAYPOST_PLANT` names, so that most work looks correct. */
export function isPlanted(name: PlantedFault): boolean {
  return name === plantedFault && ++passes % FAULT_INTERVAL_PASSES === 0
}
