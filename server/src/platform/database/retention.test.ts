import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { ANONYMOUS_VIEWER } from '../http/request-state.ts'
import { openDatabase } from './db.ts'
import { sequenceEvents } from './sequence-events.ts'
import { applyRetention } from './retention.ts'

const { ownerUrl, appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl })
const servers = openDatabase({ connectionString: appUrl })
afterAll(() => Promise.all([db.destroy(), servers.destroy()]))
beforeEach(() => sql`truncate audit, event, event_position`.execute(db))

const NOW = new Date('2026-03-01T09:30:00Z')
const ORIGIN = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
const SETTINGS = { audit_retention_days: 400, event_retention_days: 90 }
const run = (now = NOW) => applyRetention(db, ORIGIN, SETTINGS, now)

test('whole days of the audit log are removed, with an entry for each day', async () => {
  // 400 days before is 25 January, 09:30: that day is not over yet.
  for (const on of [
    '2025-01-23T00:00:00Z',
    '2025-01-23T23:59:59.999999Z',
    '2025-01-24T23:59:59.999999Z',
    '2025-01-25T00:00:00Z',
  ])
    await enter(on)

  expect(await run()).toMatchObject({ entries: 3, days: 2 })

  expect(await entries()).toMatchObject([
    { action: 'user.update', on: new Date('2025-01-25T00:00:00Z') },
    { action: 'audit.retention', object: 'audit', before: { day: '2025-01-23', entries: 2 } },
    { action: 'audit.retention', object: 'audit', before: { day: '2025-01-24', entries: 1 } },
  ])
})

test('a second run changes nothing and writes no entry', async () => {
  await enter('2024-12-31T12:00:00Z', '198.51.100.7')
  await enter('2025-12-31T12:00:00Z', '198.51.100.7')
  await run()
  const before = await entries()

  expect(await run()).toEqual({ entries: 0, days: 0, addresses: 0, events: 0 })
  expect(await entries()).toEqual(before)
})

test.each([
  { address: '198.51.100.7', short: '198.51.100.0/24' },
  { address: '::ffff:198.51.100.7', short: '198.51.100.0/24' },
  { address: '2001:db8:1:2:3:4:5:6', short: '2001:db8:1::/48' },
  { address: 'fe80::1%eth0', short: 'fe80::/48' },
  { address: '198.51.100.7:4711', short: null },
  { address: 'who knows', short: null },
  { address: null, short: null },
])('of the address $address only $short is left after 30 days', async ({ address, short }) => {
  await enter('2026-01-30T09:29:59Z', address)
  await enter('2026-01-30T09:30:00Z', address)

  await run()

  expect((await entries()).map((entry) => entry.address)).toEqual([short, address])
})

test('addresses are shortened everywhere, and entries stay otherwise unchanged', async () => {
  for (const on of ['2025-06-01T00:00:00Z', '2025-06-01T12:00:00Z', '2025-11-11T11:11:11Z'])
    await enter(on, '203.0.113.9')
  await enter('2025-06-01T13:00:00Z', '203.0.113.200')
  const before = await entries()

  expect(await run()).toMatchObject({ entries: 0, addresses: 4 })
  expect(await entries()).toEqual(before.map((entry) => ({ ...entry, address: '203.0.113.0/24' })))
})

test('events older than the setting are removed', async () => {
  const tell = (type: string, on: string) => sql`insert into event (type, "on") values (${type}, ${on})`.execute(db)
  await tell('old', '2025-12-01T09:29:59Z')
  await tell('young', '2025-12-01T09:30:00Z')

  expect(await run()).toMatchObject({ events: 0 }) // They have no position yet.
  await sequenceEvents(db)
  expect(await run()).toMatchObject({ events: 1 })

  const { rows } = await sql`select type from event`.execute(db)
  expect(rows).toEqual([{ type: 'young' }])
})

test('events are removed oldest first, without gaps', async () => {
  const tell = (type: string, on: string) => sql`insert into event (type, "on") values (${type}, ${on})`.execute(db)
  await tell('old', '2025-11-01T00:00:00Z')
  await tell('young', '2026-02-01T00:00:00Z')
  await tell('old by a clock that was set back', '2025-11-01T00:00:00Z')

  expect(await run()).toMatchObject({ events: 0 }) // They have no position yet.
  await sequenceEvents(db)
  expect(await run()).toMatchObject({ events: 1 })

  const { rows } = await sql<{ type: string }>`select type from event order by id`.execute(db)
  expect(rows.map(({ type }) => type)).toEqual(['young', 'old by a clock that was set back'])
})

test('later runs remove later entries', async () => {
  await enter('2026-02-28T12:00:00Z', '198.51.100.7')

  expect(await run()).toMatchObject({ entries: 0, addresses: 0 })
  expect(await run(new Date('2026-03-31T09:30:00Z'))).toMatchObject({ entries: 0, addresses: 1 })
  expect(await run(new Date('2027-04-04T23:59:59Z'))).toMatchObject({ entries: 0 })
  expect(await run(new Date('2027-04-05T00:00:00Z'))).toMatchObject({ entries: 1 })
})

test('the role of the servers cannot remove an entry', async () => {
  await enter('2024-01-01T00:00:00Z')

  await expect(applyRetention(servers, ORIGIN, SETTINGS, NOW)).rejects.toThrow('permission denied')
  expect(await entries()).toHaveLength(1)
})

async function enter(on: string, address: string | null = null): Promise<void> {
  await sql`insert into audit ("on", action, object, outcome, address)
    values (${on}, 'user.update', 'users/101', 'done', ${address})`.execute(db)
}

interface Entry {
  on: Date
  action: string
  object: string | null
  address: string | null
  before: unknown
}

async function entries(): Promise<Entry[]> {
  const { rows } = await sql<Entry>`select "on", action, object, address, before from audit order by id`.execute(db)
  return rows
}
