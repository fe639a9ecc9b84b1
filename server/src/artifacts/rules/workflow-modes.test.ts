import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

/** Advanced mode, a disabled workflow, and rules between fields. */
const { api, clock } = await startWorld({ seedOnce: true })

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const admins = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const STATUS = field('status', 'sb', { bind: list('New', 'Working', 'Closed') })

let made = 0
const trackerWith = (definition: object) => {
  made++
  const names = { label: `Rules ${made}`, item_name: `rules_${made}` }
  return makeTestTracker(api, { ...names, permissions: { full: ['@anonymous'] }, ...definition })
}
const create = (tracker: MadeTracker, values_by_field: object, as: TestPerson = TOM) =>
  api.post('/artifacts', { as, body: { tracker: { id: tracker.id }, values_by_field } })
const idOf = async (creation: ReturnType<typeof create>): Promise<number> => {
  const { status, text, json } = await creation
  expect([status, text]).toEqual([201, expect.any(String)])
  return json.id
}
const put = (id: number, values_by_field: object, as: TestPerson = TOM, comment = '') =>
  api.put(`/artifacts/${id}`, { as, body: { values_by_field, comment: { body: comment } } })
const shown = async (id: number) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as: MARA })).json.values_by_field

describe('in advanced mode each transition has its own conditions and actions', () => {
  const set = (value: number) => [{ type: 'set_field_value', field: 'points', value }]
  let tracker: MadeTracker
  beforeAll(async () => {
    tracker = await trackerWith({
      elements: [field('summary', 'string'), STATUS, field('points', 'int')],
      workflow: {
        field: 'status',
        used: true,
        mode: 'advanced',
        transitions: [
          { from: '@new', to: 'new', actions: set(1) },
          { from: '@new', to: 'working', conditions: { groups: ['leads'] } },
          { from: 'new', to: 'closed', conditions: { comment: true }, actions: set(8) },
          { from: 'working', to: 'closed', actions: set(9) },
        ],
      },
    })
  })

  test('which apply on the transition that is taken', async () => {
    const fresh = await idOf(create(tracker, { status: 'New', points: 5 }))
    expect(await shown(fresh)).toMatchObject({ points: { value: 1 } })
    expect(await put(fresh, { status: 'Closed' })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'comment_required' }),
    )
    expect((await put(fresh, { status: 'Closed' }, TOM, 'Done')).status).toBe(200)
    expect(await shown(fresh)).toMatchObject({ points: { value: 8 } })

    const busy = await idOf(create(tracker, { status: 'Working' }, UMA))
    expect((await put(busy, { status: 'Closed' })).status).toBe(200)
    expect(await shown(busy)).toMatchObject({ points: { value: 9 } })
  })

  test('and a creation is refused to a caller outside its groups', async () => {
    const answer = await create(tracker, { status: 'Working' })
    expect(answer).toMatchObject(refused(400, 'transition_not_allowed', { cause: 'transition_group' }))
    expect(answer.json.error.details.all[0].who_may).toHaveLength(1)
  })
})

test('a disabled workflow refuses nothing and does nothing', async () => {
  const tracker = await trackerWith({
    elements: [STATUS, field('points', 'int'), field('summary', 'string')],
    workflow: {
      field: 'status',
      used: false,
      mode: 'simple',
      states: [
        {
          to: 'new',
          from: ['@new'],
          actions: [
            { type: 'set_field_value', field: 'points', value: 1 },
            { type: 'frozen_fields', fields: ['summary'] },
          ],
        },
      ],
    },
  })
  const id = await idOf(create(tracker, { status: 'New', points: 5, summary: 'x' }))

  expect((await put(id, { status: 'Closed', summary: 'y' })).status).toBe(200)
  expect((await put(id, { status: [] })).status).toBe(200)
  expect(await shown(id)).toMatchObject({ points: { value: 5 } })
})

