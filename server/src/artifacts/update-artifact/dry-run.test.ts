import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, clock, context } = await startWorld({ seedOnce: true })
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
let tracker: MadeTracker
let board: MadeTracker
let hidden: MadeTracker

beforeAll(async () => {
  const elements = EVERY_FIELD.elements.map((each) => {
    if (each.name === 'assigned_to') return { ...each, notifications: true }
    return each.name === 'effort' ? { ...each, default: 1.5 } : each
  })
  tracker = await makeTestTracker(api, { ...EVERY_FIELD, elements })
  hidden = await makeTestTracker(api, {
    ...HIDDEN_TRACKER,
    elements: [...HIDDEN_TRACKER.elements, field('links', 'art_link')],
  })
  board = await makeTestTracker(api, {
    label: 'Board',
    item_name: 'board',
    permissions: { full: ['@anonymous'] },
    elements: [
      field('summary', 'string'),
      field('status', 'sb', { bind: list('New', 'Done') }),
      field('points', 'int'),
      field('secret', 'int', { permissions: { read: ['@admins'], submit: ['@admins'], update: ['@admins'] } }),
    ],
    workflow: {
      field: 'status',
      mode: 'simple',
      states: [
        { to: 'new', from: ['@new'] },
        {
          to: 'done',
          from: ['new'],
          actions: [
            { type: 'set_field_value', field: 'points', value: 0 },
            { type: 'set_field_value', field: 'secret', value: 7 },
          ],
        },
      ],
    },
  })
})

const TABLES = [
  'artifact',
  'changeset',
  'value_index',
  'number_index',
  'artifact_link',
  'artifact_reference',
  'artifact_deletion',
  'open_value',
  'tracker',
  'tracker_total',
  'tracker_total_change',
  'event',
  'job',
  'idempotency',
] as const

