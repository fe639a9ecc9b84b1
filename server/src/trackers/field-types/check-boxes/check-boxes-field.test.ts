import { expect, test } from 'vitest'
import { STATUS, value } from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { checkBoxesField } from './check-boxes-field.ts'

const { field, write, migrate } = oneField(checkBoxesField, { bind: STATUS })

test('check boxes accept several values and have no settings', async () => {
  expect(await write({ bind_value_ids: [301, 303] })).toEqual([301, 303])
  expect(field.properties).toEqual({})
})

test('check boxes keep values with the same label on a move', () => {
  const bind = { ...STATUS, values: [value(901, 'Closed')] }
  expect(migrate([301, 303], 'msb', { bind })).toEqual({ value: [901], isPartial: true })
})
