import type { SearchContext, FieldSearch } from '../../search/field-search.ts'
import { type ValueLookup, givenValues, idsGiven } from '../../search/found-ids.ts'
import type { Element } from '../../tracker.ts'
import type { BoundList } from '../../binds/bound-list.ts'
import { chosenCondition, findingOf, listComparisons } from '../../binds/list-search.ts'

/** Search for open lists. Added values are included; their numbers are negative, as in the index. */
export function openListSearch(boundOf: (element: Element) => BoundList): FieldSearch {
  const findingIn = (element: Element, asking: SearchContext): ValueLookup => {
    const defined = findingOf(boundOf(element), asking)
    return {
      cause: defined.cause,
      async named(name) {
        const added = element.bind?.type === 'static' ? await findAdded(name, element, asking) : []
        return [...(await defined.named(name)), ...added]
      },
      numberOf: (id) => defined.numberOf?.(id) ?? prefixedNumber(id),
    }
  }
  return {
    operators: ['contains'],
    async criterion({ value }, element, asking) {
      const given = givenValues(value)
      return given.length === 0
        ? undefined
        : chosenCondition(element, await idsGiven(given, findingIn(element, asking)))
    },
    ...listComparisons(findingIn),
    group(element, telling) {
      const defined = boundOf(element).search.group(element.id, telling)
      const isAddedTo = defined.kind === 'list' && element.bind?.type === 'static'
      return isAddedTo ? { ...defined, idOfAdded: (number) => `o${-number}` } : defined
    },
  }
}

async function findAdded(label: string, { id }: Element, asking: SearchContext): Promise<readonly number[]> {
  // PostgreSQL text cannot contain NUL.
  const added = label.includes('\0') ? undefined : await asking.findOpenValue(id, label.trim())
  return added === undefined ? [] : [-added]
}

/** `b5` is a defined value, `o12` an added one. */
function prefixedNumber(id: string): number | undefined {
  const [, prefix, digits] = /^(b|o)(\d+)$/.exec(id) ?? []
  if (prefix === undefined) return undefined
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) return 0
  return prefix === 'o' ? -number : number
}
