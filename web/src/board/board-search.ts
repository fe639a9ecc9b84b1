/** What the board shows is in the address: whoever gets the link sees the same. */
export interface BoardSearch {
  /** The filter and the order, in the query language. */
  readonly q?: string | undefined
  /** The name of the field that the columns are of. */
  readonly by?: string | undefined
  /** The name of the field that the lanes are of. */
  readonly lanes?: string | undefined
  /** Names of fields that cards show, with commas between them. */
  readonly cards?: string | undefined
}

export function readBoardSearch(given: Readonly<Record<string, unknown>>): BoardSearch {
  const { q, by, lanes, cards } = given
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof by === 'string' && by !== '' && { by }),
    ...(typeof lanes === 'string' && lanes !== '' && { lanes }),
    ...(typeof cards === 'string' && cards !== '' && { cards }),
  }
}
