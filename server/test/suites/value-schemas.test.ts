import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { FIELD_TYPES, fieldTypeOf } from '../../src/trackers/field-types/field-types.ts'
import { readSchemaOf, writeSchemaOf } from '../../src/trackers/field-types/value-schemas.ts'
import { uploadInChunks } from '../fixtures/attachments.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { startWorld } from '../harness/start-world.ts'
import { MARA } from '../fixtures/people.ts'
import { LEADS } from '../fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })

let tracker: MadeTracker
let target: number
let file: number
beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  target = await makeTestArtifact(api, tracker, { summary: 'a target' })
  file = await uploadInChunks(api, MARA)
})

const TYPES = new Map(EVERY_FIELD.elements.map(({ name, type }) => [name, fieldTypeOf({ type })]))

/** Values for writable fields of every type, by name. */
const items = (): Readonly<Record<string, object>> => ({
  summary: { value: 'Apples' },
  details: { value: { content: `*ripe*, see art #${target}`, format: 'commonmark' } },
  points: { value: 3 },
  effort: { value: 2.5 },
  spent: { value: '2h 30m' },
  due: { value: '2026-04-01' },
  started: { value: '2026-04-01T10:00:00Z' },
  status: { bind_value_ids: [tracker.value('status', 'Open')] },
  severity: { bind_value_ids: [tracker.value('severity', 'High')] },
  places: { bind_value_ids: [tracker.value('places', 'Barn'), tracker.value('places', 'Dock')] },
  fruits: { bind_value_ids: [null] },
  assigned_to: { bind_value_ids: [MARA.id] },
  tags: { bind_value_ids: ['fragile', 'heavy'] },
  files: { value: [file] },
  links: { links: [{ id: target, type: '_is_child' }] },
  seen_by: { value: { granted_groups: [String(LEADS)] } },
  remaining: { manual_value: 7 },
})

test('the items of every writable type match their schema, and the server accepts them', async () => {
  const given = Object.entries(items()).map(([name, item]) => ({
    name,
    item: { field_id: tracker.field(name), ...item },
  }))
  const faults = given.flatMap(({ name, item }) => mismatches(writeSchemaFor(name), item, name))
  expect(faults).toEqual([])
  const written = new Set(given.map(({ name }) => TYPES.get(name)?.type))
  expect(FIELD_TYPES.filter(({ isWritable, type }) => isWritable && !written.has(type))).toEqual([])

  const body = { tracker: { id: tracker.id }, values: given.map(({ item }) => item) }
  const created = await api.post('/artifacts', { as: MARA, body })
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
})

test('the values of every type match their schema exactly, in artifacts and in the history', async () => {
  const other = await uploadInChunks(api, MARA)
  const values = Object.entries({ ...items(), files: { value: [other] } }).map(([name, item]) => ({
    field_id: tracker.field(name),
    ...item,
  }))
  const { json: made } = await api.post('/artifacts', { as: MARA, body: { tracker: { id: tracker.id }, values } })
  await api.put(`/artifacts/${made.id}`, {
    as: MARA,
    body: { values: [{ field_id: tracker.field('points'), value: '' }] },
  })

  const { json: artifact } = await api.get(`/artifacts/${made.id}`, { as: MARA })
  const { json: changesets } = await api.get(`/artifacts/${made.id}/changesets`, { as: MARA })
  const { json: empty } = await api.get(`/artifacts/${target}?values_format=all&by_field_types=all`, { as: MARA })
  const shown: readonly Shown[] = [
    ...artifact.values,
    ...changesets.flatMap((each: { values: Shown[] }) => each.values),
    ...empty.values,
    ...Object.values(empty.values_by_field).filter((each) => each !== null),
  ]
  expect(shown.flatMap((value) => mismatches(readSchemaFor(value.type), value, value.type))).toEqual([])
  const seen = new Set(shown.map(({ type }) => type))
  const absent = FIELD_TYPES.filter(({ kind, type }) => kind === 'field' && !seen.has(type))
  expect(absent.map(({ type, chart }) => [type, chart !== undefined])).toEqual(absent.map(({ type }) => [type, true]))
})

test('the values of charts match their schema exactly', async () => {
  const sprints = await makeTestTracker(api, {
    label: 'Sprints',
    item_name: 'sprint',
    elements: [
      { name: 'start', type: 'date', label: 'Start' },
      { name: 'days', type: 'int', label: 'Days' },
      { name: 'remaining_effort', type: 'float', label: 'Remaining' },
      { name: 'burndown', type: 'burndown', label: 'Burndown' },
      { name: 'burnup', type: 'burnup', label: 'Burnup' },
    ],
    semantics: { timeframe: { start: 'start', duration: 'days' } },
  })
  const id = await makeTestArtifact(api, sprints, { start: '2026-02-02', days: 5, remaining_effort: 3 })
  const { json } = await api.get(`/artifacts/${id}`, { as: MARA })
  const charts: readonly Shown[] = json.values.filter(({ type }: Shown) => fieldTypeOf({ type }).chart)
  expect(charts).toHaveLength(2)
  expect(charts.flatMap((value) => mismatches(readSchemaFor(value.type), value, value.type))).toEqual([])
})

test('a value of another shape does not match', () => {
  const value = { field_id: 1, type: 'int', label: 'Points', value: 3 }
  expect(mismatches(readSchemaFor('int'), value, 'int')).toEqual([])
  expect(mismatches(readSchemaFor('int'), { ...value, value: '3' }, 'int')).not.toEqual([])
  expect(mismatches(readSchemaFor('int'), { ...value, more: 1 }, 'int')).not.toEqual([])
  expect(mismatches(readSchemaFor('int'), { ...value, type: 'float' }, 'int')).not.toEqual([])
})

interface Shown {
  readonly type: string
}

function readSchemaFor(type: string): TSchema {
  const [schema] = readSchemaOf(fieldTypeOf({ type }))
  if (!schema) throw new Error(`Values of ${type} have no schema.`)
  return closed(schema)
}

function writeSchemaFor(name: string): TSchema {
  const type = TYPES.get(name)
  const [schema] = type ? writeSchemaOf(type) : []
  if (!schema) throw new Error(`Items of ${name} have no schema.`)
  return closed(schema)
}

function mismatches(schema: TSchema, value: unknown, what: string): string[] {
  return [...Compile(schema).Errors(value)].map(({ instancePath, message }) => `${what}${instancePath}: ${message}`)
}

/** The schema without any further members, also of the objects inside. */
function closed(schema: TSchema): TSchema {
  return close(JSON.parse(JSON.stringify(schema)))
}

function close(value: unknown): TSchema {
  if (!isRecord(value)) return {}
  const parts = Object.entries(value).map(([keyword, part]): [string, unknown] => {
    if (keyword === 'properties' && isRecord(part))
      return [keyword, Object.fromEntries(Object.entries(part).map(([name, each]) => [name, close(each)]))]
    if (keyword === 'anyOf' && Array.isArray(part)) return [keyword, part.map(close)]
    return [keyword, keyword === 'items' ? close(part) : part]
  })
  return { ...Object.fromEntries(parts), ...(value['type'] === 'object' && { additionalProperties: false }) }
}
