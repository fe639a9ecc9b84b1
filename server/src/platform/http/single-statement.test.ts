import { sql } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import type { Db, Tx } from '../database/db.ts'
import { ApiError } from '../messages/errors.ts'
import { writeRoute } from './route.ts'

const Made = Type.Object({ id: Type.Integer(), in_transaction: Type.Boolean() })
let attempts = 0

/** Creates a label by one statement, unless its name asks for something else. */
const createMark = writeRoute({
  method: 'POST',
  path: '/marks',
  operationId: 'createMark',
  summary: 'Make.',
  access: 'signed_in',
  action: null,
  singleStatement: true,
  body: Type.Object({ name: Type.String(), sleep: Type.Optional(Type.Number()) }),
  answer: Made,
  status: 201,
  async handle({ body: { name, sleep = 0 } }, work) {
    attempts += 1
    await work.change({
      object: 'marks',
      op: 'create',
      fields: [{ field_id: 310, name: 'name', before: null, after: name }],
    })
    work.rule({ rule: 'default', name: 'Colour', effect: 'set', field_id: 311 })
    if (name === 'counted') {
      work.evenIfRefused(async (db) => void (await sql`delete from label where label = 'urgent'`.execute(db)))
      throw new ApiError('not_found')
    }
    if (name === 'slow to read') await sql`select pg_sleep(${sleep}::float8)`.execute(work.db)
    if (name === 'deadlocked' && attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    if (name === 'in two steps')
      return work.inTransaction(async (inner) => {
        await sql`insert into label (project_id, label, color) values (${ORCHARD}, 'step', 'red')`.execute(inner.tx)
        await inner.recordEvent({ type: 'mark.created', object: 'marks' })
        const body = await insert(inner.tx, name, 0)
        if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
        return { body }
      })
    const body = await work.statement((db) => insert(db, name, sleep))
    if (name === 'lost on the way') throw Object.assign(new Error('the session was ended'), { code: '57P01' })
    if (name === 'refused too late') throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    return { body }
  },
})

async function insert(db: Db | Tx, name: string, sleep: number) {
  const { rows } = await sql<{ id: number }>`
    with waited as (select pg_sleep(${sleep}::float8))
    insert into label (project_id, label, color) select ${ORCHARD}, ${name}, 'red' from waited returning id`.execute(db)
  return { id: rows[0]?.id ?? 0, in_transaction: db.isTransaction }
}

const { api, context } = await startWorld({ routes: [createMark] })
const make = (body: object, query = '', headers = {}) => {
  attempts = 0
  return api.post(`/marks${query}`, { as: TOM, body, headers })
}
const labels = async () => {
  const { rows } = await sql<{
    label: string
  }>`select label from label where project_id = ${ORCHARD} order by id`.execute(context.db)
  return rows.map(({ label }) => label)
}

/** Terminates every sleeping connection, as a failing network would. */
async function cutSleepers(): Promise<void> {
  const cut = async () => {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%pg_sleep%' and pid <> pg_backend_pid() and wait_event = 'PgSleep' and usename = current_user
        and datname = current_database()`.execute(context.db)
    return rows.length
  }
  await expect.poll(cut, { interval: 20 }).toBeGreaterThan(0)
}

describe('a route that writes by one statement', () => {
  test('has no transaction around it', async () => {
    const answer = await make({ name: 'one' })
    expect(answer.status).toBe(201)
    expect(answer.json.in_transaction).toBe(false)
    expect(await labels()).toContain('one')
  })

  test('is part of the transaction that an Idempotency-Key requires', async () => {
    const first = await make({ name: 'one' }, '', { 'idempotency-key': 'k1' })
    const again = await make({ name: 'one' }, '', { 'idempotency-key': 'k1' })
    expect(first.json.in_transaction).toBe(true)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test('is executed and rolled back by a dry run, which reports changes and rules', async () => {
    const before = await labels()
    const { json } = await make({ name: 'one' }, '?dry_run=true')
    expect(json.dry_run).toMatchObject({
      status: 201,
      changes: [
        { object: 'marks', op: 'create', fields: [{ field_id: 310, name: 'name', before: null, after: 'one' }] },
      ],
      rules: [{ rule: 'default', name: 'Colour', effect: 'set', field_id: 311 }],
    })
    expect(await labels()).toEqual(before)
  })

  test('may open a transaction, which is retried after a conflict', async () => {
    const answer = await make({ name: 'in two steps' })
    expect(answer.status).toBe(201)
    expect(attempts).toBe(2)
    expect((await labels()).filter((label) => ['step', 'in two steps'].includes(label))).toHaveLength(2)
    const { rows } = await sql`select from event where type = 'mark.created'`.execute(context.db)
    expect(rows).toHaveLength(1)
  })

  test('has that transaction in the dry run too', async () => {
    const before = await labels()
    expect((await make({ name: 'in two steps' }, '?dry_run=true')).status).toBe(200)
    expect(attempts).toBe(2)
    expect(await labels()).toEqual(before)
  })

  test('is retried after a conflict', async () => {
    expect((await make({ name: 'deadlocked' })).status).toBe(201)
    expect(attempts).toBe(2)
  })

  test('keeps the effects that outlive a refused attempt', async () => {
    expect((await make({ name: 'counted' })).status).toBe(404)
    expect(await labels()).not.toContain('urgent')
  })

  test('is refused by a constraint like any other', async () => {
    expect((await make({ name: 'urgent' })).status).toBe(500) // The route of this test does not expect it.
  })

  test('reports an unknown outcome when the connection is lost during the statement', async () => {
    const [answer] = await Promise.all([make({ name: 'lost', sleep: 3 }), cutSleepers()])
    expect([answer.status, answer.json.error.reason]).toEqual([503, 'outcome_unknown'])
    expect(attempts).toBe(1)
  })

  test('reports that it is unavailable when the connection is lost before', async () => {
    const [answer] = await Promise.all([make({ name: 'slow to read', sleep: 3 }), cutSleepers()])
    expect([answer.status, answer.json.error.reason]).toEqual([503, 'unavailable'])
  })
})

describe('a committed write whose response fails', () => {
  test.each(['lost on the way', 'refused too late'])('%s: is neither reported as undone nor repeated', async (name) => {
    const { status, json } = await make({ name })
    expect([status, json.error.reason]).toEqual([503, 'outcome_unknown'])
    expect((await labels()).filter((label) => label === name)).toHaveLength(1)
  })
})
