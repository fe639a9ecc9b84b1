import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ADA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, LEDGER, OPEN_BUG, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { insertSeededArtifact } from '../../../test/fixtures/insert-artifact.ts'
import { toId } from '../../platform/database/ids.ts'
import type { ArtifactId } from '../artifact.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context, clock } = await startWorld()
beforeEach(() => seedTestArtifacts(context.db))

const ALL = [`/artifacts/${OPEN_BUG}`, `/trackers/${BUGS}`, `/projects/${ORCHARD}`]
const list = async (as = TOM) =>
  (await api.get('/users/self/recently_seen', { as })).json.map(({ uri }: { uri: string }) => `/${uri}`)
const stored = async () =>
  (await sql<{ account_id: number }>`select account_id from recently_seen`.execute(context.db)).rows.length

async function see(path: string, as = TOM) {
  clock.advance(1000)
  return api.put(`${path}/seen`, { as })
}

describe('recently seen', () => {
  test('lists what was recorded, newest first, each object once', async () => {
    for (const path of ALL) expect((await see(path)).status).toBe(200)
    expect(await list()).toEqual(ALL.toReversed())
    await see(`/artifacts/${OPEN_BUG}`)
    expect(await list()).toEqual([ALL[0], ALL[2], ALL[1]])
    expect(await list(UMA)).toEqual([])
  })

  test('is not changed by reading', async () => {
    for (const path of ALL) await api.get(path, { as: TOM })
    expect(await list()).toEqual([])
  })

  test('keeps 40 entries of an account, and shows 20', async () => {
    await see(`/artifacts/${OPEN_BUG}`, UMA)
    const ids = await insertBugs(45)
    for (const id of ids) await see(`/artifacts/${id}`)
    expect(await stored()).toBe(41)
    const newest = ids.toReversed().map((id) => `/artifacts/${id}`)
    expect(await list()).toEqual(newest.slice(0, 20))
    await sql`update artifact set deleted_on = now() where id = any(${ids.slice(-10)}::bigint[])`.execute(context.db)
    expect(await list()).toEqual(newest.slice(10, 30))
  })

  test.each(ALL)('%s requires sign-in', async (path) => {
    expect(await api.put(`${path}/seen`)).toMatchObject(refused(401, 'authentication_required'))
  })

  test.each([`/trackers/${LEDGER}`, `/projects/${VAULT}`, '/artifacts/999999'])(
    '%s is hidden from Tom',
    async (path) => {
      expect(await see(path)).toMatchObject(refused(404, 'not_found'))
      expect(await stored()).toBe(0)
    },
  )

  test('is deleted with the account, together with the favourites', async () => {
    await see(`/artifacts/${OPEN_BUG}`, UMA)
    await see(`/artifacts/${OPEN_BUG}`)
    await api.put(`/trackers/${BUGS}/favourite`, { as: UMA })
    const erased = await api.delete(`/users/${UMA.id}`, { as: ADA, body: { confirm: 'uma' } })
    expect(erased.status, erased.text).toBe(200)
    const left = await sql<{ account_id: number }>`
      select account_id from recently_seen union all select account_id from favourite`.execute(context.db)
    expect(left.rows).toEqual([{ account_id: TOM.id }])
  })
})

async function insertBugs(count: number): Promise<ArtifactId[]> {
  const ids = Array.from({ length: count }, (_, at) => toId<ArtifactId>(15_000 + at))
  for (const id of ids)
    await insertSeededArtifact(context.db, { id, tracker: BUGS, title: BUG.summary, text: `Bug ${id}` })
  return ids
}
