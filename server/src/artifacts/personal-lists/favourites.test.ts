import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUGS, LEDGER, OPEN_BUG, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { insertSeededArtifact } from '../../../test/fixtures/insert-artifact.ts'
import { toId } from '../../platform/database/ids.ts'
import type { ArtifactId } from '../artifact.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { refused } from '../../../test/harness/refused.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MAX_FAVOURITES } from './add-favourite.ts'

const { api, context, clock } = await startWorld()
beforeEach(() => seedTestArtifacts(context.db))

const ALL = [`/artifacts/${OPEN_BUG}`, `/trackers/${BUGS}`, `/projects/${ORCHARD}`]
const add = (path: string, as = TOM) => api.put(`${path}/favourite`, { as })
const remove = (path: string, as = TOM) => api.delete(`${path}/favourite`, { as })
const list = async (as = TOM) => (await api.get('/users/self/favourites', { as })).json
const addresses = async (as = TOM) => (await list(as)).map(({ uri }: { uri: string }) => `/${uri}`)

async function addAll(as = TOM): Promise<void> {
  for (const path of ALL) {
    clock.advance(1000)
    expect((await add(path, as)).status).toBe(200)
  }
}

describe('favourites', () => {
  test('are listed in the order in which they were added, with what a link shows', async () => {
    await addAll()
    const project = { id: ORCHARD, uri: `projects/${ORCHARD}`, label: 'Orchard' }
    expect(await list()).toMatchObject([
      { kind: 'artifact', id: OPEN_BUG, html_url: `/artifacts/${OPEN_BUG}`, xref: `bug #${OPEN_BUG}`, project },
      {
        kind: 'tracker',
        id: BUGS,
        html_url: `/trackers/${BUGS}`,
        xref: null,
        label: 'Bugs',
        tracker: { label: 'Bugs' },
      },
      { kind: 'project', id: ORCHARD, html_url: '/projects/orchard', label: 'Orchard', tracker: null, project },
    ])
  })

  test('are added once and removed, however often the caller asks', async () => {
    await addAll()
    const before = await list()
    clock.advance(1000)
    await addAll()
    expect(await list()).toEqual(before)
    for (let time = 0; time < 2; time++) expect((await remove(`/trackers/${BUGS}`)).status).toBe(200)
    expect(await addresses()).toEqual([ALL[0], ALL[2]])
  })

  test('are separate for each account', async () => {
    await addAll()
    expect(await list(UMA)).toEqual([])
    await remove(`/trackers/${BUGS}`, UMA)
    expect(await addresses()).toEqual(ALL)
  })

  test('omit objects while their owner may not see them', async () => {
    await addAll()
    await sql`update artifact set deleted_on = now() where id = ${OPEN_BUG}`.execute(context.db)
    expect(await addresses()).toEqual(ALL.slice(1))
    await sql`update artifact set deleted_on = null where id = ${OPEN_BUG}`.execute(context.db)
    expect(await addresses()).toEqual(ALL)
    await addAll(MARA)
    await sql`delete from project_member where project_id = ${ORCHARD} and account_id = ${TOM.id}`.execute(context.db)
    await sql`update project set access = 'private', rights_epoch = rights_epoch + 1 where id = ${ORCHARD}`.execute(
      context.db,
    )
    expect(await list()).toEqual([])
    expect(await addresses(MARA)).toEqual(ALL)
  })

  test('show no title that the caller may not read', async () => {
    await addAll(OLGA)
    const [shown] = await list(OLGA)
    const { json } = await api.get(`/artifacts/${OPEN_BUG}`, { as: OLGA })
    expect(shown.label).toBe(json.title ?? json.xref)
  })

  test.each(ALL)('%s requires sign-in', async (path) => {
    expect(await api.put(`${path}/favourite`)).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.delete(`${path}/favourite`)).toMatchObject(refused(401, 'authentication_required'))
  })

  test.each([`/trackers/${LEDGER}`, `/projects/${VAULT}`, '/artifacts/999999'])(
    '%s is hidden from Tom',
    async (path) => {
      expect(await add(path)).toMatchObject(refused(404, 'not_found'))
      expect(await remove(path)).toMatchObject(refused(404, 'not_found'))
    },
  )

  test('have a limit, and those that became invisible do not count', async () => {
    const ids = await insertBugs(MAX_FAVOURITES)
    await sql`insert into favourite (account_id, artifact_id, added_on)
      select ${TOM.id}, id, now() from unnest(${ids}::bigint[]) as id`.execute(context.db)
    const answer = await add(`/projects/${ORCHARD}`)
    expect(answer).toMatchObject(refused(400, 'rule_violated'))
    expect(answer.json.error.details.cause).toBe('too_many_favourites')
    expect((await add(`/artifacts/${ids[0]}`)).status).toBe(200)
    expect(await list()).toHaveLength(MAX_FAVOURITES)
    await sql`update artifact set deleted_on = now() where id = ${ids[0]}`.execute(context.db)
    expect((await add(`/projects/${ORCHARD}`)).status).toBe(200)
  })

  test('are not changed by a dry run', async () => {
    const { json } = await api.put(`${ALL[0]}/favourite?dry_run=true`, { as: TOM })
    expect(json.dry_run.changes).toMatchObject([{ object: `artifacts/${OPEN_BUG}/favourite` }])
    expect(await list()).toEqual([])
  })

  test('disappear with a purged artifact', async () => {
    await addAll()
    expect((await api.delete(`/artifacts/${OPEN_BUG}`, { as: ADA })).status).toBe(200)
    expect((await api.delete(`/artifacts/${OPEN_BUG}?purge=true`, { as: ADA })).status).toBe(200)
    await drainWorker(context)
    expect(await context.db.selectFrom('favourite').select('artifact_id').execute()).toEqual([
      { artifact_id: null },
      { artifact_id: null },
    ])
  })
})

async function insertBugs(count: number): Promise<ArtifactId[]> {
  const ids = Array.from({ length: count }, (_, at) => toId<ArtifactId>(15_000 + at))
  for (const id of ids)
    await insertSeededArtifact(context.db, { id, tracker: BUGS, title: BUG.summary, text: `Bug ${id}` })
  return ids
}
