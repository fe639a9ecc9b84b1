import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { describeApi } from '../openapi/describe-api.ts'
import { isConditional, requirePrecondition, type ResourceVersion } from '../wire/etag.ts'
import { ApiError } from '../messages/errors.ts'
import { readRoute, writeRoute } from './route.ts'

const Note = Type.Object({ text: Type.String() })
const version: ResourceVersion = {
  kind: 'note',
  id: 7,
  version: 3,
  last_modified: new Date('2026-03-01T09:30:00.750Z'),
}
const routes = [
  readRoute({
    method: 'GET',
    path: '/note',
    operationId: 'getNote',
    summary: 'Show.',
    access: 'everyone',
    versioned: 'dated',
    answer: Note,
    async handle() {
      return { body: { text: 'hello' }, version }
    },
  }),
  writeRoute({
    method: 'PUT',
    path: '/note',
    operationId: 'updateNote',
    summary: 'Change.',
    access: 'signed_in',
    versioned: 'dated',
    action: null,
    body: Note,
    answer: Note,
    async handle({ headers, body }) {
      if (body.text === 'guarded' && !isConditional(headers)) throw new ApiError('precondition_required')
      requirePrecondition(headers, version)
      return { body, version }
    },
  }),
]
const { api } = await startWorld({ routes, seedOnce: true })

const LAST_MODIFIED = 'Sun, 01 Mar 2026 09:30:00 GMT'
const put = (headers: Record<string, string>, text = 'hello') => api.put('/note', { as: TOM, body: { text }, headers })

describe('Last-Modified', () => {
  test('is on reads and writes, and on 304', async () => {
    const read = await api.get('/note')
    expect(read.headers).toMatchObject({ 'last-modified': LAST_MODIFIED, 'cache-control': 'no-store' })
    expect((await put({})).headers['last-modified']).toBe(LAST_MODIFIED)
    const unchanged = await api.get('/note', { headers: { 'if-none-match': String(read.headers.etag) } })
    expect(unchanged.status).toBe(304)
    expect(unchanged.headers).toMatchObject({ 'last-modified': LAST_MODIFIED, 'cache-control': 'private, no-cache' })
  })

  test('is on a replayed answer', async () => {
    await put({ 'idempotency-key': 'k1' })
    const again = await put({ 'idempotency-key': 'k1' })
    expect(again.headers).toMatchObject({ 'last-modified': LAST_MODIFIED, 'idempotency-replayed': 'true' })
    expect(again.headers.etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/)
  })

  test('is described, with the headers that a writer may send', () => {
    const description = JSON.stringify(describeApi(routes))
    expect(description).toContain('#/components/parameters/IfUnmodifiedSince')
    expect(description).toContain('#/components/headers/Last-Modified')
  })
})

describe('If-Unmodified-Since', () => {
  test.each([LAST_MODIFIED, '2026-03-01T09:30:00+00:00', '2026-03-01T09:30:00Z', '2026-03-01T10:30:00+01:00'])(
    '%s is the current one',
    async (since) => {
      expect((await put({ 'if-unmodified-since': since })).status).toBe(200)
    },
  )

  test.each([
    'Sun, 01 Mar 2026 09:30:01 GMT',
    'Sun, 01 Mar 2026 09:29:59 GMT',
    'Sun, 01 Mar 2026 09:30:00',
    'Fri, 01 Jan 2100 00:00:00 GMT',
    'yesterday',
    '0',
  ])('%s is not', async (since) => {
    const answer = await put({ 'if-unmodified-since': since })
    expect(answer.status).toBe(412)
    const { reason, details } = answer.json.error
    expect(reason).toBe('version_mismatch')
    expect(details.current_last_modified).toBe('2026-03-01T09:30:00+00:00')
    expect(details.current_etag).toMatch(/^"[\w-]{22}"$/)
    expect(answer.headers.etag).toBe(details.current_etag)
  })

  test('must hold together with If-Match', async () => {
    const etag = String((await api.get('/note')).headers.etag)
    const both = (tag: string, since: string) => put({ 'if-match': tag, 'if-unmodified-since': since })
    expect((await both(etag, LAST_MODIFIED)).status).toBe(200)
    expect((await both('"other"', LAST_MODIFIED)).status).toBe(412)
    expect((await both(etag, 'Sun, 01 Mar 2026 09:30:01 GMT')).status).toBe(412)
  })
})

test('either header satisfies a write that requires a condition', async () => {
  expect((await put({}, 'guarded')).status).toBe(428)
  expect((await put({ 'if-match': '*' }, 'guarded')).status).toBe(200)
  expect((await put({ 'if-unmodified-since': LAST_MODIFIED }, 'guarded')).status).toBe(200)
})
