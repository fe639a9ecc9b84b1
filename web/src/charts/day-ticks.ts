/** The days with a name on the axis: the last one, and others back from it at equal distances, at most as many as fit. */
export function dayTicks(count: number, fitting: number): readonly number[] {
  const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, fitting - 1)))
  const ticks: number[] = []
  for (let at = count - 1; at >= 0; at -= step) ticks.unshift(at)
  return ticks
}
