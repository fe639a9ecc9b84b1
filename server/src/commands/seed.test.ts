import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { type CommandResult, runCommand } from '../../test/harness/run-command.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

const { ownerUrl, appUrl } = await createTestDatabase()
const environment = {
  WAYPOST_DATABASE_URL: appUrl,
  WAYPOST_MIGRATE_URL: ownerUrl,
  WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
}
const waypost = (...args: string[]) => runCommand(environment, args)
const client = new Client({ connectionString: ownerUrl })
const SIZE = 10_000

let indexes: string[]
let outcome: CommandResult
beforeAll(async () => {
  await client.connect()
  indexes = await definitions()
  outcome = await waypost('seed', '--users', '10', '--projects', '1', '--artifacts', String(SIZE))
})
afterAll(() => client.end())

test('seed prints its rate', () => {
  const speed = /^10000 artifacts in [\d.]+ s, \d+\/s: loaded in [\d.]+ s \(\d+\/s\), indexed in [\d.]+ s\.$/m

  expect(outcome).toEqual({ code: 0, out: expect.stringMatching(speed), err: '' })
})

test('seed creates artifacts with their history and search index', async () => {
  expect(await one('select count(*) from artifact')).toBe(SIZE)
  expect(await one('select count(*) from artifact where restricted_to is not null')).toBe(SIZE / 20)
  expect(
    await one(`select count(*) from artifact
    where version <> (select count(*) from changeset where artifact_id = artifact.id)`),
  ).toBe(0)
  expect(
    await one(`select count(*) from artifact join artifact_words on artifact_words.artifact_id = artifact.id
    cross join (select array_agg((element ->> 'id')::bigint order by (element ->> 'id')::bigint) as fields from tracker,
      jsonb_array_elements(structure -> 'elements') element where element ->> 'type' in ('string', 'text')) texts
    where words = words_of(field_values, texts.fields)`),
  ).toBe(SIZE)
})

test('the needle has the same number of hits at every size', async () => {
  expect(
    await one(`select count(*) from value_index
      join (select (element ->> 'id')::bigint as field, (choice ->> 'id')::bigint as value from tracker,
        jsonb_array_elements(structure -> 'elements') element, jsonb_array_elements(element -> 'bind' -> 'values') choice
        where choice ->> 'key' = 'needle') needle on needle.field = field_id and needle.value = value_index.value`),
  ).toBe(1000)
})

test('the next artifact has the next id and number, and all are counted', async () => {
  expect(await one(`select nextval(pg_get_serial_sequence('artifact', 'id'))`)).toBe(SIZE + 1)
  expect(await one(`select nextval(pg_get_serial_sequence('changeset', 'id')) - max(id) from changeset`)).toBe(1)
  expect(await one('select artifacts + last_number from tracker_counter')).toBe(2 * SIZE)
})

test('all indexes, keys and references exist afterwards', async () => {
  expect(await definitions()).toEqual(indexes)
})

test('a database with artifacts is refused, and only multiples of ten thousand are created', async () => {
  expect(await waypost('seed', '--artifacts', String(SIZE))).toEqual({
    code: 1,
    out: '',
    err: 'There are artifacts already: seed a new database.\n',
  })
  expect(await waypost('seed', '--artifacts', '12000')).toMatchObject({
    code: 1,
    err: expect.stringContaining('must be a multiple of 10000'),
  })
})

async function one(text: string): Promise<number> {
  const { rows } = await client.query<Record<string, string>>(text)
  return Number(Object.values(rows[0] ?? {})[0])
}

async function definitions(): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where schemaname = 'public'
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
     from pg_constraint where connamespace = 'public'::regnamespace
     order by 1`,
  )
  return rows.map(({ definition }) => definition)
}
