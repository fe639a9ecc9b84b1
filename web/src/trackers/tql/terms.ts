import { isWord, tokenize } from './tokens.ts'

/** The conditions joined by AND, as written. Undefined: the query has another form and is shown as one condition. */
export function splitTerms(where: string): string[] | undefined {
  const tokens = tokenize(where)
  const terms: string[] = []
  let depth = 0
  let start = 0
  for (const token of tokens) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (depth !== 0) continue
    if (isWord(token, 'OR', 'EXPLAIN') || isWord(token, 'AS')) return undefined
    if (!isWord(token, 'AND')) continue
    terms.push(where.slice(start, token.start).trim())
    start = token.end
  }
  return [...terms, where.slice(start).trim()].filter((term) => term !== '')
}

export function joinTerms(terms: readonly string[]): string {
  return terms.join(' AND ')
}

/** Adds a condition; another form is put in parentheses. */
export function addTerm(where: string, term: string): string {
  const { condition, past } = splitPast(where)
  if (past !== '') return `${addTerm(condition, term)} ${past}`
  if (where === '') return term
  const terms = splitTerms(where)
  return terms ? joinTerms([...terms, term]) : `(${where}) AND ${term}`
}

/** Separates the condition from `AS OF`, which follows it. */
export function splitPast(where: string): { readonly condition: string; readonly past: string } {
  const tokens = tokenize(where)
  const at = tokens.find((token, index) => {
    const next = tokens[index + 1]
    return isWord(token, 'AS') && next !== undefined && isWord(next, 'OF')
  })
  if (!at) return { condition: where, past: '' }
  return { condition: where.slice(0, at.start).trim(), past: where.slice(at.start) }
}
