import { Type } from 'typebox'
import { fold } from '../../../accounts/login.ts'
import { PersonValue } from '../person.ts'
import { splitCell } from '../../../platform/wire/csv.ts'
import { isRecord } from '../../../platform/wire/schema-shape.ts'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import { archivedValues } from '../../binds/archived-values.ts'
import { parseOpenListInput, parseClientNumber } from '../../binds/parse-list-input.ts'
import { bindOf } from '../../binds/bind-of.ts'
import type { ListInput, BoundList, ShownListValue } from '../../binds/bound-list.ts'
import { everyGroup } from '../../binds/every-group.ts'
import { readDefaults, StaticValue } from '../list-field.ts'
import { openListSearch } from './open-list-search.ts'
import { findListValue, sameValue, unknownValue } from '../../binds/static-bind.ts'
import { isSameSet, storedIds } from '../../binds/stored-ids.ts'
import { storedPeople } from '../../binds/users-bind.ts'
import { GroupOfTracker } from '../../schemas.ts'
import { type Element, NONE_VALUE_ID, type StaticBind } from '../../tracker.ts'
import {
  type FieldType,
  type Migrated,
  type Migrating,
  type OpenValue,
  ValueFault,
  type FieldWriteContext,
} from '../field-type.ts'
import { textProperty } from '../properties.ts'

/** Ids of defined values, and added values. */
type Stored = readonly (number | OpenValue)[]

// Labels are indexed in their folded form, so both must fit an index entry.
const LONGEST = 255
const MOST_BYTES = 1024

