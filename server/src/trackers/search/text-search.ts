import type { Element } from '../tracker.ts'
import { conjunction, type Condition, negation, ALWAYS_FALSE, type StoredTextOf, type TextTest } from './condition.ts'
import type { Comparison, FieldSearch } from './field-search.ts'
import { isNegative, isOfEmpty, literalText } from './literals.ts'
import { patternIn } from './pattern-search.ts'

/** Search for texts; `member` is the member of the stored value that contains the text. */
export function textSearch(member?: string): FieldSearch {
  const textOf = ({ id }: Element): StoredTextOf => (member === undefined ? { id } : { id, member })
  return {
    operators: ['contains'],
    async criterion({ value }, element) {
      if (typeof value !== 'string' && typeof value !== 'number') return undefined
      return matching(String(value), (test) => ({ kind: 'text', field: textOf(element), ...test }))
    },
    comparisons: ['=', '!='],
    async compare(comparison, element) {
      return compareText(comparison, (test) => ({ kind: 'text', field: textOf(element), ...test }))
    },
    sort: (element) => ({ kind: 'text', field: textOf(element) }),
  }
}

/** `=` matches a substring. `on` builds the condition for a text test. */
export function compareText(comparison: Comparison, on: (test: TextTest) => Condition): Condition {
  const [literal] = comparison.literals
  if (isOfEmpty(comparison) || !literal)
    return isNegative(comparison) ? on({ isThere: true }) : negation(on({ isThere: true }))
  const found = containing(literalText(literal), on)
  return isNegative(comparison) ? negation(found) : found
}

/** All words in any position, or a regular expression; undefined if there is no word. */
function matching(text: string, on: (test: TextTest) => Condition): Condition | undefined {
  const asked = patternIn(text)
  if (asked) return asked.isNegated ? negation(on({ pattern: asked.pattern })) : on({ pattern: asked.pattern })
  const words = new Set(text.split(/\s+/).filter((word) => word !== ''))
  return words.size === 0 ? undefined : conjunction(...[...words].map((word) => containing(word, on)))
}

/** PostgreSQL text cannot contain NUL, so nothing matches. */
function containing(contains: string, on: (test: TextTest) => Condition): Condition {
  return contains.includes('\0') ? ALWAYS_FALSE : on({ contains })
}
