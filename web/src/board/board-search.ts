/** The state of the board is in the address, so that a shared link shows the same. */
export interface BoardSearch {
  /** Filter and order in TQL. */
  readonly q?: string | undefined
  /** The name of the column field. */
  readonly by?: string | undefined
  /** The name of the lane field. */
  readonly lanes?: string | undefined
  /** Comma-separated names of the fields on cards. */
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
