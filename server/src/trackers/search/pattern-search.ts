import { checkPattern } from './check-pattern.ts'
import type { Pattern } from './condition.ts'
import { SearchFault } from './field-search.ts'

interface AskedPattern {
  readonly pattern: Pattern
  readonly isNegated: boolean
}

/** What a criterion gives as `/…/`, or negated as `!/…/`; undefined: it is none. */
export function patternIn(text: string): AskedPattern | undefined {
  const [, negation, pattern] = /^(!?)\/(.+)\/$/s.exec(text) ?? []
  if (negation === undefined || pattern === undefined) return undefined
  return { pattern: checkedWithin(pattern, negation.length + 1), isNegated: negation !== '' }
}

/** A refusal says where it is in what the caller has written. */
function checkedWithin(pattern: string, offset: number): Pattern {
  try {
    return checkPattern(pattern)
  } catch (error) {
    if (!(error instanceof SearchFault) || error.details.position === undefined) throw error
    throw new SearchFault(error.reason, { ...error.details, position: error.details.position + offset })
  }
}
