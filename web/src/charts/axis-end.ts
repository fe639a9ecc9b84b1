const MAX_STEPS = 5

/** The end of an axis from zero: the first line at or above all values. `steps` are the distances that lines may have. */
export function endOfAxis(most: number, steps: readonly number[]): number {
  const step = steps.find((each) => most <= each * MAX_STEPS) ?? most / MAX_STEPS
  return Math.max(1, Math.ceil(most / step) * step)
}
