import { describe, expect, test } from 'vitest'
import { startWorld } from '../../server/test/harness/start-world.ts'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { BUG, BUGS, ORCHARD, VAULT } from '../../server/test/fixtures/seed-ids.ts'
import { bodyOf, Refusal } from '../src/answer.ts'
import { type Connection, createClient, sizeOf } from '../src/client.ts'

const { api } = await startWorld()

/** A client of Tom that records its requests, and whose network can fail. */
function watched(
  connection: Connection = {},
  disturb: (count: number) => Response | Error | undefined = () => undefined,
) {
  const sent: { url: string; headers: Headers; status: number }[] = []
  const client = createClient({
    url: api.origin,
    key: TOM.key,
    ...connection,
    fetch: async (url, request) => {
      const record = { url, headers: new Headers(request.headers), status: 0 }
      sent.push(record)
      const disturbed = disturb(sent.length)
      if (disturbed instanceof Error) throw disturbed
      const response = disturbed ?? (await fetch(url, request))
      record.status = response.status
      return response
    },
  })
  return { client, sent }
}

describe('a call', () => {
  test('fills in the address and returns the response of the operation', async () => {
    const { client } = watched()

    const answer = await client.call('GET /projects/{id}', { path: { id: ORCHARD } })

    expect(answer).toMatchObject({ ok: true, status: 200, body: { id: ORCHARD, shortname: 'orchard' } })
  })

  test('that is refused returns reason, details and request id', async () => {
    const { client } = watched()

    const answer = await client.call('GET /projects/{id}', { path: { id: VAULT } })

    expect(answer).toMatchObject({ ok: false, status: 404, reason: 'not_found', request_id: expect.any(String) })
    expect(() => bodyOf(answer)).toThrow(Refusal)
  })

  test('names the invalid input', async () => {
    const answer = await watched().client.call('POST /access_keys', { body: { scopes: ['everything'] } })

    expect(answer).toMatchObject({
      ok: false,
      status: 400,
      reason: 'scope_invalid',
      details: { path: 'scopes[0]', allowed: ['write:rest', 'read:rest', 'write:svn', 'read:svn', 'write:account'] },
    })
  })

  test('by dryRun writes nothing', async () => {
    const { client } = watched()

    const report = await client.dryRun('POST /access_keys', { body: { description: 'perhaps' } })

    expect(report.ok && report.body.dry_run).toMatchObject({ status: 201 })
    expect(await Array.fromAsync(client.list('GET /users/{id}/access_keys', { path: { id: 'self' } }))).toHaveLength(1)
  })

  test('without a response returns `unreachable` and does not throw', async () => {
    const { client } = watched({ attempts: 2 }, () => new Error('The cable is out.'))

    expect(await client.call('GET /version')).toMatchObject({
      ok: false,
      status: 0,
      reason: 'unreachable',
      message: 'The cable is out.',
    })
  })

  test('that a proxy refuses in another format is a failure too', async () => {
    const { client } = watched({ attempts: 1 }, () => new Response('<h1>Bad Gateway</h1>', { status: 502 }))

    expect(await client.call('GET /version')).toMatchObject({ ok: false, status: 502, reason: 'unreadable' })
  })

  test('outside of a browser and without a key is anonymous', async () => {
    const answer = await createClient({ url: api.origin }).call('GET /users/{id}', { path: { id: 'self' } })

    expect(answer).toMatchObject({ ok: false, status: 401, reason: 'authentication_required' })
  })
})

