import { appendFile, mkdir, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { loadRevisions } from '../../../test/fixtures/browsed-repository.ts'
import { filesEnvironment, svnRootOf } from '../../../test/harness/storage-settings.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { runCommand } from '../../../test/harness/run-command.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { dumpOf } from '../disk/svn-dump.ts'
import { refreshAccessFile } from '../access/refresh-access-file.ts'
import { createSvnFolders, getSvnFolders } from '../disk/svn-folders.ts'
import { projectConfigFile } from '../disk/project-configs.ts'
import { writeApacheConfig } from '../disk/start-apache.ts'
import { runTool } from '../disk/run-tool.ts'
import { toId } from '../../platform/database/ids.ts'
import type { RepositoryId } from '../repository.ts'
import { recordRevisions } from '../revisions/record-revisions.ts'
import { verifyRepositories } from './verify-repositories.ts'

const { api, context, clock } = await startWorld()
const places = getSvnFolders(context.config)
const placed = join(places.repositories, 'orchard')
const folder = join(placed, 'core')
let id: RepositoryId

// One healthy repository with two revisions.
beforeEach(async () => {
  clock.set(new Date()) // File times come from the real clock.
  await createSvnFolders(places)
  for (const each of [placed, places.deleted, places.apache])
    for (const name of await readdir(each).catch(() => [])) await rm(join(each, name), { recursive: true })
  const { json } = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core' } })
  id = toId<RepositoryId>(json.id)
  const revision = (path: string) => ({
    author: 'tom',
    message: `Sown: ${path}.`,
    date: new Date(),
    nodes: [{ path, nodeAction: 'add' as const, content: path.repeat(1000) }],
  })
  await loadRevisions(folder, dumpOf([revision('apple'), revision('pear')]))
  await recordRevisions(context, { id, project_id: ORCHARD }, folder)
  await refreshAccessFile(context, { id, shortname: 'orchard', name: 'core' }, '')
})

const faults = async () => {
  const found: string[] = []
  for await (const { object, faults: each } of verifyRepositories(context, 0))
    found.push(...each.map((fault) => `${object}: ${fault}`))
  return found
}

test('reports no faults for a healthy repository', async () => {
  expect(await faults()).toEqual([])
})

test.each([
  [
    'bytes that have changed',
    async () => {
      const file = join(folder, 'db', 'revs', '0', '2')
      const bytes = await readFile(file)
      bytes[20] = (bytes[20] ?? 0) ^ 1
      await writeFile(file, bytes)
    },
    /^orchard\/core: svnadmin verify says: svnadmin: E\d+/,
  ],
  [
    'a revision that is not recorded',
    async () => {
      await sql`delete from repository_revision where repository_id = ${id} and revision = 2`.execute(context.db)
      await sql`update repository set recorded_revision = 1 where id = ${id}`.execute(context.db)
    },
    'orchard/core: revision 1 is the last that is recorded',
  ],
  [
    'a gap in what is recorded',
    () => sql`delete from repository_revision where repository_id = ${id} and revision = 1`.execute(context.db),
    'orchard/core: not recorded: 1',
  ],
  [
    'a revision that is recorded and lost',
    async () => {
      await sql`insert into repository_revision (project_id, repository_id, revision, message, committed_on)
        values (${ORCHARD}, ${id}, 3, 'Never.', now())`.execute(context.db)
      await sql`update repository set recorded_revision = 3 where id = ${id}`.execute(context.db)
    },
    'orchard/core: revision 3 is recorded, and there is none',
  ],
  [
    'a mark that is behind',
    () => sql`update repository set recorded_revision = 1 where id = ${id}`.execute(context.db),
    'orchard/core: 1 is said to be the last that is recorded, and it is 2',
  ],
  [
    'a dead transaction',
    async () => {
      const transaction = join(folder, 'db', 'transactions', '2-a.txn')
      await mkdir(transaction)
      await utimes(transaction, new Date('2020-01-01'), new Date('2020-01-01'))
    },
    'orchard/core: unfinished transaction 2-a',
  ],
  [
    'a hook of somebody else',
    () => symlink('/bin/true', join(folder, 'hooks', 'start-commit')),
    'orchard/core: its hooks are not those that the server makes',
  ],
  [
    'a hook that is missing',
    () => rm(join(folder, 'hooks', 'pre-commit')),
    'orchard/core: its hooks are not those that the server makes',
  ],
  [
    'an access file that was written by hand',
    () => appendFile(join(folder, 'conf', 'authz'), '\n[/secret]\n* = rw\n'),
    'orchard/core: its access file is not what the server has made',
  ],
  ['a folder that is missing', () => rm(folder, { recursive: true }), 'orchard/core: its folder is missing'],
  [
    'a folder of another',
    () => writeFile(join(folder, 'conf', 'waypost-id'), '7'),
    'orchard/core: its folder is that of another, 7',
  ],
  [
    'a folder without a row',
    () => runTool('svnadmin', ['create', join(placed, 'stray')]),
    'repositories/orchard/stray: no repository in the database has it',
  ],
  [
    'a project that Apache does not serve',
    () => rm(projectConfigFile(places, 'orchard')),
    'apache: orchard.conf is missing: Apache does not serve the repositories of orchard',
  ],
  [
    'a file of Apache that was changed by hand',
    () =>
      appendFile(projectConfigFile(places, 'orchard'), '<Location "/svn/orchard">\nRequire all granted\n</Location>'),
    'apache: orchard.conf is not what the server writes',
  ],
  [
    'a main file of Apache from other variables',
    async () => {
      await writeApacheConfig({ ...context.config, WAYPOST_TRUSTED_PROXIES: ['203.0.113.9'] })
    },
    'apache: httpd.conf is not what `waypost svn apache-config --write` writes with these variables',
  ],
])('finds %s', async (_, plant, fault) => {
  await plant()
  expect(await faults()).toEqual([expect.stringMatching(fault)])
})

test('finds dumps that are damaged, missing or without a row', async () => {
  await api.delete(`/svn/${id}`, { as: MARA })
  expect(await faults()).toEqual([])
  await drainWorker(context)
  expect(await faults()).toEqual([])
  const [name = ''] = await readdir(places.deleted)
  await truncate(join(places.deleted, name), 100)
  expect(await faults()).toEqual(['orchard/core: its dump is damaged'])
  await rm(join(places.deleted, name))
  await writeFile(join(places.deleted, '7.dump.gz'), '')
  expect(await faults()).toEqual([
    'orchard/core: its dump cannot be read',
    'deleted/7.dump.gz: no repository in the database has it',
  ])
})

test('waypost svn verify prints a table, and exits with 1 if there is a fault', async () => {
  const { WAYPOST_DATABASE_URL } = context.config
  const environment = {
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_DATABASE_URL,
    WAYPOST_SVN_ROOT: svnRootOf(WAYPOST_DATABASE_URL),
    ...filesEnvironment(WAYPOST_DATABASE_URL),
  }
  const sound = await runCommand(environment, ['svn', 'verify'])
  expect(sound).toEqual({
    code: 0,
    out: '    repository    last  fault\nok  orchard/core  r2\nDatabase and repositories agree.\n',
    err: '',
  })
  await rm(folder, { recursive: true })
  expect(await runCommand(environment, ['svn', 'verify'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/WRONG {2}orchard\/core .* its folder is missing\nFaults: 1\.\n$/),
  })
})
