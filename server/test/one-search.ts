import { toId } from '../src/platform/database/ids.ts'
import type { Condition } from '../src/trackers/search/condition.ts'
import type { FieldType } from '../src/trackers/fields/field-type.ts'
import {
  type Asking,
  type Comparator,
  type CriterionOperator,
  type Literal,
  SearchFault,
} from '../src/trackers/search/field-search.ts'
import type { Sight } from '../src/trackers/sight.ts'
import type { Element, FieldId } from '../src/trackers/tracker.ts'
import { type Given, oneField, TRACKER } from './one-field.ts'

/** The one field. */
export const FIELD: FieldId = toId(111)

/** Alice asks, who is in Zurich; Bob has an account too. Somebody has added `urgent` to every open list. */
export const ASKING: Asking = {
  viewer: { account_id: toId(102), login: 'alice', language: null, time_zone: 'Europe/Zurich' },
  now: new Date('2026-03-01T09:30:20.500Z'),
  zone: 'Europe/Zurich',
  tracker: {
    ...TRACKER,
    project: {
      id: toId(105),
      shortname: 'rocket',
      label: 'Rocket',
      icon: '',
      status: 'active',
      rights_epoch: 1,
      groups: new Map([
        [158, { id: toId(158), short_name: 'team_red' }],
        [159, { id: toId(159), short_name: 'bug_masters' }],
      ]),
      itemNames: new Map(),
    },
    byId: new Map(),
    byName: new Map(),
    stamp: '1',
  },
  findUser: async (login) =>
    new Map([
      ['alice', 102],
      ['bob', 103],
    ]).get(login.toLowerCase()),
  findOpenValue: async (_, label) => (label.toLowerCase() === 'urgent' ? 12 : undefined),
}

export const ANONYMOUS: Asking = { ...ASKING, viewer: { language: null, time_zone: null } }

/** What one field by itself makes of a search; of a refusal, what it says. */
export function oneSearch(type: FieldType, given: Given = {}, asking: Asking = ASKING) {
  const { field } = oneField(type, given)
  return {
    field,
    criterion: async (operator: CriterionOperator, value: unknown) =>
      outcomeOf(async () => type.search?.criterion?.({ operator, value }, field, asking)),
    compare: async (comparator: Comparator, ...literals: readonly (Literal | string | number)[]) =>
      outcomeOf(async () => type.search?.compare?.({ comparator, literals: literals.map(literalOf) }, field, asking)),
    sortedBy: () => type.search?.sort?.(field),
  }
}

/** What somebody sees who may read these fields. */
export function sightOn(...readable: readonly Element[]): Pick<Sight, 'readable'> {
  return { readable }
}

export const NOW: Literal = { kind: 'now' }
export const MYSELF: Literal = { kind: 'myself' }
export const OPEN: Literal = { kind: 'open' }

function literalOf(given: Literal | string | number): Literal {
  if (typeof given === 'string') return { kind: 'text', text: given }
  return typeof given === 'number' ? { kind: 'number', text: String(given) } : given
}

async function outcomeOf(work: () => Promise<Condition | undefined>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SearchFault) return { reason: error.reason, ...error.details }
    throw error
  }
}
