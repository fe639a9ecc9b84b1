import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { withAdministrator } from '../../src/platform/database/local-postgres.ts'
import { inject } from 'vitest'
import { createTestDatabase } from '../harness/database.ts'
import type { Response } from '../harness/client.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../fixtures/people.ts'
import { BUG, BUGS, GATED, GATES, LEADS, OPEN_BUG, OPEN_GATE, ORCHARD, QUARRY, VAULT } from '../fixtures/seed-ids.ts'
import { seed } from '../fixtures/seed.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { startServerProcess } from '../harness/server-process.ts'

// Two server processes on one database: a permission revoked through one is refused by the other on the next request.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})
beforeEach(() => seed(owner))

/** Ends all connections of all processes, like a network failure. */
async function cutConnections(): Promise<void> {
  await withAdministrator({ host: inject('cluster'), database: 'postgres' }, (administrator) =>
    administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'waypost_app'`,
      [database.name],
    ),
  )
}

const CASES = [
  {
    what: 'a deleted key',
    withdraw: () => one.api.delete(`/access_keys/${TOM.key_id}`, { as: TOM }),
    use: () => other.api.get('/users/self', { as: TOM }),
    refusal: 401,
  },
  {
    what: 'a suspended account',
    withdraw: () => one.api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } }),
    use: () => other.api.get('/users/self', { as: TOM }),
    refusal: 403,
  },
  {
    what: 'a membership',
    withdraw: () => one.api.put(`/user_groups/${ORCHARD}_4/users`, { as: MARA, body: [{ username: 'tom' }] }),
    use: () => other.api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'still mine?' } }),
    refusal: 403,
  },
  {
    what: 'a suspended project',
    withdraw: () => one.api.patch(`/projects/${VAULT}`, { as: ADA, body: { status: 'suspended' } }),
    use: () => other.api.get(`/projects/${VAULT}`, { as: VICTOR }),
    refusal: 404,
  },
  {
    what: 'a lost site administration',
    withdraw: async () => {
      await one.api.patch(`/users/${MARA.id}`, { as: ADA, body: { is_site_admin: true } })
      return one.api.patch(`/users/${ADA.id}`, { as: MARA, body: { is_site_admin: false } })
    },
    use: () => other.api.get(`/projects/${QUARRY}`, { as: ADA }),
    refusal: 404,
  },
  {
    what: 'anonymous access',
    withdraw: () => one.api.patch('/settings', { as: ADA, body: { anonymous_access: false } }),
    use: () => other.api.get('/projects'),
    refusal: 401,
  },
]

describe.each(CASES)('$what', ({ withdraw, use, refusal }) => {
  test('is refused on the next request to another process', async () => {
    expect((await use()).status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    expect((await use()).status).toBe(refusal)
  })

  test('is also refused when that process has just lost its connections', async () => {
    expect((await use()).status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    await cutConnections()
    const statuses = await untilAnswered(use)
    expect(statuses.at(-1)).toBe(refusal)
    expect(statuses).not.toContain(200) // Never the old response.
  })
})

/** The statuses of requests, each of which may hit another lost connection; a process has eight, and opens new ones. */
async function untilAnswered(ask: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  do statuses.push((await ask()).status)
  while (statuses.at(-1) === 503 && statuses.length <= 30)
  return statuses
}

/** Puts the definition of a tracker with one change. */
async function redefine(tracker: number, change: (definition: string) => string): Promise<Response> {
  const path = `/trackers/${tracker}/definition`
  const { text } = await one.api.get(path, { as: MARA })
  return one.api.put(path, { as: MARA, body: change(text) })
}

const withField = (name: string, permissions: object) => (definition: string) => {
  const again = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(again)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, each]) => [key, again(each)])
    return Object.fromEntries(
      'name' in value && value.name === name ? [...entries, ['permissions', permissions]] : entries,
    )
  }
  return JSON.stringify(again(JSON.parse(definition)))
}
const forMembers = { read: ['@members'], submit: ['@members'], update: ['@members'] }
const forAdmins = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
const withGrants = (permissions: object) => (definition: string) =>
  JSON.stringify({ ...JSON.parse(definition), permissions })

interface ReaderCase {
  readonly what: string
  readonly reader: TestPerson
  readonly artifact: number
  readonly tracker: number
  readonly withdraw: () => Promise<Response>
  /**
   * A word that the response contained and must not contain any more; `status` is set if the whole artifact is hidden.
   */
  readonly word: string
  readonly status: 200 | 404
}

const READERS: readonly ReaderCase[] = [
  {
    what: 'the right to read a field',
    reader: OLGA,
    artifact: OPEN_BUG,
    tracker: BUGS,
    withdraw: () => redefine(BUGS, withField('summary', forMembers)),
    word: 'Pump leaks',
    status: 200,
  },
  {
    what: 'a membership that a field is for',
    reader: TOM,
    artifact: OPEN_BUG,
    tracker: BUGS,
    withdraw: () => one.api.put(`/user_groups/${ORCHARD}_3/users`, { as: MARA, body: [{ username: 'mara' }] }),
    word: 'Behind the barn',
    status: 200,
  },
  {
    what: 'the place in a group that an artifact is for',
    reader: GUS,
    artifact: GATED,
    tracker: GATES,
    withdraw: () => one.api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: [{ username: 'uma' }] }),
    word: `"id":${GATED}`,
    status: 404,
  },
  {
    what: 'the access to a tracker',
    reader: OLGA,
    artifact: OPEN_BUG,
    tracker: BUGS,
    withdraw: () => redefine(BUGS, withGrants({ full: ['@members'], admin: ['leads'] })),
    word: 'Pump leaks',
    status: 404,
  },
  {
    what: 'the sight of one artifact',
    reader: TOM,
    artifact: OPEN_GATE,
    tracker: GATES,
    withdraw: () => {
      const value = { granted_groups: ['leads'], is_used_by_default: true }
      return one.api.put(`/artifacts/${OPEN_GATE}`, { as: MARA, body: { values_by_field: { seen_by: { value } } } })
    },
    word: 'Open gate',
    status: 404,
  },
]

describe.each(READERS)('$what', ({ reader, artifact, tracker, withdraw, word, status }) => {
  const look = (path = '', headers = {}) => other.api.get(`/artifacts/${artifact}${path}`, { as: reader, headers })
  beforeEach(async () => {
    await seedTestArtifacts(owner)
    const values = [{ field_id: BUG.notes, value: 'Behind the barn' }]
    await one.api.put(`/artifacts/${OPEN_BUG}`, { as: MARA, body: { values } })
  })

  test('Z49 is hidden on the next request to another process, with any ETag', async () => {
    const before = await look()
    const tag = { 'if-none-match': before.headers.etag }
    expect(before.text).toContain(word)
    expect((await look('', tag)).status).toBe(304)
    expect((await withdraw()).status).toBe(200)

    const after = await look('', tag)
    expect(after.status).toBe(status)
    expect(after.text).not.toContain(word)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    for (const path of ['?version=1', '?values_format=all', '/changesets?diff=true', '/changesets?fields=comments'])
      expect((await look(path, tag)).text, path).not.toContain(word)
    for (const path of ['?values=all', '.csv', '.ndjson'])
      expect((await other.api.get(`/trackers/${tracker}/artifacts${path}`, { as: reader })).text, path).not.toContain(
        word,
      )
  })

  test('is also hidden when that process has just lost its connections', async () => {
    const tag = { 'if-none-match': (await look()).headers.etag }
    expect((await withdraw()).status).toBe(200)
    await cutConnections()
    const texts: string[] = []
    const statuses = await untilAnswered(async () => {
      const answer = await look('', tag)
      texts.push(answer.text)
      return answer
    })
    expect(statuses.at(-1)).toBe(status)
    for (const text of texts) expect(text).not.toContain(word)
  })
})

test('a revoked write permission on a field is refused to the next write, also with an old precondition', async () => {
  await seedTestArtifacts(owner)
  const write = (value: string, headers = {}) =>
    other.api.put(`/artifacts/${OPEN_BUG}`, { as: TOM, headers, body: { values: [{ field_id: BUG.summary, value }] } })
  const first = await write('Pump drips')
  expect(first.status).toBe(200)
  expect((await redefine(BUGS, withField('summary', { ...forAdmins, read: ['@anonymous'] }))).status).toBe(200)

  for (const headers of [{}, { 'if-match': first.headers.etag }, { 'if-match': '*' }])
    expect((await write('Pump is fine', headers)).status).toBeGreaterThanOrEqual(400)
  expect((await other.api.get(`/artifacts/${OPEN_BUG}`, { as: TOM })).json.title).toBe('Pump drips')
})
