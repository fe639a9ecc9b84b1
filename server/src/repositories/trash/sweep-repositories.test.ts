import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { loadRevisions } from '../../../test/fixtures/browsed-repository.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { enqueueJob } from '../../platform/jobs/jobs.ts'
import { createSvnFolders, getSvnFolders } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'

// No Apache here: only the files on disk matter.
const { api, context, clock } = await startWorld()
const places = getSvnFolders(context.config)
const placed = join(places.repositories, 'orchard')

const HOUR = 3_600_000
const DAY = 24 * HOUR
beforeEach(async () => {
  clock.set(new Date()) // File times come from the real clock.
  await createSvnFolders(places)
  for (const folder of [places.making, places.deleted, placed])
    for (const name of await readdir(folder).catch(() => [])) await runTool('rm', ['-r', join(folder, name)])
})

const sweep = async () => {
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
  await drainWorker(context)
}
const create = async (name: string, settings: object = {}) =>
  Number((await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name, settings } })).json.id)
const commit = (folder: string) =>
  loadRevisions(
    folder,
    dumpOf([
      { author: 'tom', message: 'Sown.', date: new Date(), nodes: [{ path: 'seed', nodeAction: 'add', content: 'x' }] },
    ]),
  )
const names = async (folder: string) => (await readdir(folder)).toSorted()
const rowsOf = async (id: number) => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from repository where id = ${id})
      + (select count(*) from repository_access_file where repository_id = ${id})
      + (select count(*) from repository_revision where repository_id = ${id}) as count`.execute(context.db)
  return rows[0]?.count
}

describe('the sweep of repositories', () => {
  test('purges repositories after the retention time, and nothing else', async () => {
    const [old, young, live] = [await create('old', { layout: ['trunk'] }), await create('young'), await create('live')]
    await api.delete(`/svn/${old}`, { as: MARA })
    await drainWorker(context)
    clock.advance(DAY)
    await api.delete(`/svn/${young}`, { as: MARA })
    await drainWorker(context)
    expect(await names(places.deleted)).toHaveLength(2)
    clock.advance(29 * DAY)
    await sweep()
    expect([await rowsOf(old), await rowsOf(young), await rowsOf(live)]).toEqual([0, 2, 2])
    expect(await names(places.deleted)).toEqual([expect.stringMatching(`^${young}-.*\\.dump\\.gz$`)])
    expect(await names(placed)).toEqual(['live'])
    const { json } = await api.get('/audit?action=repository.purge', { as: ADA })
    expect(json).toMatchObject([{ object: `svn/${old}`, before: { name: 'old' }, credential: { kind: 'job' } }])
    expect((await api.post(`/svn/${old}/restore`, { as: ADA })).status).toBe(404)
    expect((await api.get('/trash?type=repository', { as: ADA })).json).toHaveLength(1)
  })

  test('purges repositories that could not be dumped', async () => {
    const id = await create('stuck')
    await api.delete(`/svn/${id}`, { as: MARA })
    clock.advance(31 * DAY)
    await sweep()
    expect([await rowsOf(id), await names(placed), await names(places.deleted)]).toEqual([0, [], []])
    expect(await names(places.making)).toEqual([])
  })

  test('skips repositories that are being restored', async () => {
    const id = await create('returning')
    await api.delete(`/svn/${id}`, { as: MARA })
    await sql`update repository set restoring_on = now() where id = ${id}`.execute(context.db)
    clock.advance(31 * DAY)
    await sweep()
    expect(await rowsOf(id)).toBe(2)
  })

  test('removes folders without a row: empty ones after an hour, those with commits after the retention time', async () => {
    const live = await create('live')
    for (const [name, layout] of [
      ['bare', []],
      ['laid-out', ['trunk']],
      ['committed', []],
    ] as const) {
      const id = await create(name, { layout })
      for (const table of ['repository_revision', 'repository_access_file'])
        await sql`delete from ${sql.table(table)} where repository_id = ${id}`.execute(context.db)
      await sql`delete from repository where id = ${id}`.execute(context.db)
    }
    await commit(join(placed, 'committed'))
    await commit(join(placed, 'live'))
    await writeFile(join(places.deleted, '77-of-a-backup.dump.gz'), 'x')
    await mkdir(join(places.making, 'half'))
    await sweep()
    expect(await names(placed)).toEqual(['bare', 'committed', 'laid-out', 'live'])
    clock.advance(2 * HOUR)
    await sweep()
    expect(await names(placed)).toEqual(['committed', 'live'])
    expect(await names(places.making)).toEqual(['half'])
    clock.advance(2 * DAY)
    await sweep()
    expect(await names(places.making)).toEqual([])
    expect(await names(places.deleted)).toEqual(['77-of-a-backup.dump.gz'])
    clock.advance(30 * DAY)
    await sweep()
    expect([await names(placed), await names(places.deleted)]).toEqual([['live'], []])
    expect(await rowsOf(live)).toBe(2)
  })

  test('removes abandoned transactions, and no others', async () => {
    await create('core')
    const folder = join(placed, 'core')
    await beginTransaction(folder, 'dead')
    await beginTransaction(folder, 'alive')
    const then = new Date(Date.now() - 2 * HOUR)
    for (const part of ['transactions/0-dead.txn', 'txn-protorevs/0-dead.rev'])
      await utimes(join(folder, 'db', part), then, then)
    await sweep()
    expect((await runTool('svnadmin', ['lstxns', folder])).stdout.toString()).toBe('0-alive\n')
  })
})

/** Like a client that disconnects before the commit. */
async function beginTransaction(folder: string, name: string): Promise<void> {
  await runTool('mkdir', [join(folder, 'db', 'transactions', `0-${name}.txn`)])
  await runTool('touch', [join(folder, 'db', 'txn-protorevs', `0-${name}.rev`)])
}
