import { expect, test } from 'vitest'
import { STATUS } from '../../../../test/fixtures/list-values.ts'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { radioButtonsField } from './radio-buttons-field.ts'

const { field, write, refusal } = oneField(radioButtonsField, { bind: STATUS })

test('radio buttons accept one value and have no settings', async () => {
  expect(await write({ bind_value_ids: [301] })).toEqual([301])
  expect(await refusal({ bind_value_ids: [301, 303] })).toMatchObject({ cause: 'list_single_value' })
  expect(field.properties).toEqual({})
})
