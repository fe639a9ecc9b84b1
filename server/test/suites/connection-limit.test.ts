import { afterEach, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { withAdministrator } from '../../src/platform/database/local-postgres.ts'
import { startWorld } from '../harness/start-world.ts'
import { TOM } from '../fixtures/people.ts'
import { refused } from '../harness/refused.ts'

// F18: all connections of PostgreSQL are taken.
const { api, context } = await startWorld()
const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(context.db)
const [{ name } = { name: '' }] = rows

const administer = (...statements: readonly string[]) =>
  withAdministrator({ host: inject('cluster'), database: 'postgres' }, async (administrator) => {
    for (const statement of statements) await administrator.query(statement)
  })
const limit = (most: number) => `alter database ${escapeIdentifier(name)} connection limit ${most}`
const endOurs = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = 'waypost_app'`
afterEach(() => administer(limit(-1)))

test('reads and writes are refused as retryable, and recover by themselves', async () => {
  const body = { description: 'Late', scopes: ['write:rest'] }
  await administer(limit(0), endOurs)
  for (let turn = 0; turn < 3; turn++) {
    expect(await api.get('/users/self', { as: TOM })).toMatchObject(refused(503, 'unavailable'))
    expect(await api.post('/access_keys', { as: TOM, body })).toMatchObject(refused(503, 'unavailable'))
  }
  expect((await api.get('/users/self', { as: TOM })).headers['retry-after']).toMatch(/^\d+$/)

  await administer(limit(-1))
  expect((await api.post('/access_keys', { as: TOM, body })).status).toBe(201)
})