/** A list that accepts new values if its bind is static. People and groups must exist. */
export const openListField: FieldType = {
  type: 'tbl',
  kind: 'field',
  schemaName: 'OpenList',
  properties: Type.Object({ hint: textProperty('', { maxLength: 255 }) }, { additionalProperties: false }),
  list: 'open',
  isWritable: true,
  canBeRequired: true,

  readDefault: (given, element) => readDefaults(given, element, 'open', boundOf),
  writeDefault: (element) => storedIds(element.default).flatMap((id) => boundOf(element).writeDefault(id) ?? []),
  describe(element, describing) {
    const { hint } = element.properties
    const described = boundOf(element).describe(element, describing)
    const open = describing.openValues(element.id).map(({ id, label }) => ({
      id: openId(id),
      label,
      is_hidden: false,
      value_color: '',
    }))
    const values = Array.isArray(described.values) ? described.values : []
    const isPeople = element.bind?.type === 'users'
    return {
      ...described,
      values: isPeople ? { resource: { type: 'users', uri: 'users/?query=' } } : [...values, ...open],
      extra: { hint },
    }
  },

  read(stored, element, reading) {
    if (stored === undefined || stored === null) return undefined
    const bound = boundOf(element)
    const shown = storedValues(stored).flatMap((each): readonly Pick<ShownListValue, 'json' | 'label'>[] =>
      typeof each === 'number' ? bound.show([each], reading) : [{ json: openJson(each), label: each.label }],
    )
    return {
      bind_value_objects: shown.map(({ json, label }) => ({ ...json, display_name: label })),
      bind_value_ids: shown.map(({ label }) => label),
      bind_type: bound.type,
    }
  },
  blank: { stored: [] },
  readSchema: {
    bind_value_objects: Type.Array(
      Type.Union([
        Type.Object({ ...StaticValue.properties, display_name: Type.String() }),
        Type.Object({ id: Type.String(), label: Type.String(), display_name: Type.String() }, { title: 'OpenValue' }),
        PersonValue,
        Type.Object({ ...GroupOfTracker.properties, display_name: Type.String() }),
      ]),
    ),
    bind_value_ids: Type.Array(Type.String(), { description: 'Labels instead of ids.' }),
    bind_type: Type.Enum(['static', 'users', 'ugroups']),
  },

  writeSchema: {
    bind_value_ids: Type.Optional(
      Type.Array(Type.Union([Type.Integer(), Type.String(), Type.Null()]), {
        description: 'Labels, logins or ids; a static list takes new labels.',
      }),
    ),
    value: Type.Optional(
      Type.Object({
        bind_value_objects: Type.Array(
          Type.Object({
            id: Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()])),
            label: Type.Optional(Type.String()),
            username: Type.Optional(Type.Union([Type.String(), Type.Null()])),
            email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
            short_name: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
  },
  async write(item, element, writing) {
    const asked = parseOpenListInput(item)
    const { bind } = element
    if (bind?.type !== 'static') {
      // Digits can also be an id: logins are never numeric.
      const named = asked.map((each) => ({ ...(each.name !== undefined && { id: each.name }), ...each }))
      return [...new Set(await boundOf(element).choose(named, element, writing))]
    }
    const chosen: (number | OpenValue)[] = []
    for (const each of asked) {
      const value = await chooseOpenly(each, bind, element, writing)
      if (value !== undefined && !chosen.some((other) => keyOf(other) === keyOf(value))) chosen.push(value)
    }
    return chosen
  },
  async defaultFor(element, writing) {
    const ids = await boundOf(element).standing(storedIds(element.default), element, writing)
    return ids.length === 0 ? undefined : ids
  },
  isEmpty: (stored) => storedValues(stored).length === 0,
  isSame: (stored, given) => isSameSet(storedValues(stored).map(keyOf), storedValues(given).map(keyOf)),

  search: openListSearch(boundOf),
  // Added values have their own id space; the index stores their ids as negative numbers.
  index: (stored) => ({
    ids: [...new Set(storedValues(stored).map((each) => (typeof each === 'number' ? each : -each.id)))],
  }),
  people: (stored, { bind }) => (bind?.type === 'users' ? storedPeople(stored) : []),
  flat: (stored, element, reading) => {
    const bound = boundOf(element)
    return storedValues(stored).flatMap((each) =>
      typeof each === 'number' ? bound.show([each], reading).map(({ flat }) => flat) : [each.label],
    )
  },
  fromCell: (text) => ({ value: splitCell(text) }),
  migrate(stored, from, to, migrating) {
    if (to.type !== 'tbl' || to.bind?.type !== from.bind?.type) return undefined
    if (from.bind?.type === 'static' && to.bind?.type === 'static')
      return migrateOpenly(storedValues(stored), from.bind, { ...to, bind: to.bind }, migrating)
    return boundOf(from).migrate(storedIds(stored), to, migrating)
  },
  archive: (stored, element, archiving) => ({
    attributes: { type: 'open_list', bind: element.bind?.type },
    content: storedValues(stored).flatMap((each) =>
      typeof each === 'number'
        ? archivedValues([each], element, archiving, (group) => group)
        : [xmlElement('value', { format: 'label' }, each.label)],
    ),
  }),
}

function boundOf(element: Element): BoundList {
  return element.bind?.type === 'ugroups' ? everyGroup : bindOf(element)
}

function storedValues(stored: unknown): Stored {
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'number' || isOpenValue(each)) : []
}

function isOpenValue(given: unknown): given is OpenValue {
  return isRecord(given) && typeof given['id'] === 'number' && typeof given['label'] === 'string'
}

/** The key by which two values are equal. */
function keyOf(value: number | OpenValue): string {
  if (typeof value === 'number') return String(value)
  return value.id === 0 ? `label ${fold(value.label)}` : openId(value.id)
}

function openId(id: number): string {
  return `o${id}`
}

function openJson({ id, label }: OpenValue) {
  return { id: openId(id), label }
}

/** A defined value, an existing added value, or a new one. */
async function chooseOpenly(
  asked: ListInput,
  bind: StaticBind,
  { id: field }: Element,
  writing: FieldWriteContext,
): Promise<number | OpenValue | undefined> {
  const { path, name } = asked
  const kept = storedIds(writing.stored)
  if (name !== undefined) {
    const label = checkedLabel(name, path)
    const defined = findListValue(bind, { path, name: label }, kept)
    return defined?.id ?? (await writing.findOpenValue(field, { label })) ?? { id: 0, label }
  }
  const [, kind, digits] = /^(o|b)(\d{1,16})$/.exec(String(asked.id).trim()) ?? []
  if (kind === 'o') {
    const found = await writing.findOpenValue(field, { id: Number(digits) })
    if (!found) throw unknownValue(path)
    return found
  }
  const id = parseClientNumber(digits ?? asked.id)
  if (asked.id === null || id === 0 || id === NONE_VALUE_ID) return undefined
  const defined = findListValue(bind, { path, id }, kept)
  if (!defined) throw unknownValue(path)
  return defined.id
}

function checkedLabel(given: string, path: string): string {
  const label = given.trim()
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(label))
    throw new ValueFault('value_invalid', { path, rule: 'pattern', cause: 'line_break' })
  if (label.length > LONGEST || Buffer.byteLength(fold(label)) > MOST_BYTES)
    throw new ValueFault('value_invalid', {
      path,
      rule: 'max_length',
      cause: 'too_long',
      allowed: { maximum: LONGEST },
    })
  return label
}

/** Every value can migrate: values missing in the target are added to it. */
function migrateOpenly(
  stored: Stored,
  from: StaticBind,
  to: Element & { bind: StaticBind },
  migrating: Migrating,
): Migrated {
  const value: (number | OpenValue)[] = []
  for (const each of stored) {
    const label = typeof each === 'number' ? from.values.find(({ id }) => id === each)?.label : each.label
    if (label === undefined) continue
    const there = sameValue(to.bind, label)?.id ?? migrating.findOpenValue(to.id, label) ?? { id: 0, label }
    if (!value.some((other) => keyOf(other) === keyOf(there))) value.push(there)
  }
  return { value, isPartial: false }
}
