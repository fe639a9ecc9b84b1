import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { openDatabase } from './db.ts'
import { createSnapshots } from './snapshots.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())
const { context } = await startWorld()
const { db } = context
const write = () => sql`update setting set version = version + 1`.execute(db)

test('the text changes with every write, also with one that began before and is committed later', async () => {
  const snapshots = createSnapshots(db)
  const before = await snapshots.read()
  const tx = await db.startTransaction().execute()
  await sql`update setting set version = version + 1`.execute(tx)
  const during = await snapshots.read()
  await tx.commit().execute()
  const after = await snapshots.read()
  await write()
  expect(after).not.toBe(before)
  expect(after).not.toBe(during)
  expect(await snapshots.read()).not.toBe(after)
})

test('the text stays the same while nothing is written', async () => {
  const snapshots = createSnapshots(db)
  // Other tests write to the same PostgreSQL, so two equal ones may take some attempts.
  await expect.poll(async () => (await snapshots.read()) === (await snapshots.read()), { timeout: 30_000 }).toBe(true)
})

test('those who wait share a statement that begins after they have asked', async () => {
  const snapshots = createSnapshots(db)
  const before = await snapshots.read()
  await write()
  const recorded = await recorder.record(async () => {
    // The first one starts a statement; the second and the third one do not share it, as it was sent before they asked.
    const read = await Promise.all([snapshots.read(), snapshots.read(), snapshots.read()])
    expect(read).not.toContain(before)
  })
  expect(recorded.filter(({ text }) => text.includes('pg_current_snapshot'))).toHaveLength(2)
})

test('a failed statement fails for those who share it, and the next one is sent again', async () => {
  const nowhere = openDatabase({ host: '127.0.0.1', port: 1 })
  onTestFinished(() => nowhere.destroy())
  const snapshots = createSnapshots(nowhere)
  for (let round = 0; round < 2; round++) {
    const results = await Promise.allSettled([snapshots.read(), snapshots.read(), snapshots.read()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  }
  expect(snapshots.latest).toBeUndefined()
})
