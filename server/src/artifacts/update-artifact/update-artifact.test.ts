import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

const { api, clock, context } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let hidden: number
let id: number

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })

beforeAll(async () => {
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [
      ...EVERY_FIELD.elements,
      { name: 'grade', type: 'sb', label: 'grade', bind: list('Fine', 'fine', '7', 'Seven') },
      { name: '1st-choice', type: 'string', label: 'First choice' },
    ],
  })
  hidden = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Psst' })
})
beforeEach(async () => {
  clock.set('2026-03-01T09:30:00Z')
  id = await makeTestArtifact(api, tracker, { summary: 'Crates', points: 3, places: ['Barn', 'Yard'] })
})

const put = (body: object, { as = TOM, query = '' }: { as?: TestPerson; query?: string } = {}) =>
  api.put(`/artifacts/${id}${query}`, { as, body })
const item = (name: string, more: object) => ({ field_id: tracker.field(name), ...more })
const byField = async (as: TestPerson = MARA) =>
  (await api.get(`/artifacts/${id}?values_format=by_field&by_field_types=all`, { as })).json.values_by_field
const versions = async () =>
  (await api.get(`/artifacts/${id}/changesets?limit=50&diff=true`, { as: MARA })).json.slice(1)

describe('PUT /artifacts/{id}', () => {
  test('changes the named fields, keeps the others, and returns the artifact', async () => {
    clock.advance(60_000)
    const { status, json, headers } = await put({ values: [item('points', { value: 5 })] })

    expect(status).toBe(200)
    expect(headers['location']).toBeUndefined()
    expect(json).toMatchObject({
      id,
      uri: `artifacts/${id}`,
      title: 'Crates',
      last_update_by: TOM.id,
      submitted_by: MARA.id,
      submitted_on: '2026-03-01T09:30:00+00:00',
      last_modified_date: '2026-03-01T09:31:00+00:00',
      values_by_field: null,
    })
    expect(json).toEqual((await api.get(`/artifacts/${id}`, { as: TOM })).json)
    expect(await byField()).toMatchObject({ points: { value: 5 }, places: { values: [{}, {}] } })
    expect(await versions()).toMatchObject([{ version: 2, changes: [{ field_id: tracker.field('points') }] }])
  })

  test('answers in the requested form', async () => {
    const body = { values_by_field: { points: 4 } }
    const [both, collection, named] = [
      await put(body, { query: '?values_format=all' }),
      await put(body, { query: '?values_format=' }),
      await put(body, { query: '?values_format=by_field' }),
    ]

    expect(both.json).toMatchObject({ values: expect.any(Array), values_by_field: { points: { value: 4 } } })
    expect(collection.json).toMatchObject({ values: expect.any(Array), values_by_field: null })
    expect(named.json).toMatchObject({ values: null, values_by_field: { points: { value: 4 } } })
    expect(await put(body, { query: '?values_format=some' })).toMatchObject(refused(400, 'parameter_not_allowed'))
  })

  test('clears a field', async () => {
    await put({ values: [item('points', { value: '' }), item('places', { bind_value_ids: [] })] })

    expect(await byField()).toMatchObject({ points: { value: null }, places: { values: [], bind_value_ids: [] } })
  })

  test('requires a value or a comment', async () => {
    for (const body of [{}, { comment: null }, { tracker: { id: 1 } }])
      expect(await put(body)).toMatchObject(refused(400, 'parameter_required', { cause: 'value_source_missing' }))
    expect((await put({ values: [] })).status).toBe(200)
    expect((await put({ values_by_field: {} })).status).toBe(200)
    expect(await versions()).toEqual([])
  })

  test('is for signed-in callers who see the artifact', async () => {
    const body = { comment: { body: 'Hello' } }

    expect(await api.put(`/artifacts/${id}`, { body })).toMatchObject(refused(401, 'authentication_required'))
    expect((await put(body, { as: OLGA })).status).toBe(200)
    for (const nowhere of [hidden, 999_999])
      expect(await api.put(`/artifacts/${nowhere}`, { as: TOM, body })).toMatchObject(refused(404, 'not_found'))
    expect((await api.put(`/artifacts/${hidden}`, { as: MARA, body })).status).toBe(200)
  })

  test('reports the changed fields and the status transition in the feed', async () => {
    await put({ values_by_field: { status: 'Open' } })
    await put({ values_by_field: { status: 'Closed', points: 3 }, comment: { body: 'Done' } })

    expect((await recordedEvents(context, 'artifact.updated')).at(-1)).toMatchObject({
      object: `artifacts/${id}`,
      actor_id: TOM.id,
      project_id: ORCHARD,
      payload: {
        version: 3,
        changed: [tracker.field('status')],
        has_comment: true,
        transition: { from: tracker.value('status', 'Open'), to: tracker.value('status', 'Closed') },
      },
    })
  })
})

