import { expect, test } from 'vitest'
import { FIELD_TYPES, findFieldType, withFieldTypes } from '../../src/trackers/field-types/field-types.ts'
import { readSchemaOf, writeSchemaOf } from '../../src/trackers/field-types/value-schemas.ts'
import { weightField } from '../fixtures/weight-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { oneField } from '../fixtures/one-field.ts'
import { MARA } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'

const { api } = await startWorld()

test('a tracker can have fields of a new type, with values and rules', async () => {
  await withFieldTypes([weightField], async () => {
    const tracker = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: {
        format: 'waypost-tracker/1',
        label: 'Cargo',
        item_name: 'cargo',
        elements: [{ name: 'load', type: 'weight', label: 'Load', required: true }],
      },
    })
    expect(tracker.status).toBe(201)
    const [field] = tracker.json.fields
    expect(field).toMatchObject({ type: 'weight', required: true, permissions: ['read', 'update', 'create'] })
    const { id, field_id } = { id: tracker.json.id, field_id: field.field_id }
    const create = (value: string) =>
      api.post('/artifacts', { as: MARA, body: { tracker: { id }, values: [{ field_id, value }] } })

    const refused = await create('heavy')
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.all).toMatchObject([
      { reason: 'value_invalid', path: 'values[0].value', name: 'load', label: 'Load' },
    ])
    expect((await create('')).json.error.reason).toBe('field_required')

    const created = await create('1kg 300g')
    expect(created.status).toBe(201)
    const shown = { field_id, type: 'weight', label: 'Load', value: '1kg 300g', grams: 1300 }
    const artifact = `/artifacts/${created.json.id}`
    expect((await api.get(artifact, { as: MARA })).json.values).toEqual([shown])

    const updated = await api.put(artifact, { as: MARA, body: { values: [{ field_id, value: '2kg' }] } })
    expect(updated.status).toBe(200)
    expect(updated.json.values).toEqual([{ ...shown, value: '2kg 0g', grams: 2000 }])
    const history = await api.get(`${artifact}/changesets`, { as: MARA })
    expect(history.json.map(({ values }: { values: unknown }) => values)).toEqual([[shown], updated.json.values])
  })
})

test('a type is its folder and a line in the list: structures, values and errors follow from it', async () => {
  await withFieldTypes([weightField], async () => {
    const field = oneField(weightField)
    expect(field.structure()).toMatchObject({
      type: 'weight',
      values: null,
      default_value: null,
      specific_properties: {},
    })
    const stored = await field.write({ value: '1kg 300g' })
    expect(field.read(stored)).toEqual({ value: '1kg 300g', grams: 1300 })
    expect(field.index(stored)).toEqual({ numbers: [1300] })
    expect(await field.refusal({ value: 'heavy' })).toMatchObject({ reason: 'value_invalid' })
    expect(readSchemaOf(weightField)).toMatchObject([
      { title: 'WeightValue', properties: { type: { const: 'weight' }, grams: {} } },
    ])
    expect(writeSchemaOf(weightField)).toMatchObject([{ title: 'WeightInput', required: ['field_id', 'value'] }])
  })
  expect(findFieldType('weight')).toBeUndefined()
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
