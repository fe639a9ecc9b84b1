import { sql } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, TOM } from '../../../test/fixtures/people.ts'
import { poolState } from '../database/db.ts'
import { readRoute } from './route.ts'

const Apple = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'Apple' })
const COUNT = 2500

let held = Promise.withResolvers<void>()
let holding = 0
const list = readRoute({
  method: 'GET',
  path: '/apples',
  operationId: 'listApples',
  summary: 'List apples.',
  access: 'everyone',
  query: {
    rotten: Type.Optional(Type.Boolean()),
    slow: Type.Optional(Type.Boolean()),
    many: Type.Optional(Type.Boolean()),
  },
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(Apple),
  async handle() {
    return { body: [], size: COUNT }
  },
  formats: {
    async exportRows({ query }, tx) {
      async function* rows() {
        for (let first = 1; first <= COUNT; first += 1000) {
          const { rows: batch } = await sql`select id, '=' || id as name, 'secret' as worm
          from generate_series(${first}::int, least(${first}::int + 999, ${COUNT})) id`.execute(tx)
          yield batch
          if (query.rotten) throw new Error('There is a worm in it.')
          if (!query.slow) continue
          holding++
          await held.promise.finally(() => holding--)
        }
      }
      return { size: query.many ? 20_000 : COUNT, rows: rows() }
    },
  },
})
const plain = readRoute({
  method: 'GET',
  path: '/pears',
  operationId: 'listPears',
  summary: 'List pears.',
  access: 'everyone',
  answer: Type.Array(Apple),
  pages: 'whole',
  async handle() {
    return { body: [], size: 0 }
  },
})
const { api, context } = await startWorld({ routes: [list, plain] })

const NDJSON = { accept: 'application/x-ndjson' }
const busy = () => poolState(context.pools.exports).busy

describe('a list that can be exported', () => {
  test('is one stream of lines', async () => {
    const { status, headers, text } = await api.get('/apples', { headers: NDJSON })
    const lines = text.split('\n')

    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="apples.ndjson"')
    expect(headers['x-pagination-size']).toBe(String(COUNT))
    expect(headers['etag']).toBeUndefined()
    expect(lines).toHaveLength(COUNT + 1)
    expect(lines[0]).toBe('{"id":1,"name":"=1"}')
    expect(lines.at(-1)).toBe('')
  })

  test('is a table in CSV', async () => {
    const { headers, text } = await api.get('/apples', { headers: { accept: 'text/csv' } })

    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="apples.csv"')
    expect(text.split('\r\n').slice(0, 2)).toEqual(['id,name', "1,'=1"])
    expect(text.split('\r\n')).toHaveLength(COUNT + 2)
  })

  test('is a table with spreadsheet options', async () => {
    const { text } = await api.get('/apples.csv?separator=semicolon&bom=true&raw=true')

    expect(text.split('\r\n').slice(0, 2)).toEqual(['\uFEFFid;name', '1;=1'])
  })

  test.each(['/apples.ndjson', '/api/v1/apples.ndjson', '/apples.NDJSON', '/apples.ndjson/'])(
    'is at %s too',
    async (path) => {
      const { status, headers } = await api.get(path, { headers: { accept: 'application/xml' } })

      expect(status).toBe(200)
      expect(headers['content-type']).toContain('ndjson')
      expect(headers.allow).toBe('OPTIONS, GET')
    },
  )

  test.each(['*/*', 'text/*', 'application/*', 'application/json'])('stays a list for %s', async (accept) => {
    const { headers } = await api.get('/apples', { headers: { accept } })

    expect(headers['content-type']).not.toMatch(/ndjson|csv/)
    expect(headers['x-pagination-limit']).toBe('10')
  })

  test.each(['limit=5', 'offset=5', 'cursor=x'])('is complete, so %s is refused', async (query) => {
    const { status, json } = await api.get(`/apples?${query}`, { headers: NDJSON })

    expect(status).toBe(400)
    expect(json.error.reason).toMatch(/parameter_(conflict|invalid)/)
  })

  test('is refused in JSON', async () => {
    const { status, headers, json } = await api.get('/apples?slow=maybe', { headers: NDJSON })

    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json.error.reason).toBe('parameter_invalid')
  })

  test.each(['ndjson', 'csv'])('that fails half way as %s is cut off', async (suffix) => {
    await expect(api.get(`/apples.${suffix}?rotten=true`)).rejects.toThrow('aborted')
    await expect.poll(busy).toBe(0)
  })

  test('that fails half way reports the error in its last line', async () => {
    const answer = await fetch(`${api.origin}/api/apples.ndjson?rotten=true`)
    let text = ''
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString()
    })()

    await expect(reading).rejects.toThrow('terminated')
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { reason: 'internal_error' } })
  })

  test('releases all resources when its reader disconnects', async () => {
    held = Promise.withResolvers<void>()
    const gone = new AbortController()
    const answer = await fetch(`${api.origin}/api/apples.ndjson?slow=true`, { signal: gone.signal })
    expect(busy()).toBe(1)
    gone.abort()
    await answer.text().catch(() => {})
    held.resolve()

    await expect.poll(busy).toBe(0)
  })

  test('is limited to two at once per account', async () => {
    held = Promise.withResolvers<void>()
    const running = [1, 2].map(() => api.get('/apples.ndjson?slow=true', { as: TOM }))
    await expect.poll(() => holding).toBe(2) // A connection is also busy while a request is authenticated.
    const third = await api.get('/apples.ndjson', { as: TOM })
    const other = await api.get('/apples.ndjson', { as: ADA })
    held.resolve()

    expect(third.status).toBe(429)
    expect(third.json.error.reason).toBe('rate_limited')
    expect(other.status).toBe(200)
    for (const each of running) expect((await each).status).toBe(200)
    expect((await api.get('/apples.ndjson', { as: TOM })).status).toBe(200)
  })

  test('is audited when it is large', async () => {
    await api.get('/apples.csv', { as: TOM })
    await api.get('/apples.csv?many=true', { as: TOM })
    const rows = await context.db.selectFrom('audit').selectAll().where('action', '=', 'export').execute()

    expect(rows).toMatchObject([{ actor_id: TOM.id, object: 'apples', after: { size: 20_000 } }])
  })
})

describe('a list that cannot be exported', () => {
  test('refuses export formats', async () => {
    const { status, json } = await api.get('/pears', { headers: NDJSON })

    expect(status).toBe(406)
    expect(json.error.reason).toBe('not_acceptable')
  })

  test('refuses export addresses', async () => {
    expect((await api.get('/pears.csv')).status).toBe(404)
  })
})
