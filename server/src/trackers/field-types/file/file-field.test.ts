import { describe, expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { representFile } from '../../../files/represent-file.ts'
import { toId } from '../../../platform/database/ids.ts'
import { fileField } from './file-field.ts'

const STORED = {
  uploader_id: toId<Parameters<typeof representFile>[0]['uploader_id']>(102),
  media_type: 'text/plain',
  description: '',
  field_id: null,
  size: 5,
  received: 5,
  chunks: 1,
  last_chunk: null,
  digest: null,
  is_attached: true,
  created_on: new Date(0),
  expires_on: null,
}

const field = oneField(fileField, {
  name: 'attachment',
  reading: {
    file: (id) => (id < 50 ? representFile({ ...STORED, id, name: `${id}.txt` }, { isTemporary: false }) : undefined),
  },
})

describe('a field of files', () => {
  test('stores each id once, in order, in every input form', async () => {
    expect(await field.write({ value: [42, '41', 42] })).toEqual([42, 41])
    expect(await field.write({ value: [] })).toEqual([])
    expect(await field.write({ value: '' })).toEqual([])
    expect(await field.write({ add: [43], remove: [41] }, { stored: [41, 42] })).toEqual([42, 43])
    expect(await field.write({ add: [41], remove: [41] }, { stored: [41, 42] })).toEqual([42, 41])
  })

  test('checks only files that it does not contain yet', async () => {
    const asked: number[] = []
    const attach = async (files: readonly { id: number }[]) => void asked.push(...files.map(({ id }) => id))
    await field.write({ value: [42, 43] }, { stored: [41, 42], attach })
    await field.write({ value: [41] }, { stored: [41, 42], attach })
    expect(asked).toEqual([43])
  })

  test('shows its files, and is omitted if it never had one', () => {
    expect(field.read(undefined)).toBeUndefined()
    expect(field.read([41, 42])).toMatchObject({ file_descriptions: [{ id: 41 }, { id: 42 }] })
    expect(field.flat([41, 42])).toEqual(['41.txt', '42.txt'])
    expect(field.flat(undefined)).toEqual([])
  })

  test('compares files in order', () => {
    expect(fileField.isSame?.([41, 42], [41, 42])).toBe(true)
    expect(fileField.isSame?.([41, 42], [42, 41])).toBe(false)
    expect(fileField.isSame?.([41], [41, 42])).toBe(false)
    expect([fileField.isEmpty?.([]), fileField.isEmpty?.(undefined), fileField.isEmpty?.([41])]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('migrates only to file fields', () => {
    expect(field.migrate([41], 'file')).toEqual({ value: [41], isPartial: false })
    expect(field.migrate([41], 'string')).toBeUndefined()
  })

  test.each([
    [{ value: 41 }, { reason: 'value_invalid', cause: 'not_an_array', path: 'value' }],
    [{ add: {} }, { reason: 'value_invalid', cause: 'not_an_array', path: 'add' }],
    [{ value: [null] }, { reason: 'value_invalid', cause: 'not_a_number', path: 'value[0]' }],
    [{ value: [1.5] }, { reason: 'value_invalid', cause: 'not_a_number', path: 'value[0]' }],
    [{ value: [-1] }, { reason: 'not_found', cause: 'file_not_found', path: 'value[0]' }],
    [{}, { reason: 'value_invalid', cause: 'value_missing' }],
    [{ value: null }, { reason: 'value_invalid', cause: 'value_missing' }],
    [
      { value: [], remove: [41] },
      { reason: 'value_invalid', cause: 'file_forms_conflict', path: 'remove' },
    ],
  ])('refuses %j', async (item, refusal) => {
    expect(await field.refusal(item)).toMatchObject(refusal)
  })

  test('accepts at most a thousand files', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => at + 1)
    expect(await field.write({ value: many })).toEqual(many)
    expect(await field.refusal({ add: [1001] }, { stored: many })).toMatchObject({ cause: 'too_many', path: 'add' })
  })
})
