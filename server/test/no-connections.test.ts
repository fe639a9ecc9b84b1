import { afterEach, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { withAdministrator } from '../src/platform/database/local-postgres.ts'
import { startWorld } from './harness.ts'
import { TOM } from './people.ts'
import { refused } from './refused.ts'

// F18: others have taken every connection that PostgreSQL has.
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

test('is told as a moment to come again, to reads and writes, and ends by itself', async () => {
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
