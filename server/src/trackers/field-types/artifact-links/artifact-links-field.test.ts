import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchFault, oneField } from '../../../../test/fixtures/one-field.ts'
import { MYSELF, oneSearch } from '../../../../test/fixtures/one-search.ts'
import { artifactLinksField } from './artifact-links-field.ts'
import type { LinkJson, LinkRequest, WriteItem } from '../field-type.ts'

const project = { id: 105, uri: 'projects/105', label: 'Rocket', icon: '' }
const tracker = { id: 8, uri: 'trackers/8', label: 'Tasks', color: 'lake-placid-blue', project }
const link = (id: number, type = '_is_child'): LinkJson => ({ id, uri: `artifacts/${id}`, tracker, type })

const linkTypes = [
  { shortname: '_is_child', forward_label: 'Child', reverse_label: 'Parent' },
  { shortname: 'fixed_in', forward_label: 'Fixed in', reverse_label: 'Fixes' },
]
const links = oneField(artifactLinksField, {
  reading: { links: { forward: [link(15)], reverse: [link(88, '')] } },
  describing: { linkTypes },
})

/** The link request that the field passes to the artifacts module. */
async function asked(item: Omit<WriteItem, 'byName'>, byName = false): Promise<LinkRequest | undefined> {
  let request: LinkRequest | undefined
  await links.write(item, {
    byName,
    link: async (given) => {
      request = given
      return {}
    },
  })
  return request
}

