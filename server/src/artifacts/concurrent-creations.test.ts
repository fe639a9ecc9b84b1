import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../test/fixtures/every-field.ts'
import { ADA, MARA, TOM } from '../../test/fixtures/people.ts'
import { auditArtifacts } from '../../test/harness/auditor.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { inTransaction, type Tx } from '../platform/database/db.ts'
import { toId } from '../platform/database/ids.ts'
import { foldTotals } from '../trackers/fold-totals.ts'
import type { TrackerId } from '../trackers/tracker.ts'

const { api, context } = await startWorld()
const { db } = context
let tracker: MadeTracker

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
})

const create = (query = '', headers = {}) =>
  api.post(`/artifacts${query}`, {
    as: TOM,
    headers,
    body: { tracker: { id: tracker.id }, values_by_field: { summary: 'New' } },
  })

async function numbers(): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from artifact where tracker_id = ${tracker.id} order by number`.execute(db)
  return rows.map(({ number }) => number)
}

/** As everyone reads it, and without the changes that are not added yet. */
async function totals() {
  const { rows } = await sql<{ last_number: number; exact: number; added: number; changes: number }>`
    select tracker_counter.last_number, tracker_counter.artifacts as exact, tracker_total.artifacts as added,
      (select count(*) from tracker_total_change where tracker_id = ${tracker.id}) as changes
    from tracker_counter join tracker_total using (tracker_id) where tracker_id = ${tracker.id}`.execute(db)
  return rows[0]
}

async function shownSize(): Promise<number> {
  const { headers } = await api.get(`/trackers/${tracker.id}/artifacts?limit=0`, { as: MARA })
  return Number(headers['x-pagination-size'])
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('50 concurrent creations have their own numbers, and the total is exact before and after it is folded', async () => {
  const answers = await Promise.all(
    upTo(50).map((each) => create('', each % 5 === 0 ? { 'idempotency-key': `${each}` } : {})),
  )

  expect(answers.map(({ status }) => status)).toEqual(upTo(50).map(() => 201))
  expect(await numbers()).toEqual(upTo(50))
  expect(await totals()).toEqual({ last_number: 50, exact: 50, added: 10, changes: 40 })
  expect(await shownSize()).toBe(50)

  await Promise.all([foldTotals.turn(context), foldTotals.turn(context), create(), foldTotals.turn(context)])
  await foldTotals.turn(context)
  expect(await totals()).toEqual({ last_number: 51, exact: 51, added: 51, changes: 0 })
  expect(await shownSize()).toBe(51)
  expect(await auditArtifacts(context, db)).toEqual([])
})

test('a creation does not wait until another one commits, nor does folding wait for a locked total', async () => {
  await inTransaction(db, async (tx) => {
    const drawn = await context.artifactNumbers.draw(db, toId<TrackerId>(tracker.id))
    await sql`
      with total as (
        insert into tracker_total_change (project_id, tracker_id, artifacts)
        select project_id, id, 1 from tracker where id = ${tracker.id}
      )
      insert into artifact (project_id, tracker_id, number, field_values, people, submitted_by, submitted_on,
        last_update_by, last_modified_date, last_modified)
      select project_id, id, ${drawn}, '{}', '{}', ${TOM.id}, now(), ${TOM.id}, now(), now()
      from tracker where id = ${tracker.id}`.execute(tx)
    expect((await create()).status).toBe(201)
    expect(await totals()).toEqual({ last_number: 2, exact: 1, added: 0, changes: 1 })
  })
  expect(await numbers()).toEqual([1, 2])

  await inTransaction(db, async (tx) => {
    await sql`select from tracker_total where tracker_id = ${tracker.id} for update`.execute(tx)
    await foldTotals.turn(context)
    expect(await totals()).toEqual({ last_number: 2, exact: 2, added: 0, changes: 2 })
  })
})

test('refused creations and dry runs draw no number', async () => {
  await create()
  expect((await create('?dry_run=true')).status).toBe(200)
  const refused = await api.post('/artifacts', {
    as: TOM,
    body: { tracker: { id: tracker.id }, values_by_field: { points: 'many' } },
  })
  expect(refused.status).toBe(400)

  expect(await totals()).toEqual({ last_number: 1, exact: 1, added: 0, changes: 1 })
})

test('deletion, restoration, move and purge keep the totals exact while changes wait', async () => {
  const other = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'other', label: 'Other' })
  const first = await makeTestArtifact(api, tracker, { summary: 'First' })
  const second = await makeTestArtifact(api, tracker, { summary: 'Second' })
  await api.delete(`/artifacts/${first}`, { as: MARA })
  expect((await totals())?.exact).toBe(1)
  await api.post(`/artifacts/${first}/restore`, { as: MARA })
  expect((await totals())?.exact).toBe(2)
  await api.patch(`/artifacts/${second}`, { as: MARA, body: { move: { tracker_id: other.id } } })
  expect(await totals()).toEqual({ last_number: 2, exact: 1, added: -1, changes: 2 })
  await foldTotals.turn(context)
  expect(await totals()).toEqual({ last_number: 2, exact: 1, added: 1, changes: 0 })
  await api.delete(`/artifacts/${first}`, { as: MARA })
  await api.delete(`/artifacts/${first}?purge=true`, { as: ADA })
  expect((await totals())?.exact).toBe(0)
  expect(await auditArtifacts(context, db)).toEqual([])
})

/** The statements of the version before, which runs beside this one while servers are restarted. */
const before = {
  insert: (tx: Tx) =>
    sql`
    with counted as (
      update tracker_counter set last_number = last_number + ${1}, artifacts = artifacts + ${1} from tracker
      where tracker_counter.tracker_id = ${tracker.id} and tracker.id = ${tracker.id}
      returning tracker_counter.project_id, tracker_counter.tracker_id, last_number
    )
    insert into artifact (project_id, tracker_id, number, field_values, people, submitted_by, submitted_on,
      last_update_by, last_modified_date, last_modified)
    select project_id, tracker_id, last_number, '{}', '{}', ${TOM.id}, now(), ${TOM.id}, now(), now() from counted`.execute(
      tx,
    ),
  lock: (tx: Tx) =>
    sql`
    select from tracker_counter where tracker_counter.tracker_id = any(${[tracker.id]}::bigint[])
    order by tracker_counter.tracker_id for update`.execute(tx),
  remove: (tx: Tx) =>
    sql`
    update tracker_counter set artifacts = artifacts + ${-1} * moved.number
    from (select tracker_id, count(*) as number from artifact where id = any(array(
      select id from artifact where tracker_id = ${tracker.id} order by id limit 1)) group by tracker_id) as moved
    where tracker_counter.tracker_id = moved.tracker_id`.execute(tx),
}

test('processes of the version before draw other numbers and see and keep the same totals', async () => {
  const old = (work: (tx: Tx) => Promise<unknown>) => inTransaction(db, work)
  await Promise.all([
    ...upTo(20).map(() => create()),
    ...upTo(20).map((each) =>
      old(async (tx) => {
        if (each % 2 === 0) await before.lock(tx)
        await before.insert(tx)
      }),
    ),
    foldTotals.turn(context),
  ])

  expect(new Set(await numbers()).size).toBe(40)
  expect((await totals())?.exact).toBe(40)
  await old(before.remove)
  expect((await totals())?.exact).toBe(39)
  await foldTotals.turn(context)
  expect(await totals()).toMatchObject({ last_number: 40, exact: 39, added: 39, changes: 0 })
})
