import { expect, test } from 'vitest'
import { FIELD_TYPES, findFieldType, withFieldTypes } from '../../src/trackers/field-types/field-types.ts'
import { readSchemaOf, writeSchemaOf } from '../../src/trackers/field-types/value-schemas.ts'
import { EVERY_FIELD } from '../fixtures/every-field.ts'
import { weightField } from '../fixtures/weight-field.ts'
import { EDITED_FIELDS } from './history/edits.ts'
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

test('fields of a new type are found, sorted and added up', async () => {
  await withFieldTypes([weightField], async () => {
    const { json: tracker } = await api.post(`/projects/${ORCHARD}/trackers`, {
      as: MARA,
      body: {
        format: 'waypost-tracker/1',
        label: 'Cargo',
        item_name: 'cargo',
        elements: [
          { name: 'load', type: 'weight', label: 'Load' },
          { name: 'kind', type: 'sb', label: 'Kind', bind: { type: 'static', values: [{ label: 'Fruit' }] } },
        ],
      },
    })
    const ids: number[] = []
    for (const load of ['1kg 300g', '900g', '12kg']) {
      const body = { tracker: { id: tracker.id }, values_by_field: { load: { value: load }, kind: { value: 'Fruit' } } }
      ids.push((await api.post('/artifacts', { as: MARA, body })).json.id)
    }
    const find = async (query: string) => {
      const path = `/trackers/${tracker.id}/artifacts?expert_query=${encodeURIComponent(query)}`
      const { json } = await api.get(path, { as: MARA })
      return json.map(({ id }: { id: number }) => ids.indexOf(id))
    }
    expect(await find('load > "1kg" ORDER BY load DESC')).toEqual([2, 0])
    expect(await find('load BETWEEN("900g", "2kg") ORDER BY load')).toEqual([1, 0])
    const groups = await api.get(`/trackers/${tracker.id}/artifacts/groups?by=kind&sum=load`, { as: MARA })
    expect(groups.json.groups).toMatchObject([{ count: 3, sum: { load: 14_200 } }])
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

test('the tests over all types have a field of every type', () => {
  const fields = FIELD_TYPES.filter(({ kind }) => kind === 'field')
  expect(new Set(EVERY_FIELD.elements.map(({ type }) => type))).toEqual(new Set(fields.map(({ type }) => type)))
  const writable = new Set(fields.filter(({ isWritable }) => isWritable).map(({ type }) => type))
  const edited = EVERY_FIELD.elements.filter(({ name }) => EDITED_FIELDS.includes(name)).map(({ type }) => type)
  // Files are uploaded first; `attach-files.test.ts` edits them.
  expect(new Set([...edited, 'file'])).toEqual(writable)
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
