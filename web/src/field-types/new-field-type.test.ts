import type { AnyValue as Value } from '@waypost/sdk/api'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../test/sample-tracker.ts'
import { ShowChange } from '../artifacts/show-change.tsx'
import { TextField } from '../design/field.tsx'
import { isNumber, isSortable, possibleColumns, shownColumns, widthsOf } from '../trackers/columns.ts'
import { completionsAt, searchableFields } from '../trackers/tql/complete.ts'
import { describeTerm } from '../trackers/tql/describe-term.ts'
import { defaultDraft, isEmptyDraft, mayUpdate, optimisticValue, toDraft } from './drafts.ts'
import type { FieldType } from './field-type.ts'
import { everyFieldType, fieldType, isEmptyValue, addFieldTypes } from './field-types.ts'
import { EditValue, ShowValue } from './field-views.tsx'
import { NUMBER_FILTER } from './parts/filters.ts'

type DurationValue = Value & { readonly value?: string; readonly minutes?: number | null }

/** A field type that the pages do not have: what its file would contain. */
const duration: FieldType<DurationValue> = {
  type: 'duration',
  kind: 'field',
  isEmpty: ({ minutes }) => typeof minutes !== 'number',
  show: ({ minutes }) => spelled(minutes ?? 0),
  editing: {
    toDraft: ({ field_id }, value) => ({ field_id, value: value?.minutes ? spelled(value.minutes) : '' }),
    defaultDraft: ({ field_id }) => ({ field_id, value: '' }),
    optimistic: ({ field_id, type, label }, { value }) => ({ field_id, type, label, value, minutes: parsed(value) }),
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

function spelled(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'm'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ') || '0m'
}

function parsed(typed: unknown): number | null {
  const [, hours, minutes] = /^(?:(\d+)h)? ?(?:(\d+)m)?$/.exec(String(typed)) ?? []
  return hours === undefined && minutes === undefined ? null : Number(hours ?? 0) * 60 + Number(minutes ?? 0)
}

const title = sampleField('string', { field_id: 1, name: 'summary', label: 'Summary' })
const effort = sampleField('duration', { field_id: 2, name: 'effort', label: 'Effort' })
const tracker = trackerWith([title, effort])
const stored = { field_id: 2, type: 'duration', label: 'Effort', value: '2h 30m', minutes: 150 }
const words = (element: ReactElement) => renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, '')

let remove: () => void
beforeEach(() => {
  remove = addFieldTypes([duration])
})
afterEach(() => remove())

test('a new type is known only by its line in the list', () => {
  expect(everyFieldType()).toContain(duration)
  remove()
  expect(everyFieldType()).not.toContain(duration)
  expect([mayUpdate(effort), possibleColumns(tracker)]).toEqual([false, [title, effort]])
})

test('its values are shown on pages and in cells', () => {
  expect(words(createElement(ShowValue, { value: stored, field: effort }))).toBe('2h 30m')
  expect(words(createElement(ShowValue, { value: { ...stored, minutes: 45 }, isShort: true }))).toBe('45m')
  expect([isEmptyValue(stored), isEmptyValue({ ...stored, minutes: null })]).toEqual([false, true])
})

test('its values are edited by its own editor', () => {
  const draft = toDraft(effort, stored)
  const onChange = () => undefined
  const editor = renderToStaticMarkup(createElement(EditValue, { tracker, field: effort, draft, onChange }))
  expect(mayUpdate(effort)).toBe(true)
  expect(draft).toEqual({ field_id: 2, value: '2h 30m' })
  expect(editor).toMatch(/Effort<\/label>.*<input[^>]*value="2h 30m"/)
  expect(optimisticValue(effort, { field_id: 2, value: '1h 5m' }, stored)).toMatchObject({ minutes: 65 })
  expect(isEmptyDraft(effort, defaultDraft(effort))).toBe(true)
})

test('the history shows the old and the new value', () => {
  const change = { field_id: 2, before: { value: '1h', minutes: 60 }, after: { value: '2h 30m', minutes: 150 } }
  const shown = renderToStaticMarkup(createElement(ShowChange, { change, field: effort }))
  expect(shown).toContain('<del>1h</del>')
  expect(shown).toContain('<ins>2h 30m</ins>')
  expect(words(createElement(ShowChange, { change: { ...change, after: null }, field: effort }))).toMatch(/1h.*Empty$/)
})

test('the table has a column for it, and can sort by it', () => {
  expect(shownColumns(tracker, undefined)).toEqual([title, effort])
  expect([isNumber(effort), isSortable(effort)]).toEqual([true, true])
  expect(widthsOf([title, effort], 1).shares).toMatch(/minmax\(6rem, 6fr\)$/)
})

test('filters, charts and boards use it by its capabilities', () => {
  const offered = (query: string) => completionsAt(query, query.length, tracker).options.map(({ insert }) => insert)
  expect(searchableFields(tracker)).toContain(effort)
  expect(offered('effort ')).toEqual(['=', '!=', '<', '<=', '>', '>=', 'BETWEEN('])
  expect(offered('ORDER BY eff')).toEqual(['effort'])
  expect(describeTerm('effort >= "2h"', tracker)).toBe('Effort >= 2h')
  expect(fieldType(effort)).toMatchObject({ isSummable: true, card: { needsLabel: true } })
})
