import { describe, expect, test } from 'vitest'
import { toId } from '../../platform/database/ids.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { toDryRunResponse, withoutNewIds } from './dry-run-response.ts'
import type { VersionDraft } from './version-draft.ts'

const TAGS = toId<FieldId>(22_160)
const FILES = toId<FieldId>(22_161)

const draft = (more: Partial<VersionDraft> = {}): VersionDraft => ({
  changes: new Map(),
  comment: null,
  transition: undefined,
  reverse: [],
  attached: [],
  copied: new Set(),
  rules: [],
  ...more,
})

describe('typed values', () => {
  const cold = { id: 'o331', label: 'cold' }
  const red = { id: 'o332', label: 'red' }
  const entry = { field_id: TAGS, bind_value_objects: [cold, red] }

  test('that are new have no id, others keep theirs', () => {
    const changes = new Map([[TAGS, [331, { id: 0, label: 'red' }]]])
    expect(withoutNewIds(entry, draft({ changes }))).toEqual({
      ...entry,
      bind_value_objects: [cold, { id: null, label: 'red' }],
    })
  })

  test.each<[what: string, changes: VersionDraft['changes']]>([
    ['the field does not change', new Map()],
    ['another field has a new value', new Map([[FILES, [{ id: 0, label: 'red' }]]])],
    ['no value is new', new Map([[TAGS, [331, 332]]])],
    ['the value is no list', new Map([[TAGS, null]])],
  ])('keep their ids if %s', (_, changes) => {
    expect(withoutNewIds(entry, draft({ changes }))).toBe(entry)
  })

  test.each<[what: string, shown: unknown]>([
    ['a closed value of the same label', { id: 301, label: 'red' }],
    ['a value without a label', { id: 'o332' }],
    ['a value without an id', { label: 'red' }],
    ['a label that is no text', { id: 'o332', label: 7 }],
    ['nothing', null],
    ['a text', 'red'],
  ])('leave %s as it is', (_, shown) => {
    const changes = new Map([[TAGS, [{ id: 0, label: 'red' }]]])
    const given = { field_id: TAGS, bind_value_objects: [shown] }
    expect(withoutNewIds(given, draft({ changes }))).toEqual(given)
  })

  test('of a field without such members change nothing', () => {
    const changes = new Map([[TAGS, [{ id: 0, label: 'red' }]]])
    const given = { field_id: TAGS, value: 'red' }
    expect(withoutNewIds(given, draft({ changes }))).toBe(given)
  })
})

describe('copied files', () => {
  const file = { id: 5, name: 'plan.pdf', html_url: '/5', html_preview_url: '/p/5', uri: 'artifact_files/5' }
  const entry = { field_id: FILES, file_descriptions: [file, 'odd'] }

  test('have no id and no addresses yet', () => {
    expect(withoutNewIds(entry, draft({ copied: new Set([FILES]) }))).toEqual({
      ...entry,
      file_descriptions: [{ name: 'plan.pdf', id: null, html_url: null, html_preview_url: null, uri: null }, 'odd'],
    })
  })

  test('of another field change nothing', () => {
    expect(withoutNewIds(entry, draft({ copied: new Set([TAGS]) }))).toBe(entry)
  })

  test('of a field that shows none add none', () => {
    const given = { field_id: FILES, value: 'odd' }
    expect(withoutNewIds(given, draft({ copied: new Set([FILES]) }))).toEqual(given)
  })
})

describe('values that the platform assigns', () => {
  const of = (field_id: number, type: string, value: number | string) => ({ field_id, label: type, type, value })
  const [id, changed, text] = [of(1, 'aid', 7), of(2, 'lud', '2026-03-01T09:30:00Z'), of(3, 'string', 'Crate')]
  const values = [id, changed, text]

  test('are null in a creation', () => {
    expect(toDryRunResponse({ values, values_by_field: null }, draft(), 'creation')).toEqual({
      values: [{ ...id, value: null }, { ...changed, value: null }, text],
      values_by_field: null,
    })
  })

  test('are null in a version if each version assigns them', () => {
    const values_by_field = { id, changed, text, nothing: null }
    expect(toDryRunResponse({ values: null, values_by_field }, draft(), 'version')).toEqual({
      values: null,
      values_by_field: { ...values_by_field, changed: { ...changed, value: null } },
    })
  })
})
