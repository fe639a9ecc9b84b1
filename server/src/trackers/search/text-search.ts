import type { Element } from '../tracker.ts'
import { both, type Condition, not, NOTHING, type StoredTextOf, type TextTest } from './condition.ts'
import type { Comparison, FieldSearch } from './field-search.ts'
import { isNegative, isOfEmpty, wordsIn } from './literals.ts'
import { patternIn } from './pattern-search.ts'

/** How a text is searched; `member` is the one that holds it in what is stored. */
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

/** `=` is satisfied by a part of the text. `on` makes the condition of whatever holds it. */
export function compareText(comparison: Comparison, on: (test: TextTest) => Condition): Condition {
  const [literal] = comparison.literals
  if (isOfEmpty(comparison) || !literal)
    return isNegative(comparison) ? on({ isThere: true }) : not(on({ isThere: true }))
  const found = containing(wordsIn(literal), on)
  return isNegative(comparison) ? not(found) : found
}

/** Every word somewhere, or a regular expression; undefined: there is no word. */
function matching(text: string, on: (test: TextTest) => Condition): Condition | undefined {
  const asked = patternIn(text)
  if (asked) return asked.isNegated ? not(on({ pattern: asked.pattern })) : on({ pattern: asked.pattern })
  const words = new Set(text.split(/\s+/).filter((word) => word !== ''))
  return words.size === 0 ? undefined : both(...[...words].map((word) => containing(word, on)))
}

/** No text can be stored with a NUL, and none can be looked for. */
function containing(contains: string, on: (test: TextTest) => Condition): Condition {
  return contains.includes('\0') ? NOTHING : on({ contains })
}
