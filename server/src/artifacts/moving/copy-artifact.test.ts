import { beforeEach, describe, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, type TestPerson, TOM, VICTOR } from '../../../test/fixtures/people.ts'
import { LEDGER, ORCHARD, SAFE } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

const { api, context, clock } = await startWorld()
let deliveries: MadeTracker
let id: number
let target: number

const copy = (body?: object, as: TestPerson = MARA, query = '') =>
  api.post(`/artifacts/${id}/copy${query}`, { as, ...(body && { body }) })
const valuesOf = async (artifact: number, as: TestPerson = MARA) =>
  (await api.get(`/artifacts/${artifact}?values_format=all&by_field_types=all`, { as })).json.values_by_field
const names = (fields: { name: string }[]) => fields.map(({ name }) => name)

beforeEach(async () => {
  deliveries = await makeTestTracker(api, EVERY_FIELD)
  target = await makeTestArtifact(api, deliveries, { summary: 'Target' })
  id = await makeTestArtifact(api, deliveries, {
    summary: 'Pump leaks',
    details: { value: '**wet**', format: 'commonmark' },
    points: 5,
    status: 'Open',
    assigned_to: ['tom'],
    tags: ['cold', 'slippery'],
    budget: 'for few',
    links: { links: [{ id: target, type: '_is_child' }] },
  })
  clock.advance(60_000)
})

