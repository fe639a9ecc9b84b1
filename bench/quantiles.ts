import { median } from '../server/test/harness/median.ts'

export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : round(median(known))
}

/** Minimum and maximum. */
export function spreadOf(values: readonly number[]): [number, number] {
  return [round(Math.min(...values)), round(Math.max(...values))]
}

export function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}

export function quantile(inOrder: readonly number[], share: number): number {
  return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0
}

/** To three significant digits; more would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(3))
}
