import { refused } from '../../../test/harness/refused.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM } from '../../../test/fixtures/people.ts'
import { URGENT } from '../../../test/fixtures/seed-ids.ts'
import { SAMPLE_ROUTES } from '../../../test/fixtures/sample-routes.ts'

const { api, context, clock, startAnother } = await startWorld({ routes: SAMPLE_ROUTES })
const named = (name: string, key: string, as = TOM) => ({ as, body: { name }, headers: { 'idempotency-key': key } })

async function count(table: 'label' | 'audit' | 'event' | 'job' | 'idempotency'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(context.db)
  return rows[0]?.count ?? 0
}
const everything = async () => [
  await count('label'),
  await count('audit'),
  await count('event'),
  await count('job'),
  await count('idempotency'),
]

describe('a write', () => {
  test('returns the location of the new object, under the prefix of the request', async () => {
    const old = await api.post('/api/samples', { as: TOM, body: { name: 'one' } })
    const versioned = await api.post('/api/v1/samples', { as: TOM, body: { name: 'two' } })
    expect(old.headers.location).toBe(`https://waypost.example/api/samples/${old.json.id}`)
    expect(versioned.headers.location).toBe(`https://waypost.example/api/v1/samples/${versioned.json.id}`)
  })

  test('writes its audit row, event and job in its transaction', async () => {
    const { json } = await api.post('/samples', {
      as: TOM,
      body: { name: 'one' },
      headers: { 'x-request-id': 'try-1' },
    })
    const [row] = (await sql`select * from audit where action = 'sample.create'`.execute(context.db)).rows
    expect(row).toMatchObject({
      actor_id: TOM.id,
      credential_kind: 'access_key',
      credential_id: String(TOM.key_id),
      address: '127.0.0.1',
      object: `samples/${json.id}`,
      outcome: 'done',
      after: { name: 'one' },
      request_id: 'try-1',
    })
    expect(await count('event')).toBe(1)
    expect(await count('job')).toBe(1)
  })

  test('that fails leaves nothing, except the audit row of a refusal', async () => {
    const before = await everything()
    await api.post('/samples', { as: TOM, body: { name: 'urgent' } }) // The name is taken: a constraint refuses it.
    expect(await everything()).toEqual(before)

    await api.post('/samples', { as: TOM, body: { name: 'forbidden' } })
    const { rows } = await sql`select * from audit where outcome = 'refused'`.execute(context.db)
    expect(rows).toMatchObject([{ action: 'sample.create', reason: 'permission_denied', actor_id: TOM.id }])
  })
})

describe('dry run', () => {
  test('reports all effects, and changes nothing', async () => {
    const before = await everything()
    const answer = await api.post('/samples?dry_run=true', named('one', 'ignored'))
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.json).toEqual({
      dry_run: {
        status: 201,
        would_answer: { id: null, uri: null, name: 'one' },
        changes: [{ object: 'samples', op: 'create', fields: [{ name: 'name', before: null, after: 'one' }] }],
        rules: [],
        notified: [],
      },
    })
    expect(await everything()).toEqual(before)
  })

  test('fails as the real write would', async () => {
    const before = await everything()
    const answer = await api.post('/samples?dry_run=1', { as: TOM, body: { name: 'forbidden' } })
    expect(answer.json.error.reason).toBe('permission_denied')
    expect(await everything()).toEqual(before)
  })

  test('ignores an idempotency key', async () => {
    const headers = { 'idempotency-key': 'two words' }
    expect((await api.post('/samples?dry_run=true', { as: TOM, headers, body: { name: 'one' } })).status).toBe(200)
  })

  test('never shows a secret', async () => {
    const { json } = await api.post('/secrets?dry_run=true', { as: TOM })
    expect(json.dry_run.would_answer).toEqual({ identifier: null })
  })

  test('does not exist on a read', async () => {
    const answer = await api.get(`/samples/${URGENT}?dry_run=true`)
    expect(answer).toMatchObject(refused(400, 'parameter_unknown', { path: 'dry_run' }))
  })
})