describe('copying an artifact', () => {
  test('creates one with the same values; both refer to each other', async () => {
    const { status, json, headers } = await copy()
    expect(status).toBe(201)
    expect(headers.location).toBe(`https://waypost.example/api/artifacts/${json.id}`)
    expect(headers.etag).toBeDefined()
    expect(json).toMatchObject({ title: 'Pump leaks', tracker: { id: deliveries.id, color: expect.any(String) } })
    expect(json.submitted_on).toBe('2026-03-01T09:31:00+00:00')
    expect(names(json.copied.fields_copied)).toEqual([
      'summary',
      'details',
      'points',
      'status',
      'assigned_to',
      'tags',
      'budget',
    ])
    expect(names(json.copied.fields_not_copied)).toEqual(['links'])
    expect(await valuesOf(json.id)).toMatchObject({
      summary: { value: 'Pump leaks' },
      details: { commonmark: '**wet**' },
      points: { value: 5 },
      status: { values: [{ label: 'Open' }] },
      assigned_to: { bind_value_ids: [TOM.id] },
      tags: { bind_value_ids: ['cold', 'slippery'] },
      budget: { value: 'for few' },
      links: { links: [] },
      references: { value: [{ ref: `art #${id}`, direction: 'out' }] },
    })
    expect((await valuesOf(id)).references).toMatchObject({ value: [{ direction: 'in' }] })
    expect((await recordedEvents(context, 'artifact.created')).at(-1)).toMatchObject({ object: `artifacts/${json.id}` })
    const { json: versions } = await api.get(`/artifacts/${id}/changesets`, { as: MARA })
    expect(versions).toHaveLength(1)
  })

  test('copies only values that the caller may read and submit', async () => {
    const { json } = await copy({}, TOM)
    expect(names([...json.copied.fields_copied, ...json.copied.fields_not_copied])).not.toContain('budget')
    expect((await valuesOf(json.id)).budget).toBeNull()

    const priced = await makeTestTracker(api, {
      label: 'Priced',
      item_name: 'priced',
      permissions: { full: ['@anonymous'] },
      elements: [
        { name: 'summary', type: 'string', label: 'Summary' },
        {
          name: 'price',
          type: 'int',
          label: 'Price',
          default: 1,
          permissions: { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] },
        },
      ],
    })
    const dear = await makeTestArtifact(api, priced, { summary: 'Dear', price: 100 })
    const cheap = await api.post(`/artifacts/${dear}/copy`, { as: TOM })
    expect(names(cheap.json.copied.fields_not_copied)).toEqual(['price'])
    expect((await valuesOf(cheap.json.id)).price).toMatchObject({ value: 1 })
  })

  test('accepts other values for some fields', async () => {
    const { json } = await copy({ values_by_field: { summary: 'Another', points: 8 } })
    expect(json.uri).toBe(`artifacts/${json.id}?values_format=by_field`)
    expect(json.values_by_field).toMatchObject({ summary: { value: 'Another' }, points: { value: 8 } })
    expect(names(json.copied.fields_not_copied)).toEqual(['summary', 'points', 'links'])
    const byId = await copy({ values: [{ field_id: deliveries.field('points'), value: '' }] })
    expect(byId.json.values.find(({ label }: { label: string }) => label === 'points')).toMatchObject({ value: null })
    expect(
      await copy({ values: [{ field_id: deliveries.field('points'), value: 1 }], values_by_field: { summary: 'x' } }),
    ).toMatchObject(refused(400, 'parameter_conflict', { cause: 'value_sources_conflict' }))
    expect(await copy({ values_by_field: { nothing: 'x' } })).toMatchObject(
      refused(400, 'reference_unknown', { cause: 'field_unknown' }),
    )
  })

  test('copies links on request', async () => {
    const { json } = await copy({ links: 'forward' })
    expect((await valuesOf(json.id)).links.links).toMatchObject([{ id: target, type: '_is_child' }])
    expect(names(json.copied.fields_copied)).toContain('links')
  })

  test('copies comments on request, as one text of those that the caller may read', async () => {
    const comment = (body: object) => api.put(`/artifacts/${id}`, { as: MARA, body: { comment: body } })
    await comment({ body: 'First', format: 'text' })
    await comment({ body: '<b>Second</b>', format: 'html' })
    await comment({ body: 'Whisper', format: 'text', ugroups: [`${ORCHARD}_4`] })
    const copied = async (as: TestPerson) => {
      const { json } = await copy({ comments: true }, as)
      const { json: versions } = await api.get(`/artifacts/${json.id}/changesets`, { as })
      return versions[0].last_comment.body
    }
    expect(await copied(TOM)).toBe(
      `Copied from art #${id}.\n\nmara, 2026-03-01T09:31:00+00:00:\nFirst\n\nmara, 2026-03-01T09:31:00+00:00:\nSecond`,
    )
    expect(await copied(MARA)).toContain('Whisper')
  })

  test('into another tracker matches fields by name, and is validated like a creation', async () => {
    const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
    const returns = await makeTestTracker(api, {
      label: 'Returns',
      item_name: 'return',
      permissions: { full: ['@anonymous'] },
      elements: [field('summary', 'text'), field('points', 'float'), field('reason', 'string', { required: true })],
      semantics: { title: 'summary' },
    })
    const tracker = { id: returns.id }
    expect(await copy({ tracker })).toMatchObject(refused(400, 'field_required', { all: [{ name: 'reason' }] }))
    const { status, json } = await copy({ tracker, values_by_field: { reason: 'Broken' } })
    expect(status).toBe(201)
    expect(json).toMatchObject({ xref: `return #${json.id}`, title: 'Pump leaks' })
    expect(names(json.copied.fields_copied)).toEqual(['summary', 'points'])
    expect(await valuesOf(json.id)).toMatchObject({ points: { value: 5 }, reason: { value: 'Broken' } })
  })

  test('begins in the first state that the workflow allows, if it may not begin in the copied one', async () => {
    const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
    const steps = await makeTestTracker(api, {
      label: 'Steps',
      item_name: 'step',
      permissions: { full: ['@anonymous'] },
      elements: [
        { name: 'summary', type: 'string', label: 'Summary' },
        { name: 'status', type: 'sb', label: 'Status', bind: list('Secret', 'New', 'Open', 'Closed') },
      ],
      workflow: {
        field: 'status',
        used: true,
        mode: 'advanced',
        transitions: [
          { from: '@new', to: 'secret', conditions: { groups: ['@admins'] } },
          { from: '@new', to: 'new' },
          { from: '@new', to: 'open' },
          { from: 'new', to: 'closed' },
        ],
      },
    })
    const closed = await makeTestArtifact(api, steps, { summary: 'Hinge', status: 'New' })
    await api.put(`/artifacts/${closed}`, { as: MARA, body: { values_by_field: { status: 'Closed' } } })
    const copied = async (artifact: number, as: TestPerson, body?: object) => {
      const answer = await api.post(`/artifacts/${artifact}/copy`, { as, ...(body && { body }) })
      expect(answer.status).toBe(201)
      return { ...answer.json.copied, state: (await valuesOf(answer.json.id)).status.values[0].label }
    }
    const byMember = await copied(closed, TOM)
    expect(byMember.state).toBe('New')
    expect(names(byMember.fields_copied)).toEqual(['summary'])
    expect(names(byMember.fields_not_copied)).toEqual(['status'])
    expect((await copied(closed, MARA)).state).toBe('Secret')
    expect((await copied(closed, TOM, { values_by_field: { status: 'Open' } })).state).toBe('Open')
    const open = await makeTestArtifact(api, steps, { summary: 'Bolt', status: 'Open' })
    const kept = await copied(open, TOM)
    expect([kept.state, names(kept.fields_not_copied)]).toEqual(['Open', []])
  })

  test('names no field whose value was cleared', async () => {
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: '', tags: [], details: '' } } })
    const { copied } = (await copy()).json
    const named = names([...copied.fields_copied, ...copied.fields_not_copied])
    expect(named).toContain('status')
    for (const name of ['points', 'tags', 'details']) expect(named).not.toContain(name)
  })

  test('as a dry run writes nothing and reports everything', async () => {
    const { json } = await copy({}, MARA, '?dry_run=true')
    expect(json.dry_run).toMatchObject({ status: 201, would_answer: { id: null, title: 'Pump leaks' }, rules: [] })
    expect((await api.get(`/trackers/${deliveries.id}/artifacts`, { as: MARA })).json).toHaveLength(2)
  })

  test('supports XML as well', async () => {
    const body = '<request><values_by_field><summary>In XML</summary></values_by_field><comments>1</comments></request>'
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const answer = await api.post(`/artifacts/${id}/copy`, { as: MARA, headers, body })
    expect(answer.status).toBe(201)
    expect(answer.text).toContain('<copied><fields_copied><item>')
  })

  test('requires that the caller sees it, and may submit in the target tracker', async () => {
    expect((await api.post(`/artifacts/${id}/copy`)).status).toBe(401)
    expect(await api.post('/artifacts/999999/copy', { as: MARA })).toMatchObject(refused(404, 'not_found'))
    for (const goal of [SAFE, LEDGER, 999_999])
      expect(await copy({ tracker: { id: goal } }, TOM)).toMatchObject(refused(404, 'not_found'))
    const closed = await makeTestTracker(api, {
      label: 'Closed',
      item_name: 'closed',
      permissions: { full: ['@anonymous'] },
      elements: [
        {
          name: 'summary',
          type: 'string',
          label: 'S',
          permissions: { read: ['@anonymous'], submit: ['@admins'], update: [] },
        },
      ],
    })
    for (const person of [TOM, OLGA, VICTOR])
      expect(await copy({ tracker: { id: closed.id } }, person)).toMatchObject(
        refused(403, 'permission_denied', { cause: 'submit' }),
      )
  })
})

describe('copying that is switched off', () => {
  const because = { status: 400, json: { error: { reason: 'rule_violated', details: { cause: 'copy_disabled' } } } }

  test('is refused from and into such a tracker', async () => {
    const shut = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'shut', settings: { allow_copy: false } })
    expect(await copy({ tracker: { id: shut.id } })).toMatchObject(because)
    const source = await makeTestArtifact(api, shut, { summary: 'Shut' })
    const out = (query = '') =>
      api.post(`/artifacts/${source}/copy${query}`, { as: MARA, body: { tracker: { id: deliveries.id } } })
    expect(await out()).toMatchObject(because)
    expect(await out('?dry_run=true')).toMatchObject(because)
    // A tracker that the caller may not see stays hidden.
    const hidden = await makeTestTracker(api, {
      ...EVERY_FIELD,
      item_name: 'hidden',
      permissions: { full: ['@admins'] },
      settings: { allow_copy: false },
    })
    expect(await copy({ tracker: { id: hidden.id } }, TOM)).toMatchObject(refused(404, 'not_found'))
  })
})
