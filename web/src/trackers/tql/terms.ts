import { isWord, tokensOf } from './tokens.ts'

/**
 * The conditions that all have to hold, as they are written. Undefined: it is not of that form, and can only be shown as
 * one.
 */
export function termsOf(where: string): string[] | undefined {
  const tokens = tokensOf(where)
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

/** One more condition; what had another form is put in brackets. */
export function addTerm(where: string, term: string): string {
  if (where === '') return term
  const terms = termsOf(where)
  return terms ? joinTerms([...terms, term]) : `(${where}) AND ${term}`
}
