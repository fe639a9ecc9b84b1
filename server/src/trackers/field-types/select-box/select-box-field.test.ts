import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DESCRIBING, READING, STATUS, value, WRITING } from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import type { StaticBind } from '../../tracker.ts'
import { selectBoxField } from './select-box-field.ts'

const given = { bind: STATUS, reading: READING, writing: WRITING, describing: DESCRIBING }
const status = oneField(selectBoxField, { ...given, initial: ['open'] })
const withValues = (...labels: string[]) => {
  const bind: StaticBind = { ...STATUS, values: labels.map((label, index) => value(401 + index, label)) }
  return oneField(selectBoxField, { ...given, bind })
}

describe('a select box', () => {
  test('is described with its values, including hidden ones, and its default', () => {
    expect(status.describe()).toEqual({
      values: [
        { id: 301, label: 'Open', is_hidden: false, value_color: 'fiesta-red' },
        { id: 302, label: 'In progress', is_hidden: false, value_color: '#cc3300' },
        { id: 303, label: 'Closed', is_hidden: false, value_color: '' },
        { id: 304, label: 'Duplicate', is_hidden: true, value_color: '' },
      ],
      bindings: { type: 'static', list: [] },
      default_value: [{ id: 301, label: 'Open' }],
    })
  })

  test('sorts its values by label if the bind says so', () => {
    const bind: StaticBind = { ...STATUS, alphabetical: true, values: [value(1, 'v10'), value(2, 'V9'), value(3, 'é')] }
    const { values } = oneField(selectBoxField, { ...given, bind }).describe()
    expect(values).toMatchObject([{ label: 'é' }, { label: 'V9' }, { label: 'v10' }])
  })

  test('shows a value with its colour, as a palette name or as RGB', () => {
    expect(status.read([301])).toEqual({
      values: [{ id: 301, label: 'Open', color: null, tlp_color: 'fiesta-red', is_hidden: false }],
      bind_value_ids: [301],
    })
    expect(status.read([302])).toMatchObject({ values: [{ color: { r: 204, g: 51, b: 0 }, tlp_color: null }] })
  })

  test('shows None as two empty lists, and is omitted if nothing was ever stored', () => {
    expect(status.read([])).toEqual({ values: [], bind_value_ids: [] })
    expect(status.read(undefined)).toBeUndefined()
  })

  test.each([
    { ids: [301], stored: [301] },
    { ids: ['302'], stored: [302] },
    { ids: [301, '301'], stored: [301] },
    { ids: [], stored: [] },
    { ids: [0], stored: [] },
    { ids: [null], stored: [] },
    { ids: [100], stored: [] },
    { ids: ['100'], stored: [] },
  ])('takes $ids', async ({ ids, stored }) => {
    expect(await status.write({ bind_value_ids: ids })).toEqual(stored)
  })

  test.each([
    { item: {}, cause: 'value_missing', reason: 'value_invalid', path: 'bind_value_ids' },
    { item: { value: 'Open' }, cause: 'value_missing', reason: 'value_invalid' },
    { item: { bind_value_ids: 301 }, cause: 'not_an_array', reason: 'value_invalid' },
    { item: { bind_value_ids: [301, 302] }, cause: 'list_single_value', reason: 'value_not_allowed' },
    { item: { bind_value_ids: [999] }, cause: 'list_value_unknown', path: 'bind_value_ids[0]' },
    { item: { bind_value_ids: ['Open'] }, cause: 'list_value_unknown', reason: 'reference_unknown' },
    { item: { bind_value_ids: [301, true] }, cause: 'list_value_unknown', path: 'bind_value_ids[1]' },
    { item: { bind_value_ids: [{ id: 301 }] }, cause: 'list_value_unknown' },
    { item: { bind_value_ids: [304] }, cause: 'list_value_hidden', reason: 'value_not_allowed' },
  ])('refuses $item', async ({ item, ...fault }) => {
    expect(await status.refusal(item)).toMatchObject(fault)
  })

  test('keeps a hidden value that is stored', async () => {
    expect(await status.write({ bind_value_ids: [304] }, { stored: [304] })).toEqual([304])
    expect(await status.write({ value: 'duplicate' }, { stored: [304], byName: true })).toEqual([304])
  })
})

