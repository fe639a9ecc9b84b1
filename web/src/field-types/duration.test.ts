import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../test/sample-tracker.ts'
import { ShowChange } from '../artifacts/timeline/show-change.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { isNumber, isSortable } from '../trackers/columns.ts'
import { completionsAt } from '../trackers/tql/complete.ts'
import { describeTerm } from '../trackers/tql/describe-term.ts'
import { defaultDraft, optimisticValue } from './drafts.ts'
import { duration } from './duration.tsx'
import { fieldType, isEmptyValue } from './field-types.ts'
import { EditValue, ShowValue } from './field-views.tsx'

const spent = sampleField('duration', { field_id: 2, name: 'spent', label: 'Time spent' })
const tracker = trackerWith([spent])
const stored = { field_id: 2, type: 'duration', label: 'Time spent', value: '2h 30m', minutes: 150 }
const words = (element: ReactElement) => renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, ' ')

test('a duration is shown as people write it', () => {
  expect(words(createElement(ShowValue, { value: stored, field: spent })).trim()).toBe('2h 30m')
  expect(isEmptyValue({ ...stored, value: '0m', minutes: 0 })).toBe(false)
  expect(isEmptyValue({ ...stored, value: null, minutes: null })).toBe(true)
})

test('it is edited as text, beginning with the default value', () => {
  const draft = defaultDraft(sampleField('duration', { field_id: 2, default_value: '1h 30m' }))
  const editor = createElement(EditValue, { tracker, field: spent, draft, onChange: () => undefined })
  expect(draft).toEqual({ field_id: 2, value: '1h 30m' })
  expect(renderToStaticMarkup(editor)).toMatch(/<input[^>]*placeholder="2h 30m"[^>]*value="1h 30m"/)
})

test.each([
  ['90', { value: '1h 30m', minutes: 90 }],
  ['1h90m', { value: '2h 30m', minutes: 150 }],
  [' 2H ', { value: '2h', minutes: 120 }],
  ['0', { value: '0m', minutes: 0 }],
  ['long', { value: 'long', minutes: undefined }],
])('%j is shown as the server will show it, while the write is running', (value, shown) => {
  expect(optimisticValue(spent, { field_id: 2, value }, stored)).toMatchObject(shown)
})

test('no text is no value', () => {
  expect(optimisticValue(spent, { field_id: 2, value: ' ' }, stored)).toBeUndefined()
})

test('the history shows the old and the new value', () => {
  const change = { field_id: 2, before: { value: '1h', minutes: 60 }, after: { value: '2h 30m', minutes: 150 } }
  const shown = renderToStaticMarkup(createElement(ShowChange, { change, field: spent }))
  expect(shown).toMatch(/<del>.*1h.*<\/del>.*<ins>.*2h 30m.*<\/ins>/)
})

test('the table has a column for it, and can sort and filter by it', () => {
  const offered = (query: string) => completionsAt(query, query.length, tracker).options.map(({ insert }) => insert)
  expect([isNumber(spent), isSortable(spent)]).toEqual([true, true])
  expect(offered('spent ')).toEqual(['=', '!=', '<', '<=', '>', '>=', 'BETWEEN('])
  expect(offered('ORDER BY spe')).toEqual(['spent'])
  expect(describeTerm('spent BETWEEN("1h", "2h 30m")', tracker)).toMatch(/1h – 2h 30m$/)
  expect(fieldType(spent).filter).toMatchObject({ input: 'text', example: '2h 30m' })
})

test('charts show sums as durations', () => {
  const course = { days: ['2026-03-01'], lines: [{ label: 'Left', values: [795] }] }
  const shown = (scale: typeof duration.sumScale) => words(createElement(LineChart, { label: 'Left', course, scale }))
  expect(shown(duration.sumScale)).toContain('13h 15m')
  expect(shown(undefined)).toContain('795')
})

test('it can be an effort, but not the number of days of a time frame', () => {
  expect(duration.semantics).toEqual(['amount'])
  expect(fieldType({ type: 'int' }).semantics).toEqual(['amount', 'days'])
})
