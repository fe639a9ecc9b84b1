/** The performance budgets of the pages, at the 95th percentile. */
export const BUDGETS = {
  click_to_paint: { label: 'key or click to paint, in the table', most: 50, unit: 'ms' },
  artifact_cold: { label: 'open an artifact, not seen before', most: 400, unit: 'ms' },
  artifact_warm: { label: 'open it again', most: 100, unit: 'ms' },
  board: { label: 'board of 500 cards, from the table, first paint', most: 500, unit: 'ms' },
  board_whole: { label: 'the same, until all 500 are painted', most: 1000, unit: 'ms' },
  palette_open: { label: 'command palette', most: 50, unit: 'ms' },
  palette_key: { label: 'command palette, each letter', most: 50, unit: 'ms' },
  change_of_others: { label: 'a change of somebody else, from its answer', most: 150, unit: 'ms' },
  first_scripts: { label: 'scripts of the first screen, compressed', most: 150_000, unit: 'bytes' },
} as const

export type Measure = keyof typeof BUDGETS

export interface PageFigure {
  readonly measure: Measure
  readonly count: number
  /** In milliseconds; for scripts in bytes. */
  readonly p50: number
  readonly p95: number
}

/** The exceeded budgets, one sentence each. */
export function brokenByPages(figures: readonly PageFigure[]): string[] {
  return figures.flatMap(({ measure, p95 }) => {
    const { label, most, unit } = BUDGETS[measure]
    return p95 <= most ? [] : [`${label}: ${p95} ${unit} instead of ${most}`]
  })
}
