import type { Asking, FieldSearch } from '../search/field-search.ts'
import { type Finding, givenValues, idsGiven } from '../search/found-ids.ts'
import type { Element } from '../tracker.ts'
import type { BoundList } from './bound-list.ts'
import { chosen, findingOf, listComparisons } from './list-search.ts'

/** How an open list is searched: what people have added to it is found too, and has negative numbers, as in its index. */
export function openListSearch(boundOf: (element: Element) => BoundList): FieldSearch {
  const findingIn = (element: Element, asking: Asking): Finding => {
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
      return given.length === 0 ? undefined : chosen(element, await idsGiven(given, findingIn(element, asking)))
    },
    ...listComparisons(findingIn),
    group(element, telling) {
      const defined = boundOf(element).search.group(element.id, telling)
      const isAddedTo = defined.kind === 'list' && element.bind?.type === 'static'
      return isAddedTo ? { ...defined, idOfAdded: (number) => `o${-number}` } : defined
    },
  }
}

async function findAdded(label: string, { id }: Element, asking: Asking): Promise<readonly number[]> {
  // The database knows no NUL.
  const added = label.includes('\0') ? undefined : await asking.findOpenValue(id, label.trim())
  return added === undefined ? [] : [-added]
}

/** `b5` is defined, `o12` was added. */
function prefixedNumber(id: string): number | undefined {
  const [, prefix, digits] = /^(b|o)(\d+)$/.exec(id) ?? []
  if (prefix === undefined) return undefined
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) return 0
  return prefix === 'o' ? -number : number
}
