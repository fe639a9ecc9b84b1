/** What the table shows is in the address: whoever gets the link sees the same. */
export interface TableSearch {
  /** The filter and the order, in the query language. */
  readonly q?: string | undefined
  /** Names of fields, with commas between them. */
  readonly columns?: string | undefined
  readonly report?: number | undefined
}

export function readTableSearch(given: Readonly<Record<string, unknown>>): TableSearch {
  const { q, columns, report } = given
  const number = Number(report)
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(Number.isSafeInteger(number) && number > 0 && { report: number }),
  }
}
