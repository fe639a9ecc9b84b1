import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { verifyFiles } from '../../src/files/verify-files.ts'
import {
  createRolesAndDatabase,
  startPostgres,
  unprivilegedUser,
  withAdministrator,
} from '../../src/platform/database/local-postgres.ts'
import { findBinaries } from '../../src/platform/database/postgres-binaries.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { testConfig } from '../harness/start-world.ts'
import { keepWriting, type AcknowledgedWrite } from '../harness/keep-writing.ts'
import { TOM } from '../fixtures/people.ts'
import { prepareDatabase } from '../harness/prepare-database.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { makeFileTracker } from '../fixtures/uploads.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// F45: a base backup is made under load, PostgreSQL archives its WAL, and everything is restored to one point in time.
const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'waypost-moment-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
await chmod(folder, 0o711)
const user = await unprivilegedUser()
const [archive, base, files] = [join(folder, 'archive'), join(folder, 'base'), join(folder, 'files')]
for (const place of [archive, base]) {
  await mkdir(place, { mode: 0o700 })
  if (user) await chown(place, user.uid, user.gid)
}
const places = (data: string) => ({ data, socket: `${data}-socket`, durable: true })

test('all writes acknowledged before the point in time are restored, and none that began after it', {
  timeout: 240_000,
}, async () => {
  const settings = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f`, log_min_messages: 'fatal' }
  const lived = await startPostgres({ ...places(join(folder, 'lived')), settings })
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: lived.host, database: 'waypost' })
  await prepareDatabase(ownerUrl)
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_FILES: files })
  const tracker = await makeFileTracker(server.api)
  const list: AcknowledgedWrite[] = []
  const end = new AbortController()
  const work = ['one', 'two', 'three'].map((name) => keepWriting(server.api, tracker, list, name, end.signal))
  const more = async (count: number) => {
    await expect.poll(() => list.length).toBeGreaterThan(count)
  }

  await more(10)
  const flags = ['-D', base, '-h', lived.host, '-U', 'postgres', '-X', 'none', '--checkpoint=fast']
  await run(join(await findBinaries(undefined), 'pg_basebackup'), flags, { ...user, cwd: '/' })
  await more(list.length + 10)
  const moment = Date.now()
  await more(list.length + 10)
  end.abort()
  await Promise.all(work)
  await server.stop()
  await withAdministrator({ host: lived.host, database: 'postgres' }, async (administrator) => {
    const { rows } = await administrator.query(`select pg_walfile_name(pg_switch_wal()) as last`)
    const archived = async () =>
      (await administrator.query(`select last_archived_wal >= $1 as is from pg_stat_archiver`, [rows[0].last])).rows[0]
        .is
    await expect.poll(archived).toBe(true)
  })
  await lived.stop()

  await writeFile(join(base, 'recovery.signal'), '')
  const restored = await startPostgres({
    ...places(base),
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: new Date(moment).toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
      log_min_messages: 'fatal',
    },
  })
  onTestFinished(() => restored.stop())
  const isBack = () =>
    withAdministrator({ host: restored.host, database: 'postgres' }, async (administrator) => {
      const { rows } = await administrator.query('select not pg_is_in_recovery() as is')
      return rows[0].is
    })
  await expect.poll(isBack, { timeout: 60_000 }).toBe(true)
  const url = ownerUrl.replace(encodeURIComponent(lived.host), encodeURIComponent(restored.host))
  const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: url, WAYPOST_FILES: files }))
  onTestFinished(() => closePools(context.pools))

  const found = await context.db.selectFrom('artifact').select('id').where('submitted_by', '=', TOM.id).execute()
  const there = new Set<number>(found.map(({ id }) => id))
  const [before, after] = [
    list.filter(({ acknowledged }) => acknowledged < moment),
    list.filter(({ begun }) => begun > moment),
  ]

  expect([before.length > 20, after.length > 0]).toEqual([true, true])
  expect(before.filter(({ artifact }) => !there.has(artifact))).toEqual([])
  expect(after.filter(({ artifact }) => there.has(artifact))).toEqual([])
  expect(await auditArtifacts(context, context.db)).toEqual([])
  // Later content is orphaned; an upload in progress may miss parts, and expires. Attached files are intact.
  const faults = await Array.fromAsync(verifyFiles(context, { digest: true }))
  expect(faults.filter(({ kind }) => /^(content (missing|damaged)|file incomplete)$/.test(kind))).toEqual([])
})