describe('a select box by name', () => {
  test.each([
    { value: 'Open', stored: [301] },
    { value: '  open ', stored: [301] },
    { value: ['IN PROGRESS'], stored: [302] },
    { value: 303, stored: [303] },
    { value: '303', stored: [303] },
    { value: '', stored: [] },
    { value: null, stored: [] },
    { value: [], stored: [] },
  ])('takes $value', async ({ value: sent, stored }) => {
    expect(await status.write({ value: sent }, { byName: true })).toEqual(stored)
  })

  test.each([
    { value: 'Opened', cause: 'list_value_unknown', path: 'value' },
    { value: ['Open', 'Closed'], cause: 'list_single_value', path: 'value[1]' },
    { value: 'Duplicate', cause: 'list_value_hidden' },
    { value: { id: 301 }, cause: 'list_value_unknown' },
  ])('refuses $value', async ({ value: sent, ...fault }) => {
    expect(await status.refusal({ value: sent }, { byName: true })).toMatchObject(fault)
  })

  test('accepts names as ids', async () => {
    expect(await status.write({ bind_value_ids: ['open'] }, { byName: true })).toEqual([301])
  })

  test('prefers the exact case, and lists the candidates if several match', async () => {
    const levels = withValues('High', 'HIGH', 'Low')
    expect(await levels.write({ value: 'HIGH' }, { byName: true })).toEqual([402])
    expect(await levels.refusal({ value: 'high' }, { byName: true })).toEqual({
      reason: 'reference_ambiguous',
      path: 'value',
      rule: 'unique',
      cause: 'label_ambiguous',
      allowed: [
        { id: 401, label: 'High' },
        { id: 402, label: 'HIGH' },
      ],
    })
  })

  test('resolves digits as a label before an id, even those of None', async () => {
    const versions = withValues('402', 'two', '100')
    expect(await versions.write({ value: '402' }, { byName: true })).toEqual([401])
    expect(await versions.write({ value: '100' }, { byName: true })).toEqual([403])
    expect(await versions.write({ value: 402 }, { byName: true })).toEqual([402])
    expect(await versions.write({ bind_value_ids: ['402'] })).toEqual([402])
  })
})

describe('values of a select box', () => {
  test('start with the default if it can still be chosen', async () => {
    expect(await status.begin()).toEqual([301])
    expect(await oneField(selectBoxField, { ...given, initial: ['duplicate'] }).begin()).toBeUndefined()
    expect(await oneField(selectBoxField, given).begin()).toBeUndefined()
  })

  test('have keys in definitions', () => {
    expect(status.field.default).toEqual([301])
    expect(selectBoxField.writeDefault?.(status.field)).toEqual(['open'])
    expect(oneField(selectBoxField, { ...given, initial: ['@none'] }).field.default).toBeNull()
    expect(() => oneField(selectBoxField, { ...given, initial: ['opened'] })).toThrow('reference_unknown')
    expect(() => oneField(selectBoxField, { ...given, initial: ['open', 'closed'] })).toThrow('value_not_allowed')
    expect(() => oneField(selectBoxField, { ...given, initial: 'open' })).toThrow('value_invalid')
  })

  test('are empty if None or nothing is stored', () => {
    expect(selectBoxField.isEmpty?.([])).toBe(true)
    expect(selectBoxField.isEmpty?.(undefined)).toBe(true)
    expect(selectBoxField.isEmpty?.([301])).toBe(false)
    expect(selectBoxField.isSame?.(undefined, [])).toBe(true)
  })

  test('are indexed by id and flattened to labels', () => {
    expect(status.index([302])).toEqual({ ids: [302] })
    expect(status.flat([302])).toEqual(['In progress'])
    expect(status.flat([])).toEqual([])
    expect(selectBoxField.people?.([302], status.field)).toEqual([])
  })

  test('migrate to lists of the same kind by label, and are dropped if the label is missing', () => {
    const there: StaticBind = { ...STATUS, values: [value(901, 'OPEN'), value(902, 'open', { is_hidden: true })] }
    expect(status.migrate([301], 'rb', { bind: there })).toEqual({ value: [901], isPartial: false })
    expect(status.migrate([303], 'sb', { bind: there })).toEqual({ value: [], isPartial: true })
    expect(status.migrate([301], 'msb', { bind: there })).toBeUndefined()
    expect(status.migrate([301], 'sb', { bind: { type: 'users', sources: [3] } })).toBeUndefined()
    expect(status.migrate([301], 'string')).toBeUndefined()
  })

  test('can be read and sent back', async () => {
    const ids = fc.constantFrom(301, 302, 303, 304)
    await fc.assert(
      fc.asyncProperty(fc.array(ids, { maxLength: 1 }), async (stored) => {
        const read = status.read(stored)
        expect(await status.write({ ...read }, { stored })).toEqual(stored)
        const label = status.flat(stored)
        expect(await status.write({ value: label }, { stored, byName: true })).toEqual(stored)
      }),
    )
  })

  test('are compared as sets', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 20 }))
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        const isSame = selectBoxField.isSame?.(one, other)
        expect(isSame).toBe(new Set([...one, ...other]).size === one.length && one.length === other.length)
        expect(selectBoxField.isSame?.(other, one)).toBe(isSame)
        expect(selectBoxField.isSame?.(one, one.toReversed())).toBe(true)
        expect(selectBoxField.isSame?.(one, [...one, 21])).toBe(false)
      }),
    )
  })
})
