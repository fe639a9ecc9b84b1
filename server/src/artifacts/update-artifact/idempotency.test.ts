import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'
import { seed } from '../../../test/fixtures/seed.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { openDatabase } from '../../platform/database/db.ts'

/** Two server processes on one database: the client repeats an unanswered request on either of them. */
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})

let tracker: MadeTracker
beforeAll(async () => {
  await seed(owner)
  tracker = await makeTestTracker(one.api, EVERY_FIELD)
})

const apis = [one.api, other.api] as const
const count = async (id: number) => {
  const { rows } = await sql<{ versions: number; events: number }>`
    select (select count(*) from changeset where artifact_id = ${id}) as versions,
      (select count(*) from event where object = ${`artifacts/${id}`} and type like 'artifact.%') as events`.execute(
    owner,
  )
  return rows[0]
}
const artifacts = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from artifact`.execute(owner)
  return rows[0]?.count ?? 0
}

const creation = (key: string, summary = 'Crates', as = TOM) => ({
  as,
  headers: { 'idempotency-key': key },
  body: { tracker: { id: tracker.id }, values_by_field: { summary, tags: [summary] }, comment: { body: 'Made' } },
})

describe('a creation with an idempotency key', () => {
  test('runs once, and gets the same response in every process', async () => {
    const first = await one.api.post('/artifacts', creation('once'))
    const again = await other.api.post('/artifacts', creation('once'))

    expect(first.status).toBe(201)
    expect(again).toMatchObject({ status: 201, text: first.text })
    expect(again.headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first.headers.location,
      etag: first.headers.etag,
      'last-modified': first.headers['last-modified'],
    })
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect(await count(first.json.id)).toEqual({ versions: 1, events: 1 })
  })

  test('runs once for concurrent requests', async () => {
    const before = await artifacts()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => apis[at % 2 === 0 ? 0 : 1].post('/artifacts', creation('at-once'))),
    )

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await artifacts()).toBe(before + 1)
  })

  test('is refused for another body, but not for another caller', async () => {
    await one.api.post('/artifacts', creation('mine'))
    const before = await artifacts()

    expect(await other.api.post('/artifacts', creation('mine', 'Boxes'))).toMatchObject(
      refused(422, 'idempotency_key_reused'),
    )
    expect(await artifacts()).toBe(before)
    const hers = await other.api.post('/artifacts', creation('mine', 'Boxes', UMA))
    expect([hers.status, hers.json.submitted_by]).toEqual([201, UMA.id])
  })

  test('that was refused may be retried with the same key', async () => {
    const bad = { ...creation('again'), body: { tracker: { id: tracker.id }, values_by_field: { points: 'many' } } }

    expect(await one.api.post('/artifacts', bad)).toMatchObject(refused(400, 'value_invalid'))
    expect((await other.api.post('/artifacts', creation('again'))).status).toBe(201)
  })
})

describe('a change with an idempotency key', () => {
  const change = (key: string, summary: string, more: Record<string, string> = {}) => ({
    as: TOM,
    headers: { 'idempotency-key': key, ...more },
    body: { values_by_field: { summary }, comment: { body: 'Changed' } },
  })

  test('runs once, and its response stays the same', async () => {
    const id = await makeTestArtifact(one.api, tracker, { summary: 'Crates' })
    const first = await one.api.put(`/artifacts/${id}`, change('put', 'Boxes'))
    await one.api.put(`/artifacts/${id}`, { as: UMA, body: { values_by_field: { summary: 'Bags' } } })
    const again = await other.api.put(`/artifacts/${id}`, change('put', 'Boxes'))

    expect(first.status).toBe(200)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', etag: first.headers.etag })
    expect(await count(id)).toEqual({ versions: 3, events: 3 })
  })

  test('can be repeated with the tag of the first request', async () => {
    const id = await makeTestArtifact(one.api, tracker, { summary: 'Crates' })
    const { headers } = await one.api.get(`/artifacts/${id}`, { as: TOM })
    const condition = { 'if-match': String(headers.etag) }
    const answers = await Promise.all(apis.map((api) => api.put(`/artifacts/${id}`, change('cas', 'Boxes', condition))))

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await other.api.put(`/artifacts/${id}`, change('cas-2', 'Bags', condition))).toMatchObject(
      refused(412, 'version_mismatch'),
    )
    expect(await count(id)).toEqual({ versions: 2, events: 2 })
  })

  test('is refused for another body or another response form', async () => {
    const id = await makeTestArtifact(one.api, tracker, { summary: 'Crates' })
    await one.api.put(`/artifacts/${id}`, change('other', 'Boxes'))
    const reused = refused(422, 'idempotency_key_reused')

    expect(await other.api.put(`/artifacts/${id}`, change('other', 'Bags'))).toMatchObject(reused)
    expect(await other.api.put(`/artifacts/${id}?values_format=all`, change('other', 'Boxes'))).toMatchObject(reused)
    expect(await count(id)).toEqual({ versions: 2, events: 2 })
  })

  test('has a separate key per artifact', async () => {
    const ids = [
      await makeTestArtifact(one.api, tracker, { summary: 'A' }),
      await makeTestArtifact(one.api, tracker, { summary: 'B' }),
    ]
    for (const id of ids) expect((await one.api.put(`/artifacts/${id}`, change('each', 'C'))).json.id).toBe(id)
  })

  test('that changed nothing is replayed as well', async () => {
    const id = await makeTestArtifact(one.api, tracker, { summary: 'Crates' })
    const idle = { as: TOM, headers: { 'idempotency-key': 'idle' }, body: { values: [] } }
    const [first, again] = [await one.api.put(`/artifacts/${id}`, idle), await other.api.put(`/artifacts/${id}`, idle)]

    expect([first.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotency-replayed']).toBe('true')
  })
})
