import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { readConfig } from '../../src/platform/operation/config.ts'
import { prepareSvnFolders } from '../../src/repositories/disk/make-repository.ts'
import { getSvnFolders } from '../../src/repositories/disk/svn-folders.ts'
import { runTool } from '../../src/repositories/disk/run-tool.ts'
import { startApache } from '../../src/repositories/disk/start-apache.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { createTestDatabase } from '../harness/database.ts'
import { keepWriting, type AcknowledgedWrite } from '../harness/keep-writing.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { runCommand } from '../harness/run-command.ts'
import { seed } from '../fixtures/seed.ts'
import { SECRET_KEY, startServerProcess } from '../harness/server-process.ts'
import { svnEnvironment } from '../peers/svn-client.ts'
import { callBytes, makeFileTracker } from '../fixtures/uploads.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// F45: a backup is made under load, in the order of the manual, and restored into an empty installation.
const run = promisify(execFile)
const [lived, empty] = [await createTestDatabase(), await createTestDatabase('empty')]
const folder = await mkdtemp(join(tmpdir(), 'waypost-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
await chmod(folder, 0o711) // Subversion's tools may run as another user, who has to enter it.
const subversion = await svnEnvironment()
afterAll(() => rm(subversion.WAYPOST_SVN_ROOT, { recursive: true, force: true }))

const instance = (database: typeof lived, files: string, svn: string) => ({
  ...subversion,
  WAYPOST_ENVIRONMENT: 'test',
  WAYPOST_SECRET_KEYS: SECRET_KEY,
  WAYPOST_PUBLIC_URL: 'https://waypost.example',
  WAYPOST_SMTP_URL: 'smtp://localhost:2525',
  WAYPOST_LOG_LEVEL: 'error',
  WAYPOST_DATABASE_URL: database.appUrl,
  WAYPOST_MIGRATE_URL: database.ownerUrl,
  WAYPOST_FILES: files,
  WAYPOST_SVN_ROOT: svn,
})
const before = instance(lived, join(folder, 'files'), subversion.WAYPOST_SVN_ROOT)
const after = instance(empty, join(folder, 'files-copy'), join(folder, 'svn-copy'))

test('acknowledged writes before a backup are present and consistent after its restore', async () => {
  const owner = await createContext(readConfig({ ...before, WAYPOST_DATABASE_URL: lived.ownerUrl }))
  await seed(owner.db)
  await closePools(owner.pools)
  await mkdir(subversion.WAYPOST_SVN_ROOT, { recursive: true })
  const apache = await startApache(readConfig(before))
  onTestFinished(() => apache.stop())
  const server = await startServerProcess({ ...before, WAYPOST_ROLES: 'api,worker' })
  onTestFinished(() => void server.stop())
  const { api } = server
  const tracker = await makeFileTracker(api)
  const settings = { layout: ['trunk'] }
  const made = await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
  expect(made.status, made.text).toBe(201)

  const acknowledged: AcknowledgedWrite[] = []
  const end = new AbortController()
  const work = ['one', 'two', 'three'].map((name) => keepWriting(api, tracker, acknowledged, name, end.signal))
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  const beforeIt = [...acknowledged]
  await run('pg_dump', ['--format=custom', `--file=${join(folder, 'waypost.dump')}`, lived.ownerUrl])
  const atItsEnd = acknowledged.length
  // Like rsync, it warns about files that an upload removes meanwhile, and continues.
  await run('cp', ['--archive', '--', before.WAYPOST_FILES, after.WAYPOST_FILES]).catch(() => undefined)
  const places = [before, after].map((each) => getSvnFolders(readConfig(each)))
  const [from = '', to = ''] = places.map(({ repositories }) => join(repositories, 'orchard', 'core'))
  await Promise.all(places.map(prepareSvnFolders))
  await run('cp', ['--archive', '--', dirname(from), dirname(to)])
  await rm(to, { recursive: true })
  await runTool('svnadmin', ['hotcopy', from, to])
  await expect.poll(() => acknowledged.length).toBeGreaterThan(atItsEnd + 10)
  end.abort()
  await Promise.all(work)
  await server.stop()
  await apache.stop()

  await run('pg_restore', ['--no-comments', `--dbname=${empty.ownerUrl}`, join(folder, 'waypost.dump')])
  await writeFile(join(folder, 'erased.txt'), '')
  for (const args of [
    ['migrate'],
    ['restored', '--erased', join(folder, 'erased.txt')],
    ['doctor'],
    ['svn', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(after, args)
    expect(code, `${args.join(' ')}: ${out}${err}`).toBe(0)
  }
  // Content newer than the dump is orphaned, and uploads in progress may be incomplete; everything else is intact.
  expect((await runCommand(after, ['files', 'verify'])).out).not.toMatch(/content (missing|damaged)/)
  const next = await startServerProcess(after)
  try {
    for (const { artifact, file, text } of beforeIt) {
      expect((await next.api.get(`/artifacts/${artifact}`, { as: TOM })).status, text).toBe(200)
      expect((await callBytes(next.api, `/files/${file}/${text.replace(' ', '-')}.txt`, { as: TOM })).text).toBe(text)
    }
    const { headers } = await next.api.get(`/trackers/${tracker.id}/artifacts?limit=1`, { as: TOM })
    // Each writer may have had one write in progress that was acknowledged later.
    expect(Number(headers['x-pagination-size'])).toBeLessThanOrEqual(atItsEnd + work.length)
    const context = await createContext(readConfig({ ...after, WAYPOST_DATABASE_URL: empty.ownerUrl }))
    expect(await auditArtifacts(context, context.db)).toEqual([])
    await closePools(context.pools)
  } finally {
    await next.stop()
  }
})