describe('field dependencies between lists', () => {
  let tracker: MadeTracker
  const values = (name: string, ...labels: string[]) =>
    labels.map((label) => ({ id: tracker.value(name, label), label }))
  beforeAll(async () => {
    tracker = await trackerWith({
      elements: [
        field('place', 'sb', { bind: list('Barn', 'Yard', 'Dock') }),
        field('fruit', 'msb', { bind: list('Apple', 'Pear', 'Plum') }),
        field('secret', 'sb', { bind: list('Red', 'Blue'), permissions: admins }),
        field('shade', 'sb', { bind: list('Light', 'Dark') }),
        field('summary', 'string'),
      ],
      rules: {
        lists: [
          { source: 'place', target: 'fruit', allow: { barn: ['apple', 'pear'], yard: ['plum', '@none'] } },
          { source: 'secret', target: 'shade', allow: { red: ['light'], blue: ['dark'] } },
        ],
      },
    })
  })

  test('are enforced, and the error lists the allowed values', async () => {
    const answer = await create(tracker, { place: 'Barn', fruit: ['Apple', 'Plum'] })

    expect(answer).toMatchObject(refused(400, 'value_not_allowed', { cause: 'dependency' }))
    expect(answer.json.error.details.all).toMatchObject([
      {
        field_id: tracker.field('fruit'),
        name: 'fruit',
        allowed: values('fruit', 'Apple', 'Pear'),
        params: { source: 'place', source_values: 'Barn', target: 'fruit', target_values: 'Apple, Plum' },
      },
    ])
    expect((await create(tracker, { place: 'Barn', fruit: ['Apple', 'Pear'] })).status).toBe(201)
  })

  test('apply to the values after the change', async () => {
    const id = await idOf(create(tracker, { place: 'Barn', fruit: ['Apple'] }))

    expect(await put(id, { place: 'Yard' })).toMatchObject(refused(400, 'value_not_allowed', { cause: 'dependency' }))
    expect(await put(id, { fruit: ['Plum'] })).toMatchObject(refused(400, 'value_not_allowed'))
    expect((await put(id, { place: 'Yard', fruit: ['Plum'] })).status).toBe(200)
    expect((await put(id, { fruit: [] })).status).toBe(200)
    expect(await put(id, { place: 'Barn' })).toMatchObject(refused(400, 'value_not_allowed'))
  })

  test('are named only as far as the caller may read the fields', async () => {
    const id = await idOf(create(tracker, { secret: 'Red', shade: 'Light' }, MARA))
    const { status, json, text } = await put(id, { shade: 'Dark' })

    expect(status).toBe(400)
    expect(json.error.details.all).toEqual([
      { reason: 'rule_violated', cause: 'hidden_rule', message: expect.anything() },
    ])
    expect(text).not.toMatch(/secret|Red/)
  })
})

describe('date rules', () => {
  let tracker: MadeTracker
  beforeAll(async () => {
    clock.set('2026-03-01T09:30:00Z')
    tracker = await trackerWith({
      elements: [
        STATUS,
        field('start', 'date'),
        field('end', 'date'),
        field('done_on', 'date'),
        field('place', 'sb', { bind: list('Barn', 'Yard') }),
        field('fruit', 'sb', { bind: list('Apple', 'Pear') }),
        field('made_on', 'subon'),
      ],
      rules: {
        dates: [
          { source: 'start', comparator: '≤', target: 'end' },
          { source: 'done_on', comparator: '≥', target: 'start' },
          { source: 'made_on', comparator: '≤', target: 'end' },
        ],
        lists: [{ source: 'place', target: 'fruit', allow: { barn: ['apple'] } }],
      },
      workflow: {
        field: 'status',
        used: true,
        mode: 'simple',
        states: [
          { to: 'new', from: ['@new'] },
          {
            to: 'closed',
            from: ['new'],
            conditions: { groups: ['leads'] },
            actions: [{ type: 'set_field_value', field: 'done_on', value: 'current' }],
          },
        ],
      },
    })
  })

  test('are enforced, and the error lists every violated rule', async () => {
    const answer = await create(tracker, { start: '2026-03-10', end: '2026-02-01' })

    expect(answer).toMatchObject(refused(400, 'rule_violated', { cause: 'date_rule' }))
    expect(answer.json.error.details.all).toMatchObject([
      { name: 'start', params: { source: 'start', comparator: '≤', target: 'end' } },
      { name: 'made_on', params: { source: 'made_on', comparator: '≤', target: 'end' } },
    ])
    expect(answer.json.error.message).toContain('start ≤ end')
    expect((await create(tracker, { start: '2026-03-10', end: '2026-03-10' })).status).toBe(201)
    expect((await create(tracker, { start: '2026-03-10' })).status).toBe(201)
  })

  test('are checked after the actions of a transition, its conditions and the lists', async () => {
    const id = await idOf(create(tracker, { status: 'New', start: '2026-03-20' }))
    const [outside, late] = [await put(id, { status: 'Closed' }), await put(id, { status: 'Closed' }, UMA)]
    const both = await put(id, { status: 'Closed', place: 'Barn', fruit: 'Pear' }, UMA)
    const all = await put(id, { status: 'Closed', place: 'Barn', fruit: 'Pear' })

    expect(late).toMatchObject(refused(400, 'rule_violated', { cause: 'date_rule', params: { source: 'done_on' } }))
    expect(outside).toMatchObject(refused(400, 'transition_not_allowed', { cause: 'transition_group' }))
    expect(both).toMatchObject(refused(400, 'value_not_allowed', { cause: 'dependency' }))
    expect(all).toMatchObject(refused(400, 'transition_not_allowed', { cause: 'transition_group' }))
    clock.set('2026-03-21T09:30:00Z')
    expect((await put(id, { status: 'Closed' }, UMA)).status).toBe(200)
  })
})
