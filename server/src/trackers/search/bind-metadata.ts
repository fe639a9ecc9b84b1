import type { TrackerAccess } from '../tracker-access.ts'
import type { FieldId, Semantics } from '../tracker.ts'
import { type Meaning, meaningOfElement } from './bind-names.ts'
import { type Condition, negation, type SortValue } from './condition.ts'
import { compareInstant } from './date-search.ts'
import { type Comparator, type Comparison, SearchFault } from './field-search.ts'
import type { GroupValue, InstantFact, PersonFact } from './group-value.ts'
import { isNegative, ORDERED, misplacedFunction } from './literals.ts'
import { compareNumber, factNumbers } from './number-search.ts'
import { comparePerson } from './person-search.ts'
import { compareText } from './text-search.ts'

/** The meaning of `@name` in every tracker. */
export interface Metadata {
  readonly comparisons: readonly Comparator[]
  /** Throws `SearchFault` for literals that are invalid in every tracker. */
  readonly check?: (comparison: Comparison) => void
  readonly isSortable: boolean
  /** Undefined: the tracker lacks it, or the viewer may not read it. */
  readonly meaningIn: (access: TrackerAccess) => Meaning | undefined
}

const LIST: readonly Comparator[] = ['=', '!=', 'IN', 'NOT IN']
const TEXT: readonly Comparator[] = ['=', '!=']

const METADATA: ReadonlyMap<string, Metadata> = new Map<string, Metadata>([
  ['title', semantic(TEXT, ({ title }) => title)],
  ['description', semantic(TEXT, ({ description }) => description)],
  ['assigned_to', semantic(LIST, ({ contributor }) => contributor)],
  ['status', { comparisons: TEXT, check: requireOpen, isSortable: true, meaningIn: meaningOfStatus }],
  ['submitted_by', person('submitted_by')],
  ['last_update_by', person('last_update_by')],
  ['submitted_on', instant('submitted_on')],
  ['last_update_date', instant('last_modified_date')],
  ['id', number('id')],
  ['rank', number('rank')],
  ['comments', { comparisons: TEXT, isSortable: false, meaningIn: meaningOfComments }],
])

export const METADATA_NAMES: readonly string[] = [...METADATA.keys()].map((name) => `@${name}`)

export function findMetadata(name: string): Metadata | undefined {
  return METADATA.get(name)
}

/** The `@name` for the metadata that a field shows. */
export function metadataOf(sort: SortValue | undefined): string | undefined {
  if (sort?.kind === 'login') return `@${sort.fact}`
  if (sort?.kind !== 'fact') return undefined
  if (sort.fact === 'last_modified_date') return '@last_update_date'
  return sort.fact === 'id' || sort.fact === 'submitted_on' ? `@${sort.fact}` : undefined
}

function semantic(comparisons: readonly Comparator[], fieldIn: (semantics: Semantics) => FieldId | null): Metadata {
  return {
    comparisons,
    isSortable: true,
    meaningIn(access) {
      const element = readableField(access, fieldIn(access.tracker.semantics))
      return element && meaningOfElement(element)
    },
  }
}

function readableField({ readable }: TrackerAccess, id: FieldId | null) {
  return readable.find((element) => element.id === id)
}

function meaningOfStatus(access: TrackerAccess): Meaning | undefined {
  const { status } = access.tracker.semantics
  const element = readableField(access, status?.field_id ?? null)
  if (!status || !element) return undefined
  const isOpen: Condition = { kind: 'chosen', field: element.id, ids: status.open }
  return {
    ...meaningOfElement(element),
    compare: async (comparison) => (isNegative(comparison) ? negation(isOpen) : isOpen),
  }
}

/** Status labels differ between trackers, so metadata supports OPEN() only. */
function requireOpen({ literals }: Comparison): void {
  for (const literal of literals) {
    if (literal.kind === 'open') continue
    if (literal.kind !== 'text' && literal.kind !== 'number') throw misplacedFunction(literal)
    throw new SearchFault('value_invalid', {
      cause: 'list_value',
      allowed: ['OPEN()'],
      params: { value: literal.text, did_you_mean: 'OPEN()' },
    })
  }
}

function meaningOfComments({ administers, groups }: TrackerAccess): Meaning {
  const readers = administers ? null : [...groups]
  return {
    compare: async (comparison) =>
      compareText(comparison, (test) => ({
        kind: 'comment',
        contains: 'contains' in test ? test.contains : null,
        readers,
      })),
    sort: undefined,
  }
}

function person(who: PersonFact): Metadata {
  const compare: Meaning['compare'] = async (comparison, asking) => comparePerson(who, comparison, asking)
  return fact(LIST, { kind: 'login', fact: who }, compare, { kind: 'person', of: { fact: who } })
}

function instant(when: InstantFact): Metadata {
  const compare: Meaning['compare'] = async (comparison, asking) => compareInstant(when, comparison, asking)
  return fact(ORDERED, { kind: 'fact', fact: when }, compare, { kind: 'date', of: { fact: when } })
}

function number(which: 'id' | 'rank'): Metadata {
  const compare: Meaning['compare'] = async (comparison) => compareNumber(comparison, factNumbers(which).within)
  return fact(ORDERED, { kind: 'fact', fact: which }, compare)
}

function fact(
  comparisons: readonly Comparator[],
  sort: SortValue,
  compare: Meaning['compare'],
  group?: GroupValue,
): Metadata {
  return { comparisons, isSortable: true, meaningIn: () => ({ compare, sort, group: () => group }) }
}