describe('lists', () => {
  test('are read page by page, each element once', async () => {
    const { client, sent } = watched({ key: MARA.key })
    const all = bodyOf(await client.call('GET /projects', { query: { limit: 50 } }))

    const projects = await Array.fromAsync(client.list('GET /projects', { query: { limit: 1, fields: 'id' } }))

    expect(projects.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(sent).toHaveLength(1 + all.length)
    expect(sent.at(-1)?.url).toMatch(/cursor=/)
    expect(sent.at(-1)?.url).toMatch(/fields=id/)
  })

  test('return the total size', async () => {
    const page = await watched().client.call('GET /projects', { query: { limit: 1 } })

    expect(page.ok && sizeOf(page)).toBeGreaterThan(1)
  })

  test('end at the first refusal, which a loop over elements throws', async () => {
    const { client } = watched()
    const refused = { path: { id: VAULT } }

    const pages = await Array.fromAsync(client.pages('GET /projects/{id}/trackers', refused))

    expect(pages).toMatchObject([{ ok: false, reason: 'not_found' }])
    await expect(Array.fromAsync(client.list('GET /projects/{id}/trackers', refused))).rejects.toThrow(Refusal)
  })
})

describe('a cached response', () => {
  test('is revalidated by its ETag, and comes from memory while it is unchanged', async () => {
    const { client, sent } = watched({ key: MARA.key })
    const input = { path: { id: 'self' as const } }

    const first = await client.call('GET /users/{id}', input)
    const second = await client.call('GET /users/{id}', input)
    const etag = first.ok ? first.etag : undefined

    expect(sent.map(({ status }) => status)).toEqual([200, 304])
    expect(sent[1]?.headers.get('if-none-match')).toBe(etag)
    expect(second).toMatchObject({ ok: true, status: 200, isUnchanged: true })
    expect(bodyOf(second)).toEqual(bodyOf(first))
  })

  test('is dropped when the account changes', async () => {
    const { client, sent } = watched()
    await client.call('GET /users/{id}', { path: { id: 'self' } })

    client.forget()
    await client.call('GET /users/{id}', { path: { id: 'self' } })

    expect(sent[1]?.headers.has('if-none-match')).toBe(false)
  })

  test('is overwritten only at the version that was read', async () => {
    const { client } = watched({ key: MARA.key })
    const input = { path: { id: 'self' as const } }
    const read = await client.call('GET /users/{id}', input)
    const etag = read.ok ? read.etag : undefined
    const change = (real_name: string) =>
      client.call('PATCH /users/{id}', { ...input, body: { real_name }, ...(etag !== undefined && { ifMatch: etag }) })

    expect(etag).toBeDefined()
    expect(await change('Mara K.')).toMatchObject({ ok: true })
    expect(await change('Mara L.')).toMatchObject({ ok: false, status: 412, reason: 'version_mismatch' })
  })
})

describe('a transient failure', () => {
  const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } })

  test('of a read is retried', async () => {
    const { client, sent } = watched({}, (count) => (count < 3 ? busy() : undefined))

    expect(await client.call('GET /version')).toMatchObject({ ok: true })
    expect(sent).toHaveLength(3)
  })

  test('of a write is retried with the same key, so that it is applied once', async () => {
    const lost = new Error('The answer was lost.')
    let isLost = false
    const sent: Headers[] = []
    const client = createClient({
      url: api.origin,
      key: TOM.key,
      fetch: async (url, request) => {
        sent.push(new Headers(request.headers))
        const response = await fetch(url, request)
        if (isLost || request.method !== 'POST') return response
        isLost = true
        throw lost
      },
    })

    const values = [{ field_id: BUG.summary, value: 'Reported once' }]
    expect(await client.call('POST /artifacts', { body: { tracker: { id: BUGS }, values } })).toMatchObject({
      status: 201,
    })
    expect(new Set(sent.map((headers) => headers.get('idempotency-key'))).size).toBe(1)
    const bugs = await Array.fromAsync(client.list('GET /trackers/{id}/artifacts', { path: { id: BUGS } }))
    expect(sent.length).toBe(3)
    expect(bugs).toHaveLength(1)
  })

  test('of a write without a key is not retried', async () => {
    const { client, sent } = watched({}, busy)

    expect(await client.call('POST /search', { body: { keywords: 'pump' } })).toMatchObject({ ok: false, status: 503 })
    expect(sent).toHaveLength(1)
  })

  test('with a long Retry-After is not waited for', async () => {
    const { client, sent } = watched({}, () => new Response('{}', { status: 429, headers: { 'retry-after': '3600' } }))

    expect(await client.call('GET /version')).toMatchObject({ ok: false, status: 429, retryAfterSeconds: 3600 })
    expect(sent).toHaveLength(1)
  })
})
