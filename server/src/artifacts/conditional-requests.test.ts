import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Response } from '../../test/harness/client.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { refused } from '../../test/harness/refused.ts'

const { api, clock } = await startWorld({ seedOnce: true })
let tracker: MadeTracker
let id: number

type Headers = Record<string, string>
const get = (headers: Headers = {}, query = '') => api.get(`/artifacts/${id}?${query}`, { as: TOM, headers })
const put = (headers: Headers, body: object = { values_by_field: { summary: 'Changed' } }) =>
  api.put(`/artifacts/${id}`, { as: TOM, headers, body })
const etagOf = ({ headers }: Response) => String(headers.etag)
const [QUOTED, DATED] = [/^"([\w-]{22})\.([\w-]{22})"$/, 'last-modified']

beforeAll(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
})
beforeEach(async () => {
  clock.set('2026-03-01T09:30:00.400Z')
  id = await makeTestArtifact(api, tracker, { summary: { value: 'First' } })
})

describe('ETag and Last-Modified', () => {
  test('identify the version and the representation that this caller receives', async () => {
    const [json, xml] = [await get(), await get({ accept: 'application/xml' })]
    const [, version, bytes] = QUOTED.exec(etagOf(json)) ?? []
    const [, same, others] = QUOTED.exec(etagOf(xml)) ?? []

    expect(json.headers[DATED]).toBe('Sun, 01 Mar 2026 09:30:00 GMT')
    expect(json.headers['cache-control']).toBe('no-store')
    expect(same).toBe(version)
    expect(others).not.toBe(bytes)
    expect(etagOf(await get())).toBe(etagOf(json))
  })

  test('change with each version, each to its own second, even if the clock stands still', async () => {
    const first = await get()
    const [second, third] = [await put({}), await put({}, { comment: { body: 'Hi' } })]

    expect(new Set([first, second, third].map((answer) => etagOf(answer).split('.')[0])).size).toBe(3)
    expect([second, third].map(({ headers }) => headers[DATED])).toEqual([
      'Sun, 01 Mar 2026 09:30:01 GMT',
      'Sun, 01 Mar 2026 09:30:02 GMT',
    ])
    expect(third.json.last_modified_date).toBe('2026-03-01T09:30:00+00:00') // The actual time.
    expect(etagOf(await get())).toBe(etagOf(third))
  })

  test('stay the same when nothing changes', async () => {
    const before = await get()
    clock.advance(60_000)
    const after = await put({ 'if-match': etagOf(before) }, { values_by_field: { summary: 'First' } })

    expect(after.status).toBe(200)
    expect(etagOf(after).split('.')[0]).toBe(etagOf(before).split('.')[0])
    expect(after.headers[DATED]).toBe(before.headers[DATED])
  })
})