describe('a write without effect', () => {
  test.each<[string, object]>([
    ['the same string', { summary: 'Crates' }],
    ['the same number, as a string', { points: { value: '3' } }],
    ['the same number, otherwise written', { points: { value: 3.0 } }],
    ['the same list in another order', { places: ['Yard', 'Barn', 'Yard'] }],
    ['nothing where nothing was', { severity: [], due: '', details: '', tags: [], effort: '', assigned_to: [] }],
    ['the automatic value where it is automatic', { remaining: { is_autocomputed: true } }],
    ['no links', { links: { links: [] } }],
    ['no restriction', { seen_by: { value: { is_used_by_default: false } } }],
  ])('is idle: %s', async (_, values_by_field) => {
    const before = await api.get(`/artifacts/${id}`, { as: TOM })
    clock.advance(60_000)
    const after = await put({ values_by_field })

    expect(after.status).toBe(200)
    expect(after.json).toEqual(before.json)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.headers['last-modified']).toBe(before.headers['last-modified'])
    expect(await versions()).toEqual([])
  })

  test.each<[string, object]>([
    ['a string in another case', { summary: 'crates' }],
    ['a string with a space', { summary: 'Crates ' }],
    ['the same text in another format', { details: { value: 'Same', format: 'html' } }],
    ['a date with another time', { started: '2026-03-02 14:31' }],
    ['one value less', { places: ['Barn'] }],
  ])('is not idle: %s', async (_, values_by_field) => {
    const first = { details: { value: 'Same', format: 'text' }, started: '2026-03-02 14:30' }
    await put({ values_by_field: first })
    await put({ values_by_field })

    expect(await versions()).toMatchObject([{ version: 2 }, { version: 3 }])
  })
})

describe('values by the names of fields', () => {
  test('are accepted for every type, bare or wrapped', async () => {
    const { status, text } = await put(
      {
        values_by_field: {
          summary: 'Bare',
          details: { value: '<p>Words</p>', format: 'html' },
          points: { value: '8' },
          effort: 1.5,
          due: '2026-04-01',
          started: { value: '2026-04-01T10:00:00+02:00' },
          status: ' open ',
          severity: { bind_value_ids: [tracker.value('severity', 'Low')] },
          places: { value: ['Dock', tracker.value('places', 'Barn')] },
          fruits: 'Plum',
          assigned_to: ['tom', UMA.email, MARA.id],
          team: { value: 'leads' },
          tags: ['COLD', 'brand new'],
          remaining: { manual_value: 2 },
          seen_by: { value: { granted_groups: ['project_members'], is_used_by_default: true } },
          links: [hidden],
          '1st-choice': 'Apple',
        },
      },
      { as: MARA },
    )

    expect([status, text]).toEqual([200, expect.any(String)])
    const shown = await byField()
    const labels = (name: string) => shown[name].values.map(({ label }: { label: string }) => label)
    expect(shown).toMatchObject({
      summary: { value: 'Bare' },
      details: { value: '<p>Words</p>', format: 'html' },
      points: { value: 8 },
      effort: { value: 1.5 },
      due: { value: '2026-04-01T00:00:00+00:00' },
      started: { value: '2026-04-01T08:00:00+00:00' },
      tags: { bind_value_ids: ['cold', 'brand new'] },
      remaining: { manual_value: 2 },
      seen_by: { granted_groups_ids: [`${ORCHARD}_3`] },
      links: { links: [{ id: hidden, type: '' }] },
      '1st-choice': { value: 'Apple' },
    })
    expect(['status', 'severity', 'places', 'fruits', 'team'].map(labels)).toEqual([
      ['Open'],
      ['Low'],
      expect.arrayContaining(['Dock', 'Barn']),
      ['Plum'],
      ['leads'],
    ])
    expect(new Set(shown.assigned_to.bind_value_ids)).toEqual(new Set([MARA.id, TOM.id, UMA.id]))
  })

  test('match the label in exact case first, and a label before an id', async () => {
    const chosen = async (value: unknown) => {
      await put({ values_by_field: { grade: { value } } })
      return (await byField()).grade.values[0].label
    }

    expect(await chosen('Fine')).toBe('Fine')
    expect(await chosen('fine')).toBe('fine')
    expect(await chosen('7')).toBe('7')
    expect(await chosen(String(tracker.value('grade', 'Seven')))).toBe('Seven')
  })

  test('are refused if a label is ambiguous', async () => {
    const answer = await put({ values_by_field: { grade: 'FINE' } })
    const candidates = ['Fine', 'fine'].map((label) => ({ id: tracker.value('grade', label), label }))

    expect(answer).toMatchObject(refused(400, 'reference_ambiguous', { cause: 'label_ambiguous' }))
    expect(answer.json.error.details.all).toMatchObject([
      { name: 'grade', path: 'values_by_field.grade.value', allowed: candidates },
    ])
  })

  test('are refused if they cannot be parsed', async () => {
    const answer = await put({ values_by_field: { points: {}, nothing: 1, grade: {}, toString: 1 } })

    expect(answer.status).toBe(400)
    expect(answer.json.error.details.all).toMatchObject([
      { reason: 'reference_unknown', cause: 'field_unknown', path: 'values_by_field.nothing' },
      { reason: 'reference_unknown', cause: 'field_unknown', path: 'values_by_field.toString' },
      { reason: 'value_invalid', cause: 'value_missing', name: 'points' },
      { reason: 'value_invalid', cause: 'value_missing', name: 'grade' },
    ])
  })
})

describe('two writers without a precondition', () => {
  test('each change only what they send', async () => {
    await Promise.all([
      put({ values_by_field: { summary: 'Boxes' } }),
      put({ values_by_field: { points: 9 } }, { as: UMA }),
      put({ values_by_field: { effort: 2.5 } }, { as: ADA }),
      put({ comment: { body: 'Me too' } }, { as: MARA }),
    ])

    expect(await byField()).toMatchObject({ summary: { value: 'Boxes' }, points: { value: 9 }, effort: { value: 2.5 } })
    expect(await versions()).toHaveLength(4)
  })
})
