import { isWord, type Token, tokenize } from './tokens.ts'

export interface TqlSortKey {
  readonly name: string
  readonly isDescending: boolean
}

export interface Ordered {
  /** The condition without the order. */
  readonly where: string
  readonly order: readonly TqlSortKey[]
}

export function splitOrder(query: string): Ordered {
  const tokens = tokenize(query)
  const at = tokens.findLastIndex((token, index) => {
    const next = tokens[index + 1]
    return isWord(token, 'ORDER') && next !== undefined && isWord(next, 'BY')
  })
  const order = tokens[at]
  if (!order) return { where: query.trim(), order: [] }
  return { where: query.slice(0, order.start).trim(), order: parseSortKeys(tokens.slice(at + 2)) }
}

export function joinOrder({ where, order }: Ordered): string {
  const keys = order.map(({ name, isDescending }) => (isDescending ? `${name} DESC` : name))
  return [where, ...(keys.length === 0 ? [] : [`ORDER BY ${keys.join(', ')}`])].filter((part) => part !== '').join(' ')
}

/** The order that people give by moving artifacts. */
export const RANK_KEY = '@rank'

export function isOrderedByHand({ order: [first, ...others] }: Pick<Ordered, 'order'>): boolean {
  return first?.name === RANK_KEY && !first.isDescending && others.length === 0
}

/** Cycles the order by this column: ascending, descending, none. */
export function cycleOrder(query: string, name: string): string {
  const { where, order } = splitOrder(query)
  const [first] = order
  if (first?.name !== name) return joinOrder({ where, order: [{ name, isDescending: false }] })
  return joinOrder({ where, order: first.isDescending ? [] : [{ name, isDescending: true }] })
}

function parseSortKeys(tokens: readonly Token[]): TqlSortKey[] {
  const keys: TqlSortKey[] = []
  for (const token of tokens) {
    const last = keys.at(-1)
    if (last && isWord(token, 'DESC', 'DESCENDING')) keys.splice(-1, 1, { ...last, isDescending: true })
    else if (token.kind === 'word' && !(last && isWord(token, 'ASC', 'ASCENDING')))
      keys.push({ name: token.text, isDescending: false })
  }
  return keys
}