describe('If-Match', () => {
  const forms: [form: string, of: (tag: string) => string][] = [
    ['the whole tag', (tag) => tag],
    ['the whole tag without quotes', (tag) => tag.slice(1, -1)],
    ['its first part', (tag) => `${tag.split('.')[0]}"`],
    ['its first part without quotes', (tag) => tag.slice(1).split('.')[0] ?? ''],
    ['the version with other bytes', (tag) => `${tag.split('.')[0]}.AAAAAAAAAAAAAAAAAAAAAA"`],
    ['a list that has it', (tag) => `"other", ${tag}, W/"weak"`],
    ['a star', () => '*'],
  ]
  test.each(forms)('accepts %s', async (_, of) => {
    expect((await put({ 'if-match': of(etagOf(await get())) })).status).toBe(200)
  })

  const strangers: [form: string, of: (tag: string) => string][] = [
    ['a weak tag', (tag) => `W/${tag}`],
    ['empty quotes', () => '""'],
    ['nothing', () => ''],
    ['garbage', () => 'garbage'],
    ['the bytes alone', (tag) => `"${tag.slice(1, -1).split('.')[1]}"`],
    ['half a tag', (tag) => tag.slice(0, 12)],
    ['unix seconds', () => '1772357400'],
  ]
  test.each(strangers)('never accepts %s', async (_, of) => {
    const before = await get()
    const answer = await put({ 'if-match': of(etagOf(before)) })

    expect(answer).toMatchObject(refused(412, 'version_mismatch'))
    expect(etagOf(await get())).toBe(etagOf(before))
  })

  test('reports the current version to a stale writer, and accepts it on retry', async () => {
    const stale = etagOf(await get())
    const current = etagOf(await put({})).split('.')[0] ?? ''
    const answer = await put({ 'if-match': stale }, { values_by_field: { summary: 'Too late' } })

    expect(answer).toMatchObject(refused(412, 'version_mismatch', { current_etag: `${current}"` }))
    expect(etagOf(answer)).toBe(`${current}"`)
    expect((await put({ 'if-match': etagOf(answer) }, { values_by_field: { summary: 'In time' } })).status).toBe(200)
  })

  test('is checked before fields and before idle updates, but after visibility', async () => {
    const stale = etagOf(await get())
    await put({})

    expect(await put({ 'if-match': stale }, { values_by_field: { nothing: 1 } })).toMatchObject(
      refused(412, 'version_mismatch'),
    )
    expect(await put({ 'if-match': stale }, { values_by_field: { summary: 'Changed' } })).toMatchObject(
      refused(412, 'version_mismatch'),
    )
    expect(await put({ 'if-match': stale }, {})).toMatchObject(refused(400, 'parameter_required'))
    const hidden = await api.put('/artifacts/999999', {
      as: OLGA,
      headers: { 'if-match': stale },
      body: { values: [] },
    })
    expect(hidden).toMatchObject(refused(404, 'not_found'))
  })

  test('accepts the tag of a past state only while it is the current version', async () => {
    const first = etagOf(await get({}, 'version=1'))
    expect((await put({ 'if-match': first })).status).toBe(200)
    expect((await put({ 'if-match': etagOf(await get({}, 'version=1')) })).status).toBe(412)
    expect((await put({ 'if-match': etagOf(await get({}, 'version=2')) }, { comment: { body: 'x' } })).status).toBe(200)
  })
})

describe('If-Unmodified-Since', () => {
  test.each(['Sun, 01 Mar 2026 09:30:00 GMT', '2026-03-01T09:30:00Z', '2026-03-01T10:30:00+01:00'])(
    'accepts the second of the version, as %s',
    async (since) => {
      expect((await put({ 'if-unmodified-since': since })).status).toBe(200)
    },
  )

  test.each(['Sun, 01 Mar 2026 09:30:01 GMT', 'Sun, 01 Mar 2026 09:29:59 GMT', 'yesterday', '1772357400', ''])(
    'does not accept %j',
    async (since) => {
      expect(await put({ 'if-unmodified-since': since })).toMatchObject(refused(412, 'version_mismatch'))
    },
  )

  test('must hold together with If-Match', async () => {
    const { headers } = await get()
    const [tag, since] = [String(headers.etag), String(headers[DATED])]

    expect((await put({ 'if-match': tag, 'if-unmodified-since': 'never' })).status).toBe(412)
    expect((await put({ 'if-match': '"other"', 'if-unmodified-since': since })).status).toBe(412)
    expect((await put({ 'if-match': tag, 'if-unmodified-since': since })).status).toBe(200)
  })
})

describe('a tracker that requires a precondition', () => {
  test('answers 428 to a write without a precondition', async () => {
    const settings = { require_precondition: true }
    const strict = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'strict', label: 'Strict', settings })
    id = await makeTestArtifact(api, strict, { summary: { value: 'First' } })

    expect(await put({})).toMatchObject(refused(428, 'precondition_required'))
    expect((await put({ 'if-match': '*' })).status).toBe(200)
    expect(
      (await put({ 'if-unmodified-since': String((await get()).headers[DATED]) }, { comment: { body: 'Hi' } })).status,
    ).toBe(200)
    expect(await put({ 'if-match': '"other"' })).toMatchObject(refused(412, 'version_mismatch'))
  })
})

