export const CHART_SPANS = ['month', 'quarter', 'year'] as const
export type ChartSpan = (typeof CHART_SPANS)[number]

/** The state of the charts is in the address, so that a shared link shows the same. */
export interface ChartsSearch {
  /** The filter in TQL. */
  readonly q?: string | undefined
  readonly span?: ChartSpan | undefined
  /** The name of a number field to add up; absent: artifacts are counted. */
  readonly sum?: string | undefined
}

export function readChartsSearch(given: Readonly<Record<string, unknown>>): ChartsSearch {
  const { q, sum } = given
  const span = CHART_SPANS.find((each) => each === given['span'])
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(span && { span }),
    ...(typeof sum === 'string' && sum !== '' && { sum }),
  }
}
