import { expect, test } from 'vitest'
import { FIELD_TYPES, findFieldType, withFieldTypes } from '../../src/trackers/field-types/field-types.ts'
import { readSchemaOf, writeSchemaOf } from '../../src/trackers/field-types/value-schemas.ts'
import { durationField } from '../fixtures/duration-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { oneField } from '../fixtures/one-field.ts'
import { MARA } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'

const { api } = await startWorld()

test('a tracker can have fields of a new type, with values and rules', async () => {
  await withFieldTypes([durationField], async () => {
    const tracker = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: {
        format: 'waypost-tracker/1',
        label: 'Chores',
        item_name: 'chore',
        elements: [{ name: 'effort', type: 'duration', label: 'Effort', required: true }],
      },
    })
    expect(tracker.status).toBe(201)
    const [field] = tracker.json.fields
    expect(field).toMatchObject({ type: 'duration', required: true, permissions: ['read', 'update', 'create'] })
    const { id, field_id } = { id: tracker.json.id, field_id: field.field_id }
    const create = (value: string) =>
      api.post('/artifacts', { as: MARA, body: { tracker: { id }, values: [{ field_id, value }] } })

    const refused = await create('long')
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.all).toMatchObject([
      { reason: 'value_invalid', path: 'values[0].value', name: 'effort', label: 'Effort' },
    ])
    expect((await create('')).json.error.reason).toBe('field_required')

    const created = await create('1h 30m')
    expect(created.status).toBe(201)
    const shown = { field_id, type: 'duration', label: 'Effort', value: '1h 30m', minutes: 90 }
    const artifact = `/artifacts/${created.json.id}`
    expect((await api.get(artifact, { as: MARA })).json.values).toEqual([shown])

    const updated = await api.put(artifact, { as: MARA, body: { values: [{ field_id, value: '2h' }] } })
    expect(updated.status).toBe(200)
    expect(updated.json.values).toEqual([{ ...shown, value: '2h 0m', minutes: 120 }])
    const history = await api.get(`${artifact}/changesets`, { as: MARA })
    expect(history.json.map(({ values }: { values: unknown }) => values)).toEqual([[shown], updated.json.values])
  })
})

test('a type is its folder and a line in the list: structures, values and errors follow from it', async () => {
  await withFieldTypes([durationField], async () => {
    const field = oneField(durationField)
    expect(field.structure()).toMatchObject({
      type: 'duration',
      values: null,
      default_value: null,
      specific_properties: {},
    })
    const stored = await field.write({ value: '1h 30m' })
    expect(field.read(stored)).toEqual({ value: '1h 30m', minutes: 90 })
    expect(field.index(stored)).toEqual({ numbers: [90] })
    expect(await field.refusal({ value: 'long' })).toMatchObject({ reason: 'value_invalid' })
    expect(readSchemaOf(durationField)).toMatchObject([
      { title: 'DurationValue', properties: { type: { const: 'duration' }, minutes: {} } },
    ])
    expect(writeSchemaOf(durationField)).toMatchObject([{ title: 'DurationInput', required: ['field_id', 'value'] }])
  })
  expect(findFieldType('duration')).toBeUndefined()
})

test('every type has one code, and its values and inputs have a schema of their own', () => {
  for (const names of [FIELD_TYPES.map(({ type }) => type), FIELD_TYPES.flatMap(({ schemaName }) => schemaName ?? [])])
    expect(names).toEqual([...new Set(names)])
  for (const { kind, isWritable = false, schemaName, readSchema, writeSchema, ...others } of FIELD_TYPES) {
    expect('read' in others).toBe(kind === 'field')
    expect([schemaName, readSchema].map((each) => each !== undefined)).toEqual([kind === 'field', kind === 'field'])
    expect(writeSchema !== undefined).toBe(isWritable)
  }
})

test('a type with stored values defines emptiness, equality and how values are moved', () => {
  for (const type of FIELD_TYPES.filter(({ isWritable }) => isWritable)) {
    for (const member of ['write', 'isEmpty', 'isSame', 'flat', 'migrate']) expect(type).toHaveProperty(member)
  }
})