describe('If-None-Match', () => {
  const forms: [form: string, of: (tag: string) => string][] = [
    ['the whole tag', (tag) => tag],
    ['a tag that a proxy made weak', (tag) => `W/${tag}`],
    ['a bare tag', (tag) => tag.slice(1, -1)],
    ['a list', (tag) => `"other", ${tag}`],
    ['a star', () => '*'],
  ]
  test.each(forms)('answers 304 to %s', async (_, of) => {
    const before = await get()
    const answer = await get({ 'if-none-match': of(etagOf(before)) })

    expect(answer).toMatchObject({ status: 304, text: '' })
    expect(answer.headers).toMatchObject({ etag: etagOf(before), 'cache-control': 'private, no-cache' })
    expect(answer.headers[DATED]).toBe(before.headers[DATED])
  })

  test('answers 200 to the version alone, and to the tag of another representation', async () => {
    const tag = etagOf(await get())

    expect((await get({ 'if-none-match': `${tag.split('.')[0]}"` })).status).toBe(200)
    expect((await get({ 'if-none-match': tag }, 'values_format=all')).status).toBe(200)
    expect((await get({ 'if-none-match': tag, accept: 'application/xml' })).status).toBe(200)
    expect((await get({ 'if-none-match': tag }, 'version=1')).status).toBe(200)
  })

  test('never answers 304 for an artifact that the caller may no longer read', async () => {
    const path = `/trackers/${tracker.id}/definition`
    const { json: definition } = await api.get(path, { as: MARA })
    await put({}, { values_by_field: { points: 7 } })
    const before = await get()
    const isClosed = (field: { name: string }) => field.name === 'points'
    const permissions = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
    const closed = definition.elements.map((each: { name: string }) =>
      isClosed(each) ? { ...each, permissions } : each,
    )
    const change = await api.put(path, { as: MARA, body: { ...definition, elements: closed } })
    expect(change.status).toBe(200)

    const after = await get({ 'if-none-match': etagOf(before) })
    expect(after.status).toBe(200)
    expect(names(before.json)).toContain(tracker.field('points'))
    expect(names(after.json)).not.toContain(tracker.field('points'))
    expect(etagOf(after).split('.')[0]).toBe(etagOf(before).split('.')[0]) // The version part stays equal, so writers are not affected.
    expect((await get({ 'if-none-match': etagOf(after) })).status).toBe(304)
    await api.put(path, { as: MARA, body: definition })
  })
})

describe('a past state', () => {
  beforeEach(async () => {
    clock.set('2026-03-01T10:00:00.250Z')
    await put({}, { values_by_field: { summary: 'Second' } })
  })

  test.each([
    { query: 'version=1', title: 'First', version: 1, is_current: false },
    { query: 'version=2', title: 'Second', version: 2, is_current: true },
    { query: 'at=2026-03-01T10:00:00.249999Z', title: 'First', version: 1, is_current: false },
    { query: 'at=2026-03-01T10:00:00.250Z', title: 'Second', version: 2, is_current: true },
    { query: 'at=2026-03-01T10:00:00Z', title: 'First', version: 1, is_current: false },
    { query: 'at=2026-03-01T09:30:00.400000', title: 'First', version: 1, is_current: false },
    { query: 'at=2026-03-01', title: 'Second', version: 2, is_current: true }, // The end of that day.
    { query: 'at=2030-01-01', title: 'Second', version: 2, is_current: true },
  ])('is shown by $query', async ({ query, ...shown }) => {
    const { status, json } = await get({}, query)

    expect(status).toBe(200)
    expect(json).toMatchObject(shown)
    expect(json).toHaveProperty('as_of')
  })

  test.each([
    { query: 'version=0', status: 404, reason: 'not_found' },
    { query: 'version=-1', status: 404, reason: 'not_found' },
    { query: 'version=3', status: 404, reason: 'not_found' },
    { query: 'version=99999999999', status: 404, reason: 'not_found' },
    { query: 'version=one', status: 400, reason: 'parameter_invalid' },
    { query: 'at=2026-03-01T09:30:00.399999Z', status: 404, reason: 'not_found' },
    { query: 'at=2026-02-28', status: 404, reason: 'not_found' },
    { query: 'at=lunch', status: 400, reason: 'parameter_invalid' },
    { query: 'at=2026-02-30', status: 400, reason: 'parameter_invalid' },
    { query: 'at=2026-03-01&version=1', status: 400, reason: 'parameter_conflict' },
  ])('is refused for $query', async ({ query, status, reason }) => {
    expect(await get({}, query)).toMatchObject(refused(status, reason))
  })

  test('cannot be requested for an artifact in its current state', async () => {
    const { json } = await get()
    expect(json).not.toHaveProperty('version')
    expect(json).not.toHaveProperty('is_current')
  })
})

function names({ values }: { values: readonly { field_id: number }[] }): number[] {
  return values.map(({ field_id }) => field_id)
}
