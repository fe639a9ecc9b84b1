import type { AnyValue as Value } from '@waypost/sdk/api'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../test/sample-tracker.ts'
import { ShowChange } from '../artifacts/timeline/show-change.tsx'
import { TextField } from '../design/field.tsx'
import { isNumber, isSortable, possibleColumns, shownColumns, widthsOf } from '../trackers/columns.ts'
import { completionsAt, searchableFields } from '../trackers/tql/complete.ts'
import { describeTerm } from '../trackers/tql/describe-term.ts'
import { defaultDraft, isEmptyDraft, mayUpdate, optimisticValue, toDraft } from './drafts.ts'
import type { FieldType } from './field-type.ts'
import { everyFieldType, fieldType, isEmptyValue, addFieldTypes } from './field-types.ts'
import { EditValue, ShowValue } from './field-views.tsx'
import { NUMBER_FILTER } from './parts/filters.ts'

type WeightValue = Value & { readonly value?: string; readonly grams?: number | null }

/** A field type that the pages do not have: what its file would contain. */
const weight: FieldType<WeightValue> = {
  type: 'weight',
  kind: 'field',
  isEmpty: ({ grams }) => typeof grams !== 'number',
  show: ({ grams }) => spelled(grams ?? 0),
  editing: {
    toDraft: ({ field_id }, value) => ({
      field_id,
      value: typeof value?.grams === 'number' ? spelled(value.grams) : '',
    }),
    defaultDraft: ({ field_id }) => ({ field_id, value: '' }),
    optimistic: ({ field_id, type, label }, { value }) => ({ field_id, type, label, value, grams: parsed(value) }),
    Editor: ({ field, draft, onChange, frame }) =>
      createElement(TextField, {
        ...frame,
        value: String(draft.value),
        onChange: ({ target }) => onChange({ field_id: field.field_id, value: target.value }),
      }),
  },
  column: { width: 6, isNumber: true, isSortable: true, isShownByDefault: 'middle' },
  card: { needsLabel: true },
  isSummable: true,
  filter: { ...NUMBER_FILTER, input: 'text' },
  canBeRequired: true,
}

function spelled(grams: number): string {
  const parts = [
    [Math.floor(grams / 1000), 'kg'],
    [grams % 1000, 'g'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ') || '0g'
}

function parsed(typed: unknown): number | null {
  const [, kilos, grams] = /^(?:(\d+)kg)? ?(?:(\d+)g)?$/.exec(String(typed)) ?? []
  return kilos === undefined && grams === undefined ? null : Number(kilos ?? 0) * 1000 + Number(grams ?? 0)
}

const title = sampleField('string', { field_id: 1, name: 'summary', label: 'Summary' })
const load = sampleField('weight', { field_id: 2, name: 'load', label: 'Load' })
const tracker = trackerWith([title, load])
const stored = { field_id: 2, type: 'weight', label: 'Load', value: '2kg 500g', grams: 2500 }
const words = (element: ReactElement) => renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, '')

let remove: () => void
beforeEach(() => {
  remove = addFieldTypes([weight])
})
afterEach(() => remove())

test('a new type is known only by its line in the list', () => {
  expect(everyFieldType()).toContain(weight)
  remove()
  expect(everyFieldType()).not.toContain(weight)
  expect([mayUpdate(load), possibleColumns(tracker)]).toEqual([false, [title, load]])
})

test('its values are shown on pages and in cells', () => {
  expect(words(createElement(ShowValue, { value: stored, field: load }))).toBe('2kg 500g')
  expect(words(createElement(ShowValue, { value: { ...stored, grams: 45 }, isShort: true }))).toBe('45g')
  expect([isEmptyValue(stored), isEmptyValue({ ...stored, grams: null })]).toEqual([false, true])
})

test('its values are edited by its own editor', () => {
  const draft = toDraft(load, stored)
  const onChange = () => undefined
  const editor = renderToStaticMarkup(createElement(EditValue, { tracker, field: load, draft, onChange }))
  expect(mayUpdate(load)).toBe(true)
  expect(draft).toEqual({ field_id: 2, value: '2kg 500g' })
  expect(editor).toMatch(/Load<\/label>.*<input[^>]*value="2kg 500g"/)
  expect(optimisticValue(load, { field_id: 2, value: '1kg 65g' }, stored)).toMatchObject({ grams: 1065 })
  expect(isEmptyDraft(load, defaultDraft(load))).toBe(true)
})

test('the history shows the old and the new value', () => {
  const change = { field_id: 2, before: { value: '1kg', grams: 1000 }, after: { value: '2kg 500g', grams: 2500 } }
  const shown = renderToStaticMarkup(createElement(ShowChange, { change, field: load }))
  expect(shown).toContain('<del>1kg</del>')
  expect(shown).toContain('<ins>2kg 500g</ins>')
  expect(words(createElement(ShowChange, { change: { ...change, after: null }, field: load }))).toMatch(/1kg.*Empty$/)
})

test('the table has a column for it, and can sort by it', () => {
  expect(shownColumns(tracker, undefined)).toEqual([title, load])
  expect([isNumber(load), isSortable(load)]).toEqual([true, true])
  expect(widthsOf([title, load], 1, new Map()).shares).toMatch(/minmax\(6rem, 6fr\)$/)
})

test('filters, charts and boards use it by its capabilities', () => {
  const offered = (query: string) => completionsAt(query, query.length, tracker).options.map(({ insert }) => insert)
  expect(searchableFields(tracker)).toContain(load)
  expect(offered('load ')).toEqual(['=', '!=', '<', '<=', '>', '>=', 'BETWEEN('])
  expect(offered('ORDER BY loa')).toEqual(['load'])
  expect(describeTerm('load >= "2kg"', tracker)).toBe('Load >= 2kg')
  expect(fieldType(load)).toMatchObject({ isSummable: true, card: { needsLabel: true } })
})
