import { type TObject, Type } from 'typebox'
import { splitCell } from '../../platform/wire/csv.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { PersonValue } from './person.ts'
import { type FieldType, type Migrated, ValueFault } from './field-type.ts'
import { GroupOfTracker } from '../schemas.ts'
import type { Element } from '../tracker.ts'
import { archivedValues } from '../binds/archived-values.ts'
import { parseListInput } from '../binds/parse-list-input.ts'
import { bindOf } from '../binds/bind-of.ts'
import type { BoundList } from '../binds/bound-list.ts'
import { listSearch, sortBySingle } from '../binds/list-search.ts'
import { isSameSet, storedIds } from '../binds/stored-ids.ts'
import { storedPeople } from '../binds/users-bind.ts'

// List types that accept each other's values on a move.
const KINDS: Readonly<Record<string, 'one' | 'many'>> = { sb: 'one', rb: 'one', msb: 'many', cb: 'many' }

export const StaticValue = Type.Object(
  {
    id: Type.Integer(),
    label: Type.String(),
    color: nullable(Type.Object({ r: Type.Integer(), g: Type.Integer(), b: Type.Integer() })),
    tlp_color: nullable(Type.String()),
    is_hidden: Type.Boolean(),
  },
  { title: 'ListValue' },
)

/** A closed list. Values are stored as their ids; None is stored as an empty list. */
export function listField(
  type: string,
  { schemaName, list, properties }: { schemaName: string; list: 'one' | 'many'; properties: TObject },
): FieldType {
  return {
    type,
    kind: 'field',
    schemaName,
    properties,
    list,
    isWritable: true,
    canBeRequired: true,
    mayBecome: (other) => other.list === list || other.list === 'many',

    readDefault: (given, element) => readDefaults(given, element, list),
    writeDefault: (element) => storedIds(element.default).flatMap((id) => bindOf(element).writeDefault(id) ?? []),
    describe: (element, describing) => bindOf(element).describe(element, describing),

    read(stored, element, reading) {
      if (stored === undefined || stored === null) return undefined
      const ids = storedIds(stored)
      const bound = bindOf(element)
      const none = ids.length === 0 ? bound.showNone?.(reading) : undefined
      const shown = none ? [none] : bound.show(ids, reading)
      return { values: shown.map(({ json }) => json), bind_value_ids: shown.map(({ id }) => id) }
    },
    blank: { stored: [] },
    readSchema: {
      values: Type.Array(Type.Union([StaticValue, PersonValue, GroupOfTracker])),
      bind_value_ids: Type.Array(Type.Union([Type.Integer(), Type.String()]), {
        description: 'For groups, the ids are strings.',
      }),
    },

    writeSchema: {
      bind_value_ids: Type.Array(Type.Union([Type.Integer(), Type.String(), Type.Null()]), {
        description: 'Ids of values, accounts or groups; null or 100: none.',
      }),
    },
    async write(item, element, writing) {
      const asked = parseListInput(item)
      const ids = [...new Set(await bindOf(element).choose(asked, element, writing))]
      if (list === 'one' && ids.length > 1) throw severalValues(asked[1]?.path ?? 'bind_value_ids')
      return ids
    },
    async defaultFor(element, writing) {
      const ids = await bindOf(element).standing(storedIds(element.default), element, writing)
      return ids.length === 0 ? undefined : ids
    },
    isEmpty: (stored) => storedIds(stored).length === 0,
    isSame: (stored, given) => isSameSet(storedIds(stored), storedIds(given)),

    search: { ...listSearch(), ...(list === 'one' && { sort: sortBySingle }) },
    index: (stored) => ({ ids: [...new Set(storedIds(stored))] }),
    people: (stored, { bind }) => (bind?.type === 'users' ? storedPeople(stored) : []),
    flat: (stored, element, reading) =>
      bindOf(element)
        .show(storedIds(stored), reading)
        .map(({ flat }) => flat),
    fromCell: (text) => ({ value: splitCell(text) }),
    migrate(stored, from, to, migrating) {
      const kind = KINDS[to.type]
      if (!kind || (from.bind?.type === 'static' && kind !== list)) return undefined
      const migrated = bindOf(from).migrate(storedIds(stored), to, migrating)
      return migrated && kind === 'one' ? firstOf(migrated) : migrated
    },
    archive: (stored, element, archiving) => ({
      attributes: { type: 'list', bind: element.bind?.type },
      content: archivedValues(storedIds(stored), element, archiving),
    }),
  }
}

/** Defaults in the form of the definition: value keys, account ids, group numbers. Null: no default. */
export function readDefaults(
  given: unknown,
  element: Element,
  list: 'one' | 'many' | 'open',
  boundOf: (element: Element) => BoundList = bindOf,
): number[] | null {
  // A list without a bind is reported elsewhere.
  if (given === undefined || given === null || !element.bind) return null
  if (!Array.isArray(given))
    throw new ValueFault('value_invalid', { path: 'default', rule: 'type', cause: 'not_an_array' })
  const bound = boundOf(element)
  const chosen = given.flatMap((each: unknown, index) =>
    each === '@none' ? [] : bound.readDefault(each, `default[${index}]`),
  )
  const ids = new Set(chosen)
  if (list === 'one' && ids.size > 1) throw severalValues('default[1]')
  return ids.size === 0 ? null : [...ids]
}

function severalValues(path: string): ValueFault {
  return new ValueFault('value_not_allowed', { path, rule: 'maximum', cause: 'list_single_value' })
}

/** Reduces the values to one for a single-value list. */
function firstOf({ value, isPartial }: Migrated & { value: readonly number[] }): Migrated {
  return { value: value.slice(0, 1), isPartial: isPartial || value.length > 1 }
}
