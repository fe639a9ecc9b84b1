import { beforeAll, describe, expect, test } from 'vitest'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  type MadeTracker,
  makeTestArtifact,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

/**
 * Violates each pair of adjacent checks at once: the first one must answer. Workflow checks after the fields are tested
 * in `rules/workflow.test.ts`. There is no permission to update an artifact apart from seeing it, so an update has no
 * check between visibility and precondition.
 */
const { api } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let careful: MadeTracker
let hidden: number
let id: number

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const closed = { read: ['@anonymous'], submit: ['@admins'], update: ['@admins'] }

beforeAll(async () => {
  tracker = await makeTestTracker(api, {
    ...EVERY_FIELD,
    elements: [...EVERY_FIELD.elements, field('fixed', 'int', { permissions: closed, required: false })],
  })
  careful = await makeTestTracker(api, {
    label: 'Careful',
    item_name: 'careful',
    settings: { require_precondition: true },
    permissions: { full: ['@anonymous'] },
    elements: [field('summary', 'string')],
  })
  hidden = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Psst' })
  id = await makeTestArtifact(api, tracker, { summary: 'Crates' })
})

interface Write {
  as?: TestPerson | undefined
  headers?: Record<string, string>
  body?: unknown
}
const put = (path: string | number, { as = TOM, headers = {}, body = NOTHING }: Write = {}) =>
  api.put(`/artifacts/${path}`, { as, headers, body })
const NOTHING = { values: [] }
const NO_SOURCE = {}
const UNKNOWN_FIELD = { values_by_field: { nothing: 1 } }
const STALE = { 'if-match': '"stale"' }
let keys = 0
const newKey = () => ({ 'idempotency-key': `order-${++keys}` })

describe('PUT /artifacts/{id} checks', () => {
  test('media types before credentials', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await api.put(`/artifacts/${id}`, { headers, body: '{' })).toMatchObject(
      refused(415, 'unsupported_media_type'),
    )
    expect(await api.put(`/artifacts/${id}`, { headers: { accept: 'image/png' }, body: '{' })).toMatchObject(
      refused(406, 'not_acceptable'),
    )
  })

  test('credentials before the body', async () => {
    expect(await api.put(`/artifacts/${id}`, { body: '{' })).toMatchObject(refused(401, 'authentication_required'))
    const headers = { 'x-auth-accesskey': 'tlp.k1.nothing' }
    expect((await api.put(`/artifacts/${id}`, { headers, body: '{' })).status).toBe(401)
  })

  test('the size of the body before its syntax', async () => {
    expect(await put(id, { body: `{${' '.repeat(8 * 1024 * 1024)}` })).toMatchObject(refused(413, 'payload_too_large'))
  })

  test('its syntax before its schema', async () => {
    expect(await put(id, { body: '{"values": 7' })).toMatchObject(refused(400, 'body_malformed'))
  })

  test.each([
    ['no list', { values: {} }, 'parameter_invalid', 'values_not_array'],
    ['a list of no objects', { values: [7] }, 'parameter_invalid', 'values_not_array'],
    ['no field', { values: [{ value: 1 }] }, 'parameter_required', undefined],
    ['no id of a field', { values: [{ field_id: 'summary' }] }, 'parameter_invalid', 'field_id_not_integer'],
    ['nothing to write', NO_SOURCE, 'parameter_required', 'value_source_missing'],
    [
      'two sources',
      { values: [{ field_id: 1 }], values_by_field: { a: 1 } },
      'parameter_conflict',
      'value_sources_conflict',
    ],
    [
      'a comment that is too long',
      { comment: { body: 'x'.repeat(65_536) } },
      'parameter_out_of_range',
      'comment_too_long',
    ],
  ])('%s before the form of the id, and before the artifact is loaded', async (_, body, reason, cause) => {
    const answer = refused(400, reason, cause === undefined ? {} : { cause })
    expect(await put('twelve', { body })).toMatchObject(answer)
    expect(await put(999_999, { body })).toMatchObject(answer)
    expect(await put(hidden, { body })).toMatchObject(answer)
    expect(await put(id, { headers: STALE, body })).toMatchObject(answer)
  })

  test('the form of the id before the key, and the artifact', async () => {
    expect(await put('twelve', { headers: newKey() })).toMatchObject(refused(400, 'id_malformed'))
    expect(await put('twelve', { headers: { 'idempotency-key': '' } })).toMatchObject(refused(400, 'parameter_invalid'))
  })

  test('the schema before the key: an invalid request is not another request', async () => {
    const headers = newKey()
    expect((await put(id, { headers })).status).toBe(200)
    expect(await put(id, { headers, body: NO_SOURCE })).toMatchObject(refused(400, 'parameter_required'))
    expect(await put(id, { headers, body: UNKNOWN_FIELD })).toMatchObject(refused(422, 'idempotency_key_reused'))
  })

  test('the key before the artifact and its version; a response is replayed only while the artifact exists', async () => {
    const [mine, headers] = [await makeTestArtifact(api, tracker, { summary: 'Crates' }), newKey()]
    const first = await put(mine, { as: MARA, headers, body: { comment: { body: 'Bye' } } })
    const repeat = () => put(mine, { as: MARA, headers: { ...headers, ...STALE }, body: { comment: { body: 'Bye' } } })
    expect(await repeat()).toMatchObject({ status: 200, text: first.text })
    expect((await api.delete(`/artifacts/${mine}`, { as: MARA })).status).toBe(200)

    expect(await repeat()).toMatchObject(refused(404, 'not_found'))
    expect(await put(mine, { as: MARA, headers })).toMatchObject(refused(422, 'idempotency_key_reused'))
    expect(await put(mine, { as: MARA })).toMatchObject(refused(404, 'not_found'))
  })

  test('visibility before the version, and before the fields', async () => {
    for (const nowhere of [hidden, 999_999])
      expect(await put(nowhere, { headers: STALE, body: UNKNOWN_FIELD })).toMatchObject(refused(404, 'not_found'))
  })

  test('the version before the fields, and before an idle change', async () => {
    expect(await put(id, { headers: STALE, body: UNKNOWN_FIELD })).toMatchObject(refused(412, 'version_mismatch'))
    expect(await put(id, { headers: STALE })).toMatchObject(refused(412, 'version_mismatch'))
  })

  test('a required precondition before the fields', async () => {
    const one = await makeTestArtifact(api, careful, { summary: 'Glass' })
    expect(await put(one, { body: UNKNOWN_FIELD })).toMatchObject(refused(428, 'precondition_required'))
    expect(await put(one, { headers: STALE, body: UNKNOWN_FIELD })).toMatchObject(refused(412, 'version_mismatch'))
    expect(await put(one, { headers: { 'if-match': '*' } })).toMatchObject({ status: 200 })
  })

  test('the version before whether the project is active, and that before the fields', async () => {
    const status = (to: string) => api.patch(`/projects/${ORCHARD}`, { as: ADA, body: { status: to } })
    expect((await status('suspended')).status).toBe(200)
    try {
      const stale = await put(id, { as: ADA, headers: STALE, body: UNKNOWN_FIELD })
      const inactive = await put(id, { as: ADA, body: UNKNOWN_FIELD })
      const hiddenNow = await put(id, { body: UNKNOWN_FIELD })

      expect(stale).toMatchObject(refused(412, 'version_mismatch'))
      expect(inactive).toMatchObject(refused(400, 'rule_violated', { cause: 'project_not_active' }))
      expect(hiddenNow).toMatchObject(refused(404, 'project_suspended'))
    } finally {
      expect((await status('active')).status).toBe(200)
    }
  })
})

