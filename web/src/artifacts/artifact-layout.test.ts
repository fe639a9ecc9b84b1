import type { AnyValue, Tracker, TrackerField } from '@waypost/sdk/api'
import { expect, test } from 'vitest'
import { sampleField, trackerWith } from '../../test/sample-tracker.ts'
import { layOutArtifact } from './artifact-layout.ts'

const field = (field_id: number, type: string, name: string, more: Partial<TrackerField> = {}) =>
  sampleField(type, { field_id, name, label: name, ...more })
const fields = [
  field(1, 'fieldset', 'Main'),
  field(2, 'string', 'summary'),
  field(3, 'text', 'details'),
  field(4, 'sb', 'status', { values: [{ id: 41, label: 'Open' }] }),
  field(5, 'int', 'points'),
  field(6, 'fieldset', 'More'),
  field(7, 'text', 'advice'),
  field(8, 'float', 'effort'),
  field(9, 'aid', 'id'),
  field(10, 'file', 'papers'),
]
const leaf = (id: number) => ({ id, content: null })
const tracker: Tracker = {
  ...trackerWith(fields),
  structure: [
    { id: 1, content: [2, 3, 4, 5].map(leaf) },
    { id: 6, content: [7, 8, 9, 10].map(leaf) },
  ],
  semantics: {
    title: { field_id: 2 },
    description: { field_id: 3 },
    status: { field_id: 4, value_ids: [41] },
  },
}
const value = (field_id: number, type: string, given: unknown): AnyValue => ({
  field_id,
  type,
  label: '',
  value: given,
})
const layOut = (values: readonly AnyValue[], edited: readonly number[] = []) => {
  const { title, description, wide, groups, unset } = layOutArtifact(
    { artifact: { values }, tracker },
    ({ field_id }) => edited.includes(field_id),
  )
  const names = (all: readonly TrackerField[]) => all.map(({ name }) => name)
  return {
    title: title?.name,
    description: description?.name,
    wide: names(wide),
    groups: groups.map(({ heading, fields: inside }) => [heading, ...names(inside)]),
    unset: names(unset),
  }
}

test('texts and files are in the column, values among the properties, and empty ones are offered', () => {
  expect(layOut([value(7, 'text', 'Mind the step.'), value(8, 'float', 2.5)])).toEqual({
    title: 'summary',
    description: 'details',
    wide: ['advice', 'papers'],
    groups: [
      ['Main', 'status'],
      ['More', 'effort'],
    ],
    unset: ['points'],
  })
})

test('an empty field that is edited is shown in its place; one group has no heading', () => {
  const shown = layOut([], [5, 7])
  expect(shown.groups).toEqual([[undefined, 'status', 'points']])
  expect(shown.wide).toEqual(['advice', 'papers'])
  expect(shown.unset).toEqual(['effort'])
})
