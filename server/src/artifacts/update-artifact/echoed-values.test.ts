import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

/** A client that reads an artifact and sends back untouched values must not get errors or create versions. */
const { api, clock } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let other: number
let id: number

interface Item {
  readonly field_id: number
  readonly type: string
  readonly label: string
}

const TIMEFRAME = { start: 'due', duration: 'points' }

beforeAll(async () => {
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    semantics: { ...EVERY_FIELD.semantics, timeframe: TIMEFRAME },
  })
  other = await makeTestArtifact(api, tracker, { summary: 'Another' })
})
beforeEach(async () => {
  clock.advance(60_000)
  id = await makeTestArtifact(api, tracker, {
    summary: 'Crates <b> & "more"',
    details: { value: `Some **bold** words on art #${other}`, format: 'commonmark' },
    points: 12,
    effort: 0.25,
    spent: '2h 30m',
    due: '2026-03-20',
    started: '2026-03-02 14:30',
    status: 'Working',
    severity: 'High',
    places: ['Barn', 'Dock'],
    fruits: [],
    assigned_to: ['tom', 'uma'],
    team: 'leads',
    tags: ['cold', 'new one'],
    links: { links: [{ id: other, type: '_is_child' }] },
    seen_by: { value: { granted_groups: [`${ORCHARD}_3`, LEADS], is_used_by_default: true } },
    remaining: { manual_value: 7.5 },
    budget: 'Much',
  })
})

const items = async (as: TestPerson = TOM): Promise<Item[]> => (await api.get(`/artifacts/${id}`, { as })).json.values
const put = (body: object, as: TestPerson = TOM) => api.put(`/artifacts/${id}`, { as, body })
const versions = async () => (await api.get(`/artifacts/${id}/changesets?limit=50`, { as: MARA })).json.length

test('sending everything at once creates no version', async () => {
  const values = await items()
  expect(new Set(values.map(({ type }) => type)).size).toBeGreaterThan(20)

  for (const person of [TOM, MARA]) expect((await put({ values: await items(person) }, person)).status).toBe(200)
  expect(await versions()).toBe(1)
})

test('sending each value alone creates no version', async () => {
  for (const item of await items()) {
    const { status, text } = await put({ values: [item] })
    expect([item.type, status, text]).toEqual([item.type, 200, expect.any(String)])
  }
  expect(await versions()).toBe(1)
})

test('sending everything by field creates no version', async () => {
  const query = '?values_format=by_field&by_field_types=all'
  const { json } = await api.get(`/artifacts/${id}${query}`, { as: TOM })
  const values_by_field = Object.fromEntries(Object.entries(json.values_by_field).filter(([, value]) => value !== null))

  expect(Object.keys(values_by_field)).toContain('burndown')
  expect(await put({ values_by_field })).toMatchObject({ status: 200 })
  expect(await versions()).toBe(1)
})

test('sending everything in XML creates no version', async () => {
  const { text } = await api.get(`/artifacts/${id}`, { as: TOM, headers: { accept: 'application/xml' } })
  const values = /<values>.*<\/values>(?=<values_by_field)/s.exec(text)?.[0] ?? ''
  const answer = await api.put(`/artifacts/${id}`, {
    as: TOM,
    headers: { 'content-type': 'application/xml' },
    body: `<request>${values}</request>`,
  })

  expect(answer).toMatchObject({ status: 200 })
  expect(await versions()).toBe(1)
})

test('only the edited value changes', async () => {
  const values = (await items()).map((item) => (item.label === 'summary' ? { ...item, value: 'Boxes' } : item))
  const { json } = await put({ values })

  expect(json).toMatchObject({ title: 'Boxes' })
  expect(await versions()).toBe(2)
  const { json: changesets } = await api.get(`/artifacts/${id}/changesets?diff=true&order=desc`, { as: TOM })
  expect(changesets[0].changes).toMatchObject([{ field_id: tracker.field('summary') }])
})

test('a person who can no longer be chosen stays', async () => {
  const before = (await items()).find(({ label }) => label === 'assigned_to')
  await api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: [{ username: 'tom' }, { username: 'mara' }] })
  try {
    expect(await put({ values: [before] })).toMatchObject({ status: 200 })
    expect(await put({ values: [{ field_id: before?.field_id, bind_value_ids: [UMA.id, MARA.id] }] })).toMatchObject({
      status: 200,
    })
    expect(await put({ values: [{ field_id: before?.field_id, bind_value_ids: [MARA.id] }] })).toMatchObject({
      status: 200,
    })
    expect(await put({ values: [before] })).toMatchObject(refused(400, 'reference_unknown', { cause: 'user_unknown' }))
  } finally {
    const members = ['tom', 'mara', 'uma'].map((username) => ({ username }))
    await api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: members })
  }
})

describe('a value that the platform sets', () => {
  test.each(['id', 'number', 'burndown', 'burnup'])('%s can be sent back, but not changed', async (name) => {
    const item = (await items()).find(({ label }) => label === name)
    expect(await put({ values: [item] })).toMatchObject({ status: 200 })

    const changed = await put({ values: [{ ...item, value: 7 }] })
    expect(changed).toMatchObject(refused(400, 'rule_violated', { cause: 'field_read_only' }))
    expect(changed.json.error.details.all).toMatchObject([{ name, path: 'values[0].value' }])
  })

  test.each(['submitted_by', 'last_update_by', 'submitted_on', 'last_update', 'rank', 'references'])(
    'is ignored for %s, whatever is sent',
    async (name) => {
      expect(await put({ values: [{ field_id: tracker.field(name), value: 'whatever' }] })).toMatchObject({
        status: 200,
      })
      expect(await versions()).toBe(1)
    },
  )
})

describe('a text in CommonMark', () => {
  test('is not changed by its rendered form, which is all that an old client sends', async () => {
    const details = tracker.field('details')
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field`, { as: TOM })
    const { value } = json.values_by_field.details

    expect(value).toContain('<strong>bold</strong>')
    expect((await put({ values: [{ field_id: details, value }] })).status).toBe(200)
    expect((await put({ values_by_field: { details: { value } } })).status).toBe(200)
    expect(await versions()).toBe(1)
    await put({ values: [{ field_id: details, value: `${value} ` }] })
    expect(await versions()).toBe(2)
  })
})

describe('a computed field', () => {
  test('accepts its automatic value only next to a writable one', async () => {
    const field_id = tracker.field('remaining')
    expect(await put({ values: [{ field_id, value: 3 }] })).toMatchObject(
      refused(400, 'value_invalid', { cause: 'computed_value_refused' }),
    )
    expect((await put({ values: [{ field_id, value: 3, manual_value: 7.5 }] })).status).toBe(200)
    expect(await versions()).toBe(1)
  })
})