describe('links', () => {
  test('are described with the available types', () => {
    expect(links.describe()).toEqual({
      specific_properties: { can_edit_reverse_links: 1 },
      extra: { allowed_types: linkTypes },
    })
    const { describe: describeField } = oneField(artifactLinksField, { properties: { can_edit_reverse_links: false } })
    expect(describeField()).toMatchObject({ specific_properties: { can_edit_reverse_links: 0 } })
  })

  test('are always shown, limited to the artifacts that the viewer may see', () => {
    expect(links.read({ 15: '_is_child', 16: '' })).toEqual({ links: [link(15)], reverse_links: [link(88, '')] })
    expect(oneField(artifactLinksField).read(undefined)).toEqual({ links: [], reverse_links: [] })
    expect(links.flat({ 15: '_is_child', 16: '' })).toEqual(['15'])
  })

  test('replace the previous links, with or without a parent', async () => {
    expect(await asked({ links: [{ id: 15, type: 'fixed_in' }, { id: '16' }], parent: { id: '88' } })).toEqual({
      links: [
        { id: 15, type: 'fixed_in', path: 'links[0].id' },
        { id: 16, type: '', path: 'links[1].id' },
      ],
      parent: { id: 88, path: 'parent.id' },
    })
    expect(await asked({ links: [] })).toEqual({ links: [] })
    expect(await asked({ parent: { id: 88 } })).toEqual({ parent: { id: 88, path: 'parent.id' } })
    expect(await asked({ links: [{ id: 15, type: null }, link(16)], parent: null, all_links: null })).toMatchObject({
      links: [
        { id: 15, type: '' },
        { id: 16, type: '_is_child' },
      ],
    })
  })

  test('have one type per target: the last one given', async () => {
    expect(await asked({ links: [{ id: 15, type: 'fixed_in' }, { id: 15 }] })).toEqual({
      links: [{ id: 15, type: '', path: 'links[1].id' }],
    })
  })

  test('can be given in both directions at once', async () => {
    const all_links = [
      { id: 15, direction: 'forward', type: '_is_child' },
      { id: 15, direction: 'reverse', type: '' },
      { id: 16, direction: 'sideways' },
    ]
    expect(await asked({ all_links })).toEqual({
      all_links: [
        { id: 15, direction: 'forward', type: '_is_child', path: 'all_links[0].id' },
        { id: 15, direction: 'reverse', type: '', path: 'all_links[1].id' },
      ],
    })
  })

  test('are plain ids when written by name', async () => {
    expect(await asked({ value: [15, '16'] }, true)).toEqual({
      links: [
        { id: 15, type: '', path: 'value[0]' },
        { id: 16, type: '', path: 'value[1]' },
      ],
    })
    expect(await asked({ links: [{ id: 15 }] }, true)).toMatchObject({ links: [{ id: 15 }] })
  })

  test.each([
    { item: {}, cause: 'link_form_missing', reason: 'value_invalid' },
    { item: { value: [15] }, cause: 'link_form_missing' },
    { item: { all_links: [], links: [] }, cause: 'link_forms_conflict', reason: 'value_invalid' },
    { item: { all_links: [], parent: { id: 3 } }, cause: 'link_forms_conflict' },
    { item: { all_links: [{ id: 15, direction: 'forward' }] }, cause: 'link_type_missing', path: 'all_links[0].type' },
    { item: { all_links: [{ id: 15, direction: 'reverse', type: null }] }, cause: 'link_type_missing' },
    { item: { all_links: [{ direction: 'reverse', type: '' }] }, cause: 'link_source_unknown' },
    { item: { links: 15 }, cause: 'not_an_array' },
    { item: { all_links: {} }, cause: 'not_an_array' },
    { item: { links: [{}] }, cause: 'link_target_unknown', reason: 'reference_unknown', path: 'links[0].id' },
    { item: { links: [{ id: 15 }, { id: 'x' }] }, cause: 'link_target_unknown', path: 'links[1].id' },
    { item: { links: [{ id: 1.5 }] }, cause: 'link_target_unknown' },
    { item: { links: [{ id: -1 }] }, cause: 'link_target_unknown' },
    { item: { links: [null] }, cause: 'link_target_unknown', path: 'links[0]' },
    { item: { parent: {} }, cause: 'link_source_unknown', path: 'parent.id' },
  ])('cannot be $item', async ({ item, ...fault }) => {
    expect(await catchFault(() => asked(item))).toMatchObject(fault)
  })

  test('are compared as maps', () => {
    const map = fc.dictionary(fc.constantFrom('15', '16', '17'), fc.constantFrom('', '_is_child', 'fixed_in'))
    fc.assert(
      fc.property(map, map, (one, other) => {
        expect(artifactLinksField.isSame?.(one, other)).toBe(isDeepStrictEqual({ ...one }, { ...other }))
        expect(artifactLinksField.isEmpty?.(one)).toBe(Object.keys(one).length === 0)
      }),
    )
    expect(artifactLinksField.isSame?.(undefined, {})).toBe(true)
  })

  test('lose a type that the other project does not use', () => {
    const there = { usesLinkType: (type: string) => type === '_is_child' }
    expect(links.migrate({ 15: '_is_child', 16: 'fixed_in' }, 'art_link', there)).toEqual({
      value: { 15: '_is_child', 16: '' },
      isPartial: false,
    })
    expect(links.migrate({ 15: '' }, 'msb', there)).toBeUndefined()
  })
})

test.each([
  { literal: 42, ends: [42] },
  { literal: '42', ends: [42] },
  { literal: 0, ends: [0] },
])('a search for $literal finds the artifacts linked to it', async ({ literal, ends }) => {
  const condition = { kind: 'link', direction: 'forward', ends }
  expect(await oneSearch(artifactLinksField).compare('=', literal)).toEqual(condition)
})

test.each(['', 'engine', '1.5', -42])('a search for links to %j is refused', async (literal) => {
  const refusal = { reason: 'value_invalid', cause: 'number', params: { value: String(literal) } }
  expect(await oneSearch(artifactLinksField).compare('=', literal)).toEqual(refusal)
})

test('links can be searched only by the linked artifact', async () => {
  expect(artifactLinksField.search?.comparisons).toEqual(['='])
  expect(artifactLinksField.search).not.toHaveProperty('criterion')
  expect(artifactLinksField.search).not.toHaveProperty('sort')
  expect(await oneSearch(artifactLinksField).compare('=', MYSELF)).toMatchObject({ cause: 'function' })
})
