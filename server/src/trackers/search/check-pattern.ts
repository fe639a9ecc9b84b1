import { SearchFault } from './field-search.ts'

const MAX_PATTERN_LENGTH = 200
const MAX_PATTERN_DEPTH = 16

/**
 * Checks that a regular expression is safe to pass to PostgreSQL; the database checks whether it compiles.
 *
 * Refused are back-references (`\1` to `\9`), which can take exponential time, lookaround (`(?=`, `(?<!`), and
 * everything that changes how the rest is parsed: embedded options (`(?i)`), comments (`(?#`) and directors (`***=`).
 * Of all constructs with `(?` only `(?:` is accepted, in bracket expressions too.
 */
export function checkPattern(pattern: string): string {
  const characters = Array.from(pattern)
  if (characters.length > MAX_PATTERN_LENGTH) throw refused(MAX_PATTERN_LENGTH)
  if (pattern.startsWith('***')) throw refused(0)
  let depth = 0
  for (let at = 0; at < characters.length; at++) {
    const [character, next, afterNext] = characters.slice(at, at + 3)
    if (character === '\0') throw refused(at)
    if (character === '\\') {
      if (next === undefined || next === '\0' || /[1-9]/.test(next)) throw refused(at)
      at++
    } else if (character === '(') {
      depth++
      if (depth > MAX_PATTERN_DEPTH || (next === '?' && afterNext !== ':')) throw refused(at)
    } else if (character === ')') depth--
  }
  return pattern
}

/** The position counts characters of the pattern. */
function refused(position: number): SearchFault {
  return new SearchFault('query_malformed', { cause: 'regular_expression', position })
}
