import { checkPattern } from './check-pattern.ts'
import type { Pattern } from './condition.ts'
import { SearchFault } from './field-search.ts'

interface AskedPattern {
  readonly pattern: Pattern
  readonly isNegated: boolean
}

/** A pattern criterion, `/…/` or negated `!/…/`; undefined if the text is not a pattern. */
export function patternIn(text: string): AskedPattern | undefined {
  const [, negation, pattern] = /^(!?)\/(.+)\/$/s.exec(text) ?? []
  if (negation === undefined || pattern === undefined) return undefined
  return { pattern: checkedWithin(pattern, negation.length + 1), isNegated: negation !== '' }
}

/** Shifts the position of a fault to the text that the caller wrote. */
function checkedWithin(pattern: string, offset: number): Pattern {
  try {
    return checkPattern(pattern)
  } catch (error) {
    if (!(error instanceof SearchFault) || error.details.position === undefined) throw error
    throw new SearchFault(error.reason, { ...error.details, position: error.details.position + offset })
  }
}
