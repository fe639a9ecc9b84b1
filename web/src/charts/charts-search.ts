export const CHART_SPANS = ['month', 'quarter', 'year'] as const
export type ChartSpan = (typeof CHART_SPANS)[number]

export const CHART_FORMS = ['area', 'lines'] as const
export type ChartForm = (typeof CHART_FORMS)[number]

/** The state of the charts is in the address, so that a shared link shows the same. */
export interface ChartsSearch {
  /** The filter in TQL. */
  readonly q?: string | undefined
  readonly span?: ChartSpan | undefined
  /** The name of a number field to add up; absent: artifacts are counted. */
  readonly sum?: string | undefined
  /** The name of the field that artifacts are counted by; absent: the status. */
  readonly by?: string | undefined
  /** Absent: areas, or lines if an artifact may have several values. */
  readonly as?: ChartForm | undefined
}

export function readChartsSearch(given: Readonly<Record<string, unknown>>): ChartsSearch {
  const { q, sum, by } = given
  const span = CHART_SPANS.find((each) => each === given['span'])
  const as = CHART_FORMS.find((each) => each === given['as'])
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(span && { span }),
    ...(typeof sum === 'string' && sum !== '' && { sum }),
    ...(typeof by === 'string' && by !== '' && { by }),
    ...(as && { as }),
  }
}
