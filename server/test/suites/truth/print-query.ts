import type {
  OracleTql,
  OracleCriterion,
  OracleLinkTerm,
  OracleLiteral,
  OracleQuery,
  OracleSortKey,
  OracleTerm,
} from './query.ts'

/** The request: query parameters and body. */
export interface PrintedQuery {
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

export function printOracleQuery(query: OracleQuery): PrintedQuery {
  const order = query.order ? ([['order', query.order]] as const) : []
  if (query.kind === 'plain') return { parameters: order }
  if (query.kind === 'tql') return { parameters: [['expert_query', printTql(query)], ...order] }
  const text = JSON.stringify(Object.fromEntries(query.criteria.map(memberOf)))
  const { place } = query
  return {
    parameters: [...(place === 'body' ? [] : ([['query', text]] as const)), ...order],
    ...(place !== 'query' && { body: text }),
  }
}

function memberOf({ key, operator, value }: OracleCriterion): [string, unknown] {
  return [key, operator === undefined ? value : { operator, value }]
}

/** Formatting of a query that does not change its meaning. */
export interface WritingStyle {
  readonly keyword: (words: string) => string
  readonly text: (text: string) => string
  readonly list: (literals: readonly string[]) => string
  readonly wrap: (comparison: string) => string
}

const WRITING_STYLE_COUNT = 32

/** Lowercase keywords, extra white space, trailing commas, extra parentheses, character escapes. */
export function writingStyle(number = 0): WritingStyle {
  const has = (bit: number) => ((number % WRITING_STYLE_COUNT) & bit) !== 0
  return {
    keyword: (words) => (has(1) ? words.toLowerCase() : words).replaceAll(' ', has(2) ? ' \t\u00a0\n' : ' '),
    text: (text) => (has(4) ? quote(text).replaceAll(/[^\x20-\x7e]/gu, escaped) : quote(text)),
    list: (literals) => `(${literals.join(has(2) ? '\r\n,' : ', ')}${has(8) ? ' ,' : ''})`,
    wrap: (comparison) => (has(16) ? `((${comparison}))` : comparison),
  }
}

const escaped = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`

export function printTql({ where, as_of, sort, hand: number }: OracleTql): string {
  const hand = writingStyle(number)
  const moment = as_of ? ` ${hand.keyword('AS OF')} ${as_of.written}` : ''
  const order = sort ? ` ${hand.keyword('ORDER BY')} ${sort.map((key) => printKey(key, hand)).join(', ')}` : ''
  return `${printTerm(where, hand)}${moment}${order}`
}

function printKey({ by, direction }: OracleSortKey, { keyword }: WritingStyle): string {
  return direction === undefined ? by : `${by} ${keyword(direction)}`
}

/** `AND` binds tighter than `OR`: adds parentheses only where needed. */
function printTerm(term: OracleTerm, hand: WritingStyle, isTight = false): string {
  if (term.kind === 'and') return term.of.map((each) => printTerm(each, hand, true)).join(` ${hand.keyword('AND')} `)
  if (term.kind === 'or') {
    const text = term.of.map((each) => printTerm(each, hand)).join(` ${hand.keyword('OR')} `)
    return isTight ? `(${text})` : text
  }
  if (term.kind === 'not') return `${hand.keyword('NOT')} (${printTerm(term.of, hand)})`
  if (term.kind === 'link') return printLink(term, hand)
  const { subject, comparator, literals } = term
  const texts = literals.map((literal) => printLiteral(literal, hand))
  const operator = hand.keyword(comparator)
  if (comparator === 'BETWEEN') return hand.wrap(`${subject} ${operator}(${texts.join(', ')})`)
  const isList = comparator === 'IN' || comparator === 'NOT IN'
  return hand.wrap(`${subject} ${operator} ${isList ? hand.list(texts) : texts.join('')}`)
}

function printLiteral(literal: OracleLiteral, hand: WritingStyle): string {
  if (literal.kind === 'string') return hand.text(literal.text)
  if (literal.kind === 'number') return literal.text
  if (literal.kind === 'myself') return `${hand.keyword('MYSELF')}()`
  if (literal.kind === 'open') return `${hand.keyword('OPEN')}()`
  const { count, unit = 'd' } = literal
  const now = `${hand.keyword('NOW')}()`
  return count === undefined ? now : `${now} ${count < 0 ? '-' : '+'} ${Math.abs(count)}${unit}`
}

/** Uses the quotes that need fewer escapes; backslashes are doubled. */
function quote(text: string): string {
  const mark = text.includes('"') && !text.includes("'") ? "'" : '"'
  return `${mark}${text.replaceAll('\\', String.raw`\\`).replaceAll(mark, `\\${mark}`)}${mark}`
}

const FORMS = {
  parent: ['WITH PARENT', 'WITHOUT PARENT'],
  children: ['WITH CHILDREN', 'WITHOUT CHILD'],
  to: ['IS LINKED TO', 'IS NOT LINKED TO'],
  from: ['IS LINKED FROM', 'IS NOT LINKED FROM'],
  covered: ['IS COVERED', 'IS NOT COVERED'],
  covering: ['IS COVERING', 'IS NOT COVERING'],
} as const
const ALL = { children: 'WITH ALL CHILDREN', to: 'WITH ALL LINKS TO', from: 'WITH ALL LINKS FROM' } as const

function printLink(term: OracleLinkTerm, hand: WritingStyle): string {
  const { form, isNegated, isAll, type, ends, tracker, where } = term
  const nested = where ? ` ${hand.keyword('WHERE')} (${printTerm(where, hand)})` : ''
  if (isAll && (form === 'children' || form === 'to' || form === 'from')) return `${hand.keyword(ALL[form])}${nested}`
  const [positive, negative] = FORMS[form]
  const named = tracker
    ? ` ${hand.keyword('TRACKER')} ${tracker.isNot ? '!=' : '='} ${hand.text(tracker.item_name)}`
    : ''
  const typed = type === undefined ? '' : ` ${hand.keyword('WITH TYPE')} ${hand.text(type)}`
  return `${hand.keyword(isNegated ? negative : positive)}${printEnds(form, ends, hand)}${named}${nested}${typed}`
}

function printEnds(
  form: OracleLinkTerm['form'],
  ends: readonly number[] | undefined,
  { keyword }: WritingStyle,
): string {
  if (!ends) return ''
  const by = form === 'covered' ? ` ${keyword('BY')}` : ''
  const artifact = `${by} ${keyword('ARTIFACT')}`
  return ends.length === 1 ? `${artifact} = ${ends[0]}` : `${artifact} ${keyword('IN')} (${ends.join(', ')})`
}
