import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { loadRevisions } from '../../../test/fixtures/browsed-repository.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { toId } from '../../platform/database/ids.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'
import type { RepositoryId } from '../repository.ts'
import { recordRevisions } from './record-revisions.ts'

const { api, context } = await startWorld()
let count = 0
let [name, folder] = ['', '']
let id: RepositoryId

beforeEach(async () => {
  name = `core${++count}`
  folder = join(getSvnFolders(context.config).repositories, 'orchard', name)
  const { json } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name } })
  id = toId<RepositoryId>(json.id)
  const revisions = ['tom', 'mara', 'tom'].map((author, at) => ({
    author,
    message: `Sown by ${author}.`,
    date: new Date(),
    nodes: [{ path: `seed-${at}`, nodeAction: 'add' as const, content: author }],
  }))
  await loadRevisions(folder, dumpOf(revisions))
  await recordRevisions(context, { id, project_id: ORCHARD }, folder)
})

const erase = () => api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'tom' } })
const authors = async () => {
  const said = await Promise.all(
    ['1', '2', '3'].map((revision) => runTool('svnlook', ['author', '-r', revision, folder])),
  )
  return said.map(({ stdout }) => stdout.toString().trim())
}
const ERASED = `erased-${TOM.id}`

test('erasing an account removes its login from revisions, and changes nothing else', async () => {
  expect((await erase()).status).toBe(200)
  await drainWorker(context)
  expect(await authors()).toEqual([ERASED, 'mara', ERASED])
  const { json } = await api.get(`/svn/${id}/revisions`, { as: MARA })
  expect(
    json.map((each: { revision: number; author_name: string; message: string }) => [each.author_name, each.message]),
  ).toEqual([
    [ERASED, 'Sown by tom.'],
    ['mara', 'Sown by mara.'],
    [ERASED, 'Sown by tom.'],
  ])
  await runTool('svnadmin', ['verify', '--quiet', folder])
  const { rows } = await sql<{ type: string; state: string }>`
    select type, state from job where object = ${`users/${TOM.id}`} and type = 'svn_erase'`.execute(context.db)
  expect(rows).toEqual([{ type: 'svn_erase', state: 'done' }])
})

test('restoring a repository from the trash erases authors who were erased meanwhile', async () => {
  await api.delete(`/svn/${id}`, { as: MARA })
  await drainWorker(context)
  await erase()
  await drainWorker(context)
  const asked = api.post(`/svn/${id}/restore`, { as: ADA })
  await expect
    .poll(async () => (await sql`select from job where type = 'svn_restore'`.execute(context.db)).rows)
    .toHaveLength(1)
  await drainWorker(context)
  expect((await asked).status).toBe(201)
  expect(await authors()).toEqual([ERASED, 'mara', ERASED])
})