describe('of one field', () => {
  const one = async (name: string, item: object) => {
    const { json } = await put(id, { body: { values: [{ field_id: tracker.field(name), ...item }] } })
    return json.error.details.all
  }

  test('the syntax of a value is checked before the permission to change it', async () => {
    expect(await one('fixed', { value: 'seven' })).toMatchObject([{ cause: 'not_a_number' }])
    expect(await one('fixed', { value: 7 })).toMatchObject([{ cause: 'field_not_updatable' }])
  })

  test('the first problem is the reason, and all problems are in form order', async () => {
    const body = {
      values: [
        { field_id: tracker.field('points'), value: 'many' },
        { field_id: 999_999, value: 1 },
        { field_id: tracker.field('summary'), value: 'Two\nlines' },
        { field_id: tracker.field('summary'), value: 'Again' },
        { field_id: tracker.field('fixed'), value: 7 },
      ],
    }
    const { status, json } = await put(id, { body })

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'reference_unknown', details: { cause: 'field_unknown' } })
    expect(json.error.details.all).toMatchObject([
      { reason: 'reference_unknown', cause: 'field_unknown', path: 'values[1]' },
      { reason: 'field_duplicate', path: 'values[3]', name: 'summary', field_id: tracker.field('summary') },
      { reason: 'value_invalid', cause: 'line_break', path: 'values[2].value', name: 'summary', label: 'summary' },
      { reason: 'value_invalid', cause: 'not_a_number', path: 'values[0].value', name: 'points' },
      { reason: 'field_not_writable', cause: 'field_not_updatable', path: 'values[4]', name: 'fixed' },
    ])
    expect(json.error.message.split('\n')).toHaveLength(5)
  })
})

describe('POST /artifacts checks', () => {
  const post = (body: object, headers: Record<string, string> = {}) =>
    api.post('/artifacts', { as: TOM, headers, body })
  const shut = { label: 'Shut', item_name: 'shut', elements: [field('summary', 'string', { permissions: closed })] }

  test('the schema before the tracker is loaded', async () => {
    expect(await post({ tracker: { id: 999_999 } })).toMatchObject(refused(400, 'parameter_required'))
    expect(await post({ tracker: { id: 999_999 }, values: [{ field_id: 'x' }] })).toMatchObject(
      refused(400, 'parameter_invalid', { cause: 'field_id_not_integer' }),
    )
  })

  test('visibility of the tracker before the permission to submit, and that before the fields', async () => {
    const { id: invisible } = await makeTestTracker(api, { ...shut, permissions: { full: ['@admins'] } })
    const visible = { ...shut, item_name: 'shut_too', label: 'Shut too', permissions: { full: ['@anonymous'] } }
    const { id: open } = await makeTestTracker(api, visible)

    expect(await post({ tracker: { id: invisible }, ...UNKNOWN_FIELD })).toMatchObject(refused(404, 'not_found'))
    expect(await post({ tracker: { id: open }, ...UNKNOWN_FIELD })).toMatchObject(
      refused(403, 'permission_denied', { cause: 'submit' }),
    )
  })

  test('the key before the tracker', async () => {
    const headers = newKey()
    const made = await post({ tracker: { id: tracker.id }, values_by_field: { summary: 'Crates' } }, headers)
    expect(made.status).toBe(201)
    expect(await post({ tracker: { id: 999_999 }, ...UNKNOWN_FIELD }, headers)).toMatchObject(
      refused(422, 'idempotency_key_reused'),
    )
  })

  test('no precondition: there is no version yet', async () => {
    const body = { tracker: { id: careful.id }, values_by_field: { summary: 'Glass' } }
    expect((await post(body, STALE)).status).toBe(201)
  })
})
