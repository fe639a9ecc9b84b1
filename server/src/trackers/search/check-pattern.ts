import { SearchFault } from './field-search.ts'

const LONGEST = 200
const DEEPEST = 16

/**
 * Lets a regular expression pass that can be given to the database, where it means what it means there. Whether it
 * compiles, the database says.
 *
 * What is refused could make a match take for ever (back-references, `\1` to `\9`), looks around (`(?=`, `(?<!`), or would
 * change how the rest is to be read, so that nobody could check it here: embedded options (`(?i)`), comments (`(?#`) and
 * directors (`***=`). So of all that begins with `(?` only `(?:` is left, in brackets too.
 */
export function checkPattern(pattern: string): string {
  const characters = Array.from(pattern)
  if (characters.length > LONGEST) throw refused(LONGEST)
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
      if (depth > DEEPEST || (next === '?' && afterNext !== ':')) throw refused(at)
    } else if (character === ')') depth--
  }
  return pattern
}

/** The position is that of a character in the pattern. */
function refused(position: number): SearchFault {
  return new SearchFault('query_malformed', { cause: 'regular_expression', position })
}
