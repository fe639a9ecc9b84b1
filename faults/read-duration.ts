import type { SetupName } from './setup.ts'

const UNITS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** Parses `90s`, `20m` or `2h` to milliseconds. */
export function readDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const milliseconds = UNITS.get(unit)
  if (milliseconds === undefined) throw new Error(`${text} is no duration: 90s, 20m or 2h.`)
  return Number(count) * milliseconds
}

/** Failovers take longer than server kills, so these set-ups get a larger share of the time. */
const SHARES: Readonly<Record<SetupName, number>> = { single: 15, pair: 15, standby: 25, patroni: 45 }

export function shareOut(
  setups: readonly SetupName[],
  whole: number,
): { readonly setup: SetupName; readonly duration: number }[] {
  const all = setups.reduce((sum, setup) => sum + SHARES[setup], 0)
  return setups.map((setup) => ({ setup, duration: (whole * SHARES[setup]) / all }))
}