describe('Idempotency-Key', () => {
  test('a repetition gets the first answer, and nothing is created twice', async () => {
    const first = await api.post('/samples', named('one', 'k1'))
    const second = await api.post('/api/v1/Samples/', named('one', 'k1'))
    expect(second.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(second.headers.location).toBe(`https://waypost.example/api/v1/samples/${first.json.id}`)
    expect(await count('event')).toBe(1)
  })

  test('the replay is in the format of the repetition', async () => {
    await api.post('/samples', named('one', 'k1'))
    const again = await api.post('/samples.xml', named('one', 'k1'))
    expect(again.text).toContain('<name>one</name>')
  })

  test('another body is 422, and so is another query', async () => {
    await api.post('/samples', named('one', 'k1'))
    const other = await api.post('/samples', named('two', 'k1'))
    const query = await api.post('/samples?dry_run=false', named('one', 'k1'))
    expect([other.json.error.reason, query.json.error.reason]).toEqual([
      'idempotency_key_reused',
      'idempotency_key_reused',
    ])
  })

  test('keys of other accounts and addresses are other keys', async () => {
    await api.post('/samples', named('one', 'k1'))
    expect((await api.post('/samples', named('two', 'k1', OLGA))).status).toBe(201)
    expect((await api.put(`/samples/${URGENT}`, named('three', 'k1'))).status).toBe(200)
  })

  test('an error is not stored: the repetition runs again', async () => {
    await api.post('/samples', named('forbidden', 'k1'))
    expect((await api.post('/samples', named('one', 'k1'))).status).toBe(201)
  })

  test('after 24 hours the key is new', async () => {
    await api.post('/samples', named('one', 'k1'))
    clock.set(new Date(TEST_NOW.getTime() + 86_400_000))
    expect((await api.post('/samples', named('two', 'k1'))).status).toBe(201)
  })

  test('an answer with a secret is not stored, and the repetition names the created object', async () => {
    const options = { as: TOM, headers: { 'idempotency-key': 'k1' } }
    const first = await api.post('/secrets', options)
    const again = await api.post('/secrets', options)
    expect(again.status).toBe(409)
    expect(again.json.error).toMatchObject({
      reason: 'idempotency_secret',
      details: { id: first.json.identifier.replace('shown-once-', '') },
    })
    const { rows } = await sql<{ row: string }>`select idempotency::text as row from idempotency`.execute(context.db)
    expect(rows.map(({ row }) => row).join()).not.toContain('shown-once')
  })

  test.each([
    ['', 'parameter_invalid'],
    ['x'.repeat(129), 'parameter_invalid'],
    ['with space', 'parameter_invalid'],
  ])('a key like %j is refused', async (key, reason) => {
    expect((await api.post('/samples', named('one', key))).json.error.reason).toBe(reason)
  })

  test('twice in one request is refused', async () => {
    const headers = { 'idempotency-key': ['k1', 'k2'] }
    const answer = await api.post('/samples', { as: TOM, body: { name: 'one' }, headers })
    expect(answer.json.error.reason).toBe('parameter_conflict')
  })

  test('50 equal requests at once, across two servers, create one object and get one answer', async () => {
    const other = await startAnother()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => (number % 2 ? api : other.api).post('/samples', named('slow', 'k1'))),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(49)
    expect(await count('event')).toBe(1)
  })
})

describe('pages', () => {
  const make = async (many: number) => {
    for (let number = 0; number < many; number++)
      await sql`insert into label (project_id, label, color) values (2001, ${`page ${number}`}, 'red')`.execute(
        context.db,
      )
  }

  test('report the size of the collection, and link through all of it', async () => {
    await make(7)
    const first = await api.get('/samples?name=page')
    expect(first.headers).toMatchObject({
      'x-pagination-limit': '3',
      'x-pagination-offset': '0',
      'x-pagination-size': '7',
      'x-pagination-limit-max': '5',
    })
    const seen: string[] = []
    let next: string | undefined = '/api/samples?name=page'
    while (next !== undefined) {
      const page = await api.get(next)
      seen.push(...page.json.map(({ name }: { name: string }) => name))
      if (seen.length === 3)
        await sql`insert into label (project_id, label, color) values (2001, 'page late', 'red')`.execute(context.db)
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(['page 0', 'page 1', 'page 2', 'page 3', 'page 4', 'page 5', 'page 6', 'page late'])
  })

  test('past the end are empty', async () => {
    const answer = await api.get('/samples?offset=1000')
    expect(answer.json).toEqual([])
    expect(Number(answer.headers['x-pagination-size'])).toBeGreaterThan(0)
    expect((await api.get('/samples?limit=0')).json).toEqual([])
  })

  test.each([
    ['limit=6', 'parameter_out_of_range', 'limit'],
    ['limit=-1', 'parameter_out_of_range', 'limit'],
    ['limit=x', 'parameter_invalid', 'limit'],
    ['limit=1&limit=1', 'parameter_conflict', 'limit'],
    ['limit[]=1', 'parameter_conflict', 'limit'],
    ['offset=-1', 'parameter_out_of_range', 'offset'],
    ['offset=100001', 'parameter_out_of_range', 'offset'],
    ['cursor=garbage', 'parameter_invalid', 'cursor'],
    ['cursor=WzBd.x&offset=1', 'parameter_conflict', 'cursor'],
  ])('%s is refused', async (query, reason, path) => {
    const { status, json } = await api.get(`/samples?${query}`)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
  })

  test('a cursor of another list is refused', async () => {
    await make(4)
    const link = String((await api.get('/samples')).headers.link)
    const cursor = /cursor=([^>&]+)/.exec(link)?.[1] ?? ''
    expect((await api.get(`/samples?cursor=${cursor}`)).status).toBe(200)
    const changed = cursor.startsWith('W') ? `X${cursor.slice(1)}` : `W${cursor.slice(1)}`
    expect((await api.get(`/samples?cursor=${changed}`)).status).toBe(400)
  })

  test('D02 the deepest offset is answered, the next one names the cursor', async () => {
    expect((await api.get('/samples?offset=100000')).status).toBe(200)
    const { json } = await api.get('/samples?offset=100001')
    expect(json.error.message).toContain('cursor')
    expect(json.error.details.allowed.maximum).toBe(100_000)
  })
})
