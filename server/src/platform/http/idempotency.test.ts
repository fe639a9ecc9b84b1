import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM } from '../../../test/fixtures/people.ts'
import { SAMPLE_ROUTES } from '../../../test/fixtures/sample-routes.ts'
import { inTransaction } from '../database/db.ts'
import {
  findIdempotencyRecord,
  hashRequest,
  readIdempotencyKey,
  storeIdempotencyRecord,
  waitForKeyLock,
} from './idempotency.ts'

const { api, context, clock } = await startWorld({ routes: SAMPLE_ROUTES })

const HOUR = 3_600_000
const create = (name: string, key: string, as = TOM) =>
  api.post('/samples', { as, body: { name }, headers: { 'idempotency-key': key } })

describe('a header', () => {
  test.each([
    { header: undefined, key: undefined },
    { header: 'k1', key: 'k1' },
    { header: ['k1'], key: 'k1' },
    { header: '~'.repeat(128), key: '~'.repeat(128) },
  ])('$header is the key $key', ({ header, key }) => {
    expect(readIdempotencyKey(header)).toBe(key)
  })

  test.each([['k1, k2'], [['k1', 'k2']]])('%j is two keys, and refused', (header) => {
    expect(() => readIdempotencyKey(header)).toThrow(expect.objectContaining({ reason: 'parameter_conflict' }))
  })
})

describe('equal requests at the same time', () => {
  afterEach(() => vi.restoreAllMocks())

  test('are tried for ten seconds, and then refused with Retry-After', async () => {
    const times = [0, 9_999, 10_000, 10_001]
    const now = vi.spyOn(Date, 'now').mockReturnValue(0)
    const attempt = vi.fn<() => Promise<undefined>>(async () => {
      now.mockReturnValue(times.shift() ?? 60_000)
      return undefined
    })
    await expect(waitForKeyLock(attempt)).rejects.toMatchObject({
      reason: 'idempotency_in_progress',
      headers: { 'retry-after': '1' },
    })
    expect(attempt).toHaveBeenCalledTimes(4)
  })

  test('wait between two tries, longer each time', async () => {
    const began = performance.now()
    const outcomes = [undefined, undefined, undefined, 'done']
    expect(await waitForKeyLock(async () => outcomes.shift())).toBe('done')
    expect(performance.now() - began).toBeGreaterThan(60) // 10, 20 and 40 ms.
  })
})

test('a key that has expired is forgotten alone: others of the same account, method, path or text still replay', async () => {
  await create('first', 'k1')
  clock.advance(HOUR)
  const kept = [await create('second', 'k2'), await create('third', 'k1', OLGA)]
  const options = { as: TOM, body: { name: 'fourth' }, headers: { 'idempotency-key': 'k1' } }
  kept.push(await api.put(`/samples/${kept[0]?.json.id}`, options))
  clock.set(new Date(TEST_NOW.getTime() + 24 * HOUR))
  expect((await create('new', 'k1')).headers).not.toHaveProperty('idempotency-replayed')

  const again = [await create('second', 'k2'), await create('third', 'k1', OLGA)]
  again.push(await api.put(`/samples/${kept[0]?.json.id}`, options))
  expect(again.map(({ headers }) => headers['idempotency-replayed'])).toEqual(['true', 'true', 'true'])
  expect(again.map(({ text }) => text)).toEqual(kept.map(({ text }) => text))
})

test('a replay writes to the log of the database, so that its commit waits for the standby', async () => {
  const key = { account_id: TOM.id, method: 'POST', path: '/x', key: 'k1', request_hash: hashRequest('', Buffer.of()) }
  const stored = { status: 201, headers: {}, body: null, location: null, version: null, secret_id: null }
  await inTransaction(context.db, (tx) => storeIdempotencyRecord(tx, key, stored, TEST_NOW))

  const hasWritten = await inTransaction(context.db, async (tx) => {
    expect(await findIdempotencyRecord(tx, key, TEST_NOW)).toMatchObject({ status: 201, version: null })
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    return rows[0]?.id !== null
  })
  expect(hasWritten).toBe(true)
})
