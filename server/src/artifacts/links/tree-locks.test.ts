import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { linking, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import type { Tx } from '../../platform/database/db.ts'
import { isRetryableConflict } from '../../platform/database/database-errors.ts'

const { api, context } = await startWorld({ seedOnce: true })
const { db } = context
let trees: MadeTracker
const { plant } = linking(api, () => trees)
beforeAll(async () => {
  trees = await makeTestTracker(api, TREES)
})

const ROUNDS = 40
const WRITERS = 5
const BUCKETS = 256

async function link(tx: Tx, parent: number, child: number): Promise<void> {
  await sql`insert into artifact_link (project_id, source_id, target_id, type)
    values (${ORCHARD}, ${parent}, ${child}, '_is_child') on conflict do nothing`.execute(tx)
}

/** Artifacts that are their own ancestors. */
async function findCycles(): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive above (id, ancestor) as (
      select target_id, source_id from artifact_link where type = '_is_child'
      union select above.id, link.source_id from above
        join artifact_link link on link.target_id = above.ancestor and link.type = '_is_child'
    )
    select distinct id from above where id = ancestor`.execute(db)
  return rows.map(({ id }) => id)
}

/** True if it committed; false if it lost against another one. */
async function tryCommit(tx: Tx): Promise<boolean> {
  try {
    await tx.commit().execute()
    return true
  } catch (error) {
    if (!isRetryableConflict(error)) throw error
    await tx
      .rollback()
      .execute()
      .catch(() => {})
    return false
  }
}

test('writers whose links would close a cycle together never commit all of them', { timeout: 120_000 }, async () => {
  const ids: number[] = []
  for (let made = 0; made < 2 * WRITERS; made++) ids.push(await plant())
  let committed = 0
  for (let round = 0; round < ROUNDS; round++) {
    await sql`delete from artifact_link where type = '_is_child'`.execute(db)
    const count = 2 + (round % (WRITERS - 1))
    // Between two writers there is a link that was committed before, in every other round.
    const step = 1 + (Math.floor(round / 4) % 2)
    const at = (place: number) => ids[place % (count * step)] ?? 0
    const before = await db.startTransaction().execute()
    if (step === 2)
      for (let writer = 0; writer < count; writer++) await link(before, at(2 * writer + 1), at(2 * writer + 2))
    await before.commit().execute()
    const open: Tx[] = []
    for (let writer = 0; writer < count; writer++) {
      const tx = await db.startTransaction().execute()
      await link(tx, at(step * writer), at(step * writer + 1))
      open.push(tx)
    }
    const done = await Promise.all(open.map(tryCommit))
    committed += done.filter(Boolean).length
    expect(done).toContain(false)
    expect(await findCycles()).toEqual([])
  }
  expect(committed).toBeGreaterThanOrEqual(ROUNDS) // They do not all fail.
})

/** Links the two in a transaction that has checked the link, and is about to commit. */
async function beginLink(parent: number, child: number): Promise<Tx> {
  const tx = await db.startTransaction().execute()
  await sql`set local lock_timeout = 500`.execute(tx)
  await link(tx, parent, child)
  return sql`set constraints all immediate`.execute(tx).then(
    () => tx,
    async (error: unknown) => {
      await tx.rollback().execute()
      throw error
    },
  )
}

/** New artifacts that share no lock. */
async function plantApart(count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const id = await plant()
    if (ids.every((other) => id % BUCKETS !== other % BUCKETS)) ids.push(id)
  }
  return ids
}

test('writers of unrelated trees, and of other children of one parent, do not wait for each other', async () => {
  const [one = 0, child = 0, other = 0, far = 0, near = 0] = await plantApart(5)
  const first = await beginLink(one, child)
  const unrelated = await beginLink(other, far)
  const sibling = await beginLink(one, near)
  for (const tx of [sibling, unrelated, first]) await tx.commit().execute()
  expect(await findCycles()).toEqual([])
})

test('writers of one tree wait for each other', async () => {
  const [one = 0, child = 0, below = 0] = await plantApart(3)
  const first = await beginLink(one, child)
  await expect(beginLink(child, below)).rejects.toMatchObject({ code: '55P03' })
  await first.commit().execute()
  await (await beginLink(child, below)).commit().execute()
  await expect(beginLink(below, one)).rejects.toMatchObject({ code: '40001' })
})
