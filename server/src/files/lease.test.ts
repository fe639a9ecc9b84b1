import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { announced } from '../../test/harness/temporary-files.ts'
import { asOnlyWriter, releaseLease, renewLease, takeLease } from './lease.ts'

const { context, clock } = await startWorld()
const { db } = context

test('exactly one of several concurrent writers gets the lease', async () => {
  const { id } = await announced(context, 10)
  const taken = await Promise.all(Array.from({ length: 10 }, () => takeLease(db, id, clock.now())))
  expect(taken.filter((writer) => writer !== undefined)).toHaveLength(1)
})

test('a writer who stops renewing loses the lease to the next', async () => {
  const { id } = await announced(context, 10)
  const first = (await takeLease(db, id, clock.now())) ?? ''
  clock.advance(9_000)
  expect(await takeLease(db, id, clock.now())).toBeUndefined()
  expect(await renewLease(db, id, first, clock.now())).toBe(true)
  clock.advance(9_000)
  expect(await takeLease(db, id, clock.now())).toBeUndefined()
  clock.advance(1_000)
  const second = await takeLease(db, id, clock.now())
  expect(second).toBeDefined()
  expect(await renewLease(db, id, first, clock.now())).toBe(false)
  await releaseLease(db, id, first)
  expect(await takeLease(db, id, clock.now())).toBeUndefined()
})

test('the lease is released when its writer succeeds or fails', async () => {
  const { id } = await announced(context, 10)
  await asOnlyWriter(context, id, async () => {
    await expect(asOnlyWriter(context, id, async () => {})).rejects.toMatchObject({ reason: 'upload_locked' })
  })
  const failing = asOnlyWriter(context, id, async () => {
    throw new Error('The line broke.')
  })
  await expect(failing).rejects.toThrow('The line broke.')
  const { rows } = await sql`select writer, writing_until from file where id = ${id}`.execute(db)
  expect(rows).toEqual([{ writer: null, writing_until: null }])
})
