import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { readConfig } from '../../src/platform/operation/config.ts'
import { svnUser } from '../../src/repositories/disk/run-tool.ts'
import { startApache } from '../../src/repositories/disk/start-apache.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { createTestDatabase } from '../harness/database.ts'
import { keepWriting, type AcknowledgedWrite } from '../harness/keep-writing.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { runCommand, splitCommandLine } from '../harness/run-command.ts'
import { seed } from '../fixtures/seed.ts'
import { SECRET_KEY, startServerProcess } from '../harness/server-process.ts'
import { startMailPeer } from '../peers/mail-peer.ts'
import { createSvnClient, svnEnvironment } from '../peers/svn-client.ts'
import { callBytes, makeFileTracker } from '../fixtures/uploads.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// F45: a backup is made under load, and restored into an empty installation, by the commands of the manual.
const run = promisify(execFile)
const [lived, empty] = [await createTestDatabase(), await createTestDatabase('empty')]
const folder = await mkdtemp(join(tmpdir(), 'waypost-backup-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
await chmod(folder, 0o711) // Subversion's tools may run as another user, who has to enter it.
const subversion = await svnEnvironment()
afterAll(() => rm(subversion.WAYPOST_SVN_ROOT, { recursive: true, force: true }))

const { url: mailUrl } = await startMailPeer()
const instance = (database: typeof lived, files: string, svn: string) => ({
  ...subversion,
  WAYPOST_ENVIRONMENT: 'test',
  WAYPOST_SECRET_KEYS: SECRET_KEY,
  WAYPOST_PUBLIC_URL: 'https://waypost.example',
  WAYPOST_SMTP_URL: mailUrl,
  WAYPOST_LOG_LEVEL: 'error',
  WAYPOST_DATABASE_URL: database.appUrl,
  WAYPOST_MIGRATE_URL: database.ownerUrl,
  WAYPOST_FILES: files,
  WAYPOST_SVN_ROOT: svn,
})
const url = `${subversion['WAYPOST_SVN_URL']}/orchard/core`
const svn = createSvnClient(await mkdtemp(join(tmpdir(), 'waypost-svn-client-')))
afterAll(() => rm(svn.work, { recursive: true, force: true }))
const manual = readBackupSection(await readFile('docs/operating.md', 'utf8'))
const before = instance(lived, join(folder, 'files'), subversion.WAYPOST_SVN_ROOT)
const after = instance(empty, join(folder, 'files-copy'), join(folder, 'svn-copy'))

test('acknowledged writes before a backup are present and consistent after its restore', async () => {
  const seeding = await createContext(readConfig({ ...before, WAYPOST_DATABASE_URL: lived.ownerUrl }))
  await seed(seeding.db)
  await closePools(seeding.pools)
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
  await mkdir(join(folder, 'backup'))
  const revision = await svn.put(TOM, `${url}/trunk/seed.txt`, 'apple', 'Sown.')
  expect(revision.code, revision.error).toBe(0)
  // Revisions that are not recorded yet are recorded by the worker after a restore, and reported by `svn verify` before.
  const recorded = () => run('psql', ['-Atc', 'select recorded_revision from repository', lived.ownerUrl])
  await expect.poll(async () => (await recorded()).stdout.trim()).toBe('2')
  const [backUp = '', restore = ''] = manual.examples
  await runBlock(backUp, before)
  const atItsEnd = acknowledged.length
  await expect.poll(() => acknowledged.length).toBeGreaterThan(atItsEnd + 10)
  end.abort()
  await Promise.all(work)
  await server.stop()
  await apache.stop()

  await runBlock(restore, after)
  const owner = await svnUser() // The manual's commands run as the user of the servers; these tests may run as root.
  if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, after.WAYPOST_SVN_ROOT])
  await writeFile(join(folder, 'erased.txt'), '')
  for (const line of manual.commands) {
    // Content newer than the dump is orphaned, and uploads in progress may be incomplete; everything else is intact.
    const { code, out, err } = await runCommand(after, splitCommandLine(line), { folder })
    const isUnsound = line.includes('files verify') ? /content (missing|damaged)/.test(out) : code !== 0
    expect(isUnsound, `${line}: ${out}${err}`).toBe(false)
  }
  const restored = await startApache(readConfig(after))
  onTestFinished(() => restored.stop())
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
    expect(await svn.svn(TOM, 'checkout', url, join(svn.work, 'copy'))).toMatchObject({ code: 0, error: '' })
    expect(await readFile(join(svn.work, 'copy', 'trunk', 'seed.txt'), 'utf8')).toBe('apple')
    expect(await svn.svn(TOM, 'mkdir', '-m', 'After the restore.', `${url}/later`)).toMatchObject({ code: 0 })
    await closePools(context.pools)
  } finally {
    await next.stop()
  }
})

/** The commands of the manual: two examples for a shell, and those of `npx waypost`, which end a restore. */
function readBackupSection(page: string): { examples: string[]; commands: string[] } {
  const section = page.slice(page.indexOf('\n## Backup\n'), page.indexOf('\n## Trials\n'))
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return {
    examples: blocks.filter((block) => block.startsWith('# an example')),
    commands: blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('npx waypost '))),
  }
}

/** Like rsync, `cp` reports files that an upload removes meanwhile, and copies the others. */
const RSYNC = `rsync() {
  local from="\${@: -2:1}" to="\${@: -1}"
  mkdir -p "$to"
  cp --archive -- "\${from/%\\///.}" "$to" 2>/dev/null || true
}`

async function runBlock(block: string, environment: Record<string, string>): Promise<void> {
  await run('bash', ['-euo', 'pipefail', '-c', `${RSYNC}\n${block}`], {
    env: { PATH: process.env['PATH'], ...environment, BACKUP: join(folder, 'backup') },
  })
}
