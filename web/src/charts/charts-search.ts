export const SPANS = ['month', 'quarter', 'year'] as const
export type Span = (typeof SPANS)[number]

/** What is drawn is in the address: whoever gets the link sees the same. */
export interface ChartsSearch {
  /** The filter, in the query language. */
  readonly q?: string | undefined
  readonly span?: Span | undefined
  /** The name of a number field that is added up; absent: artifacts are counted. */
  readonly sum?: string | undefined
}

export function readChartsSearch(given: Readonly<Record<string, unknown>>): ChartsSearch {
  const { q, sum } = given
  const span = SPANS.find((each) => each === given['span'])
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(span && { span }),
    ...(typeof sum === 'string' && sum !== '' && { sum }),
  }
}
