import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { MARA } from '../../test/fixtures/people.ts'
import { ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { startSvnWorld } from '../../test/peers/svn.ts'
import { getSvnFolders } from './disk/svn-folders.ts'

const { api, context } = await startSvnWorld()

test('R16 Apache is reloaded while no transaction is open', async () => {
  const seen = join(getSvnFolders(context.config).apache, 'seen')
  const answered = new AbortController()
  const creating = api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core' } })
  const ending = creating.finally(() => answered.abort())
  const open: number[] = []
  while (!answered.signal.aborted) {
    // Apache reloads its configuration while this file exists.
    const isReloading = (await readdir(seen).catch(() => [])).some((name) => name.endsWith('.conf'))
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(context.db)
    const isStill = (await readdir(seen).catch(() => [])).some((name) => name.endsWith('.conf'))
    if (isReloading && isStill) open.push(rows[0]?.count ?? 0)
    await pause(5)
  }
  expect((await ending).status).toBe(201)
  expect(open.length).toBeGreaterThan(0)
  expect(Math.max(...open)).toBe(0)
})
