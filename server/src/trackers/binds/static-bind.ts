import { type ListInput, type BoundList } from './bound-list.ts'
import { equalsIgnoringCase, isNone, matchLabels, parseClientNumber } from './parse-list-input.ts'
import { ValueFault } from '../field-types/field-type.ts'
import type { ListValue, StaticBind } from '../tracker.ts'
import { storedIds } from './stored-ids.ts'

/** Values defined by the tracker. */
export function staticList(bind: StaticBind): BoundList {
  const byId = new Map<number, ListValue>(bind.values.map((value) => [value.id, value]))
  const known = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? [])
  return {
    type: 'static',
    describe: ({ default: initial }) => ({
      values: inOrder(bind).map(({ id, label, is_hidden, color, limit }) => ({
        id,
        label,
        is_hidden,
        value_color: color ?? '',
        ...(limit !== undefined && { limit }),
      })),
      bindings: { type: 'static', list: [] },
      default_value: known(storedIds(initial)).map(({ id, label }) => ({ id, label })),
    }),
    show: (ids) =>
      known(ids).map((value) => ({ id: value.id, json: valueJson(value), label: value.label, flat: value.label })),
    async choose(asked, _, { stored }) {
      const kept = storedIds(stored)
      return asked.flatMap((each) => findListValue(bind, each, kept)?.id ?? noneOf(each))
    },
    async standing(ids) {
      return known(ids).flatMap(({ id, is_hidden }) => (is_hidden ? [] : [id]))
    },
    readDefault(given, path) {
      const value = bind.values.find(({ key }) => key === given)
      if (!value) throw unknownValue(path)
      return value.id
    },
    writeDefault: (id) => byId.get(id)?.key,
    migrate(ids, { bind: other }) {
      if (other?.type !== 'static') return undefined
      const there = known(ids).map(({ label }) => sameValue(other, label))
      const value = there.flatMap((each) => each?.id ?? [])
      return { value: [...new Set(value)], isPartial: there.includes(undefined) }
    },
    search: {
      cause: 'list_value',
      async named(name) {
        return bind.values.filter(({ label }) => equalsIgnoringCase(label, name)).map(({ id }) => id)
      },
      names: () => inOrder(bind).map(({ label }) => label),
      sort: (field) => ({ kind: 'place', field, ids: inOrder(bind).map(({ id }) => id) }),
      group: (field) => ({
        kind: 'list',
        field,
        values: inOrder(bind).map(({ id, label, is_hidden }) => ({ number: id, id, label, isHidden: is_hidden })),
      }),
    },
  }
}

/** The requested value if it can be chosen. Hidden values are accepted only if they are in `kept`. */
export function findListValue(bind: StaticBind, asked: ListInput, kept: readonly number[]): ListValue | undefined {
  const { name, path } = asked
  const byName = name === undefined ? [] : namedValues(bind, name, kept)
  if (byName.length > 1) {
    const allowed = byName.map(({ id, label }) => ({ id, label }))
    throw new ValueFault('reference_ambiguous', { path, rule: 'unique', cause: 'label_ambiguous', allowed })
  }
  const number = parseClientNumber(asked.id)
  const found = byName[0] ?? bind.values.find(({ id }) => id === number)
  if (found && !isOpenTo(found, kept))
    throw new ValueFault('value_not_allowed', { path, rule: 'one_of', cause: 'list_value_hidden' })
  return found
}

/** The value with this label; selectable values take precedence over hidden ones. */
export function sameValue(bind: StaticBind, label: string): ListValue | undefined {
  return namedValues(bind, label, [])[0]
}

function namedValues(bind: StaticBind, name: string, kept: readonly number[]): readonly ListValue[] {
  const open = matchLabels(
    bind.values.filter((value) => isOpenTo(value, kept)),
    name,
  )
  return open.length > 0 ? open : matchLabels(bind.values, name).slice(0, 1)
}

function isOpenTo({ id, is_hidden }: ListValue, kept: readonly number[]): boolean {
  return !is_hidden || kept.includes(id)
}

function noneOf({ id, path }: ListInput): [] {
  if (isNone(id)) return []
  throw unknownValue(path)
}

export function unknownValue(path: string): ValueFault {
  return new ValueFault('reference_unknown', { path, rule: 'exists', cause: 'list_value_unknown' })
}

const collator = new Intl.Collator('und', { numeric: true })

function inOrder({ alphabetical, values }: StaticBind): readonly ListValue[] {
  return alphabetical ? values.toSorted((one, other) => collator.compare(one.label, other.label)) : values
}

export function valueJson({ id, label, color, is_hidden }: ListValue) {
  const [, r, g, b] = /^#(..)(..)(..)$/.exec(color ?? '') ?? []
  const isRgb = r !== undefined && g !== undefined && b !== undefined
  return {
    id,
    label,
    color: isRgb ? { r: parseInt(r, 16), g: parseInt(g, 16), b: parseInt(b, 16) } : null,
    tlp_color: isRgb ? null : color,
    is_hidden,
  }
}
