import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from './db.ts'
import { startPostgres, withAdministrator } from './local-postgres.ts'

const directory = await mkdtemp(join(tmpdir(), 'waypost-standby-'))
await chmod(directory, 0o711)
const places = { data: join(directory, 'data'), socket: join(directory, 'socket'), durable: false }

afterAll(() => rm(directory, { recursive: true, force: true }))

test('a standby is not read until it is promoted', async () => {
  const primary = await startPostgres(places)
  await primary.stop()
  await writeFile(join(places.data, 'standby.signal'), '')
  const standby = await startPostgres(places)
  const db = openDatabase({ host: standby.host, user: 'postgres', database: 'postgres' })
  const look = () => sql`select 1`.execute(db)
  try {
    await expect(look()).rejects.toMatchObject({ reason: 'unavailable' })
    await expect(look()).rejects.toMatchObject({ reason: 'unavailable' })
    await withAdministrator({ host: standby.host, database: 'postgres' }, (client) =>
      client.query('select pg_promote()'),
    )
    expect((await look()).rows).toHaveLength(1)
  } finally {
    await db.destroy()
    await standby.stop()
  }
})