/** Checksums of every table that a write may touch. */
async function digests(): Promise<object> {
  const found: [string, string | undefined][] = []
  for (const table of TABLES) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || md5(coalesce(string_agg(each::text, ' ' order by each::text), '')) as digest
      from ${sql.table(table)} each`.execute(context.db)
    found.push([table, rows[0]?.digest])
  }
  return Object.fromEntries(found)
}

interface FieldChange {
  readonly field_id: number
  readonly before: unknown
  readonly after: unknown
}

const change = ({ field_id, before, after }: FieldChange): FieldChange => ({ field_id, before, after })

/** Runs the dry run, checks that nothing was written, then runs the write; returns both results. */
async function foretell(method: 'POST' | 'PUT', path: string, body: object, as: TestPerson = TOM) {
  const before = await digests()
  const headers = { 'idempotency-key': `dry-${JSON.stringify(body).length}` }
  const dry = await api.request(method, `${path}?dry_run=true`, { as, body, headers })
  expect(await digests()).toEqual(before)
  const real = await api.request(method, path, { as, body })
  const { json } = await api.get(`/artifacts/${real.json.id}/changesets?diff=true&order=desc`, { as })
  const changes: FieldChange[] = json[0].changes
  return { dry, real, changes }
}

/** Ids of newly typed values are not known in advance. */
const withoutOpenIds = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(/"id":"o\d+"/g, '"id":null'))

describe('?dry_run=true on a creation', () => {
  test('predicts the response, the fields and the defaults, and writes nothing', async () => {
    const body = {
      tracker: { id: tracker.id },
      values: [
        { field_id: tracker.field('summary'), value: 'Crates' },
        { field_id: tracker.field('details'), value: { content: 'Some **words**', format: 'commonmark' } },
        { field_id: tracker.field('assigned_to'), bind_value_ids: [UMA.id, TOM.id] },
        { field_id: tracker.field('tags'), bind_value_ids: ['cold', 'never typed before'] },
      ],
      comment: { body: 'Mind them' },
    }
    const { dry, real, changes } = await foretell('POST', '/artifacts', body)

    expect([dry.status, real.status]).toEqual([200, 201])
    expect(dry.headers).not.toHaveProperty('location')
    expect(dry.headers).not.toHaveProperty('etag')
    const { status, would_answer, changes: predicted, rules, notified } = dry.json.dry_run
    expect(status).toBe(201)
    expect(predicted).toMatchObject([{ object: 'artifacts', op: 'create' }])
    expect(predicted[0].fields.map(change)).toEqual(withoutOpenIds(changes))
    expect(rules).toEqual([{ rule: 'default', name: 'effort', effect: 'set', field_id: tracker.field('effort') }])
    expect(notified).toEqual([{ user: { id: UMA.id, username: 'uma' }, channel: 'mail', why: 'assigned' }])

    const given = ['id', 'uri', 'xref', 'html_url', 'changesets_uri', 'resources', 'submitted_on', 'last_modified_date']
    const numbers = ['id', 'number', 'submitted_on', 'last_update', 'rank']
    const expected = {
      ...withoutOpenIds(real.json),
      ...Object.fromEntries(given.map((name) => [name, null])),
      values: withoutOpenIds(real.json).values.map((value: { label: string }) =>
        numbers.includes(value.label) ? { ...value, value: null } : value,
      ),
    }
    expect(would_answer).toEqual(expected)
  })

  test('answers by field if values are given by field', async () => {
    const body = { tracker: { id: tracker.id }, values_by_field: { summary: 'Crates' } }
    const { dry } = await foretell('POST', '/artifacts', body)

    expect(dry.json.dry_run.would_answer).toMatchObject({
      uri: null,
      values: null,
      values_by_field: { summary: { value: 'Crates' }, id: { value: null }, number: { value: null } },
    })
  })

  test.each([
    ['a field', { values_by_field: { points: 'many' } }, 400, 'value_invalid'],
    ['a source', {}, 400, 'parameter_required'],
    ['a tracker', { tracker: { id: 999_999 }, values_by_field: { summary: 'x' } }, 404, 'not_found'],
  ])('is refused like the write itself: %s', async (_, more, status, reason) => {
    const body = { tracker: { id: tracker.id }, ...more }
    const [dry, real] = [
      await api.post('/artifacts?dry_run=true', { as: TOM, body }),
      await api.post('/artifacts', { as: TOM, body }),
    ]
    expect(dry).toMatchObject(refused(status, reason))
    expect(dry.json.error.details).toEqual(real.json.error.details)
  })
})

describe('?dry_run=true on a change', () => {
  test('predicts exactly the changes of the version, including workflow actions', async () => {
    const id = await makeTestArtifact(api, board, { summary: 'Crates', status: 'New', points: 3 })
    clock.advance(60_000)
    const body = { values_by_field: { status: 'Done', summary: 'Boxes' } }
    const { dry, real, changes } = await foretell('PUT', `/artifacts/${id}`, body, MARA)

    const { status, would_answer, changes: predicted, rules } = dry.json.dry_run
    expect(status).toBe(200)
    expect(predicted).toMatchObject([{ object: `artifacts/${id}`, op: 'update' }])
    expect(predicted[0].fields.map(change)).toEqual(changes)
    expect(changes.map(({ field_id }) => field_id)).toEqual(
      ['summary', 'status', 'points', 'secret'].map((name) => board.field(name)),
    )
    expect(rules).toEqual(
      ['points', 'secret'].map((name) => ({
        rule: 'transition',
        name: 'New to Done',
        effect: 'set',
        field_id: board.field(name),
      })),
    )
    expect(would_answer).toEqual({ ...real.json, last_modified_date: null })
  })

  test('does not reveal fields that the caller may not read', async () => {
    const id = await makeTestArtifact(api, board, { summary: 'Crates', status: 'New', points: 3 })
    const { dry, changes } = await foretell('PUT', `/artifacts/${id}`, { values_by_field: { status: 'Done' } })

    expect(changes).toHaveLength(2)
    expect(dry.json.dry_run.rules).toMatchObject([{ field_id: board.field('points') }])
    expect(dry.text).not.toContain('secret')
    expect(dry.text).not.toContain(String(board.field('secret')))
  })

  test('predicts the effects on other artifacts that the caller sees', async () => {
    const [id, parent] = [
      await makeTestArtifact(api, tracker, { summary: 'Child' }),
      await makeTestArtifact(api, tracker, {
        summary: 'Parent',
      }),
    ]
    const body = { values: [{ field_id: tracker.field('links'), parent: { id: parent } }] }
    const { dry } = await foretell('PUT', `/artifacts/${id}`, body)

    expect(dry.json.dry_run.changes).toMatchObject([
      {
        object: `artifacts/${parent}`,
        op: 'update',
        fields: [{ field_id: tracker.field('links'), after: { links: [{ id, type: '_is_child' }] } }],
      },
    ])
  })

  test('reports that nothing would change', async () => {
    const id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
    const { json } = await api.put(`/artifacts/${id}?dry_run=true`, {
      as: TOM,
      body: { values_by_field: { summary: 'Crates' } },
    })

    expect(json.dry_run).toMatchObject({ status: 200, changes: [], rules: [], notified: [], would_answer: { id } })
  })

  test('checks the precondition, and uses up no idempotency key', async () => {
    const id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
    const body = { comment: { body: 'Hello' } }
    const headers = { 'idempotency-key': 'spent?' }
    const put = (query: string, more: object, other: object = body) =>
      api.put(`/artifacts/${id}${query}`, { as: TOM, headers: { ...headers, ...more }, body: other })

    expect(await put('?dry_run=true', { 'if-match': '"stale"' })).toMatchObject(refused(412, 'version_mismatch'))
    expect((await put('?dry_run=true', {})).status).toBe(200)
    const first = await put('', {}, { comment: { body: 'Another' } })
    expect(first.status).toBe(200)
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect((await put('?dry_run=true', {})).status).toBe(200)
  })

  test('is hidden if the artifact is', async () => {
    const id = await makeTestArtifact(api, hidden, { summary: 'Psst' })
    expect(await api.put(`/artifacts/${id}?dry_run=true`, { as: TOM, body: { values: [] } })).toMatchObject(
      refused(404, 'not_found'),
    )
  })
})
