import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { FAILPOINTS, type Failpoint } from '../../src/platform/operation/failpoints.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { Lines, type RequestOptions, type Response } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { testConfig } from '../harness/start-world.ts'
import { MARA } from '../fixtures/people.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// A server is killed by SIGKILL at each step of every artifact write. Afterwards the write is complete or absent, and
// the data is consistent.
const database = await createTestDatabase()
const owner = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
await seed(owner.db)
const next = await startServerProcess(environment)
const { api } = next
afterAll(async () => {
  await next.stop()
  await closePools(owner.pools)
})

const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const BRANCHES = {
  label: 'Branches',
  item_name: 'branch',
  permissions: { full: ['@anonymous'] },
  elements: [
    field('summary', 'string'),
    field('status', 'sb', { bind: list('Open', 'Done') }),
    field('links', 'art_link'),
  ],
  semantics: { title: 'summary' },
}
const TWIGS = {
  ...BRANCHES,
  label: 'Twigs',
  item_name: 'twig',
  elements: [
    ...BRANCHES.elements,
    field('details', 'text'),
    field('points', 'int'),
    field('due', 'date'),
    field('tags', 'tbl', { bind: list('dry') }),
    field('seen_by', 'perm'),
    field('owner', 'msb', { bind: { type: 'users', sources: ['@members'] } }),
  ],
  hierarchy: { parent: 'branch' },
}

let branches: MadeTracker
let twigs: MadeTracker
let sticks: MadeTracker
beforeAll(async () => {
  branches = await makeTestTracker(api, BRANCHES)
  twigs = await makeTestTracker(api, TWIGS)
  sticks = await makeTestTracker(api, { ...TWIGS, label: 'Sticks', item_name: 'stick', hierarchy: { parent: null } })
  const path = `/trackers/${branches.id}/definition`
  const { json } = await api.get(path, { as: MARA })
  const when = [{ tracker: 'twig', field: 'status', value: 'done' }]
  const triggers = [{ target: { field: 'status', value: 'done' }, condition: 'all_of', when }]
  const { status, text } = await api.put(path, { as: MARA, body: { ...json, triggers } })
  if (status !== 200) throw new Error(text)
})

/** The objects of a write, created for each kill: a parent and its child. */
interface Stage {
  readonly branch: number
  readonly twig: number
  /** Outside of any hierarchy: one statement writes it. */
  readonly stick: number
}
interface Attempt {
  readonly method: string
  readonly path: string
  readonly options: RequestOptions
}
interface Case {
  readonly what: string
  readonly points: readonly Failpoint[]
  /** At these failpoints the write is committed. */
  readonly after: readonly Failpoint[]
  readonly write: (stage: Stage) => Attempt
  readonly prepare?: (stage: Stage) => Promise<unknown>
  /** The pass of the step at which it is killed. */
  readonly pass?: number
}

let count = 0
const everything = () => ({
  summary: `Twig ${++count}`,
  status: 'Done',
  details: 'see art #1',
  points: count,
  due: '2026-03-02',
  owner: ['tom'],
  seen_by: { value: { granted_groups: ['project_members'], is_used_by_default: true } },
})
/** New open list labels, a link from another artifact, and a status that fires a trigger. */
const whole = ({ branch }: Stage) => ({
  ...everything(),
  tags: [`label ${count}`],
  links: { all_links: [{ id: branch, direction: 'reverse', type: '_is_child' }] },
})
const put = (id: number, values_by_field: object, more: object = {}): Attempt => ({
  method: 'PUT',
  path: `/artifacts/${id}`,
  options: { as: MARA, body: { values_by_field, comment: { body: `art #${id}`, format: 'text' } }, ...more },
})
const post = (tracker: MadeTracker, values_by_field: object, more: object = {}): Attempt => ({
  method: 'POST',
  path: '/artifacts',
  options: { as: MARA, body: { tracker: { id: tracker.id }, values_by_field }, ...more },
})
const bulk = (lines: readonly object[]): Attempt => ({
  method: 'POST',
  path: `/trackers/${sticks.id}/artifacts/bulk`,
  options: { as: MARA, body: new Lines(lines) },
})
const keyed = () => ({ headers: { 'idempotency-key': `kill-${++count}` } })

const STATEMENT: Pick<Case, 'points' | 'after'> = {
  points: ['write.begun', 'artifact.drafted', 'write.done', 'write.committed'],
  after: ['write.done', 'write.committed'],
}
const WHOLE: Pick<Case, 'points' | 'after'> = {
  points: ['artifact.labelled', 'artifact.written', 'artifact.linked', 'artifact.triggered', 'write.done'],
  after: ['write.done'],
}
const CASES: readonly Case[] = [
  {
    what: 'a creation',
    points: [...STATEMENT.points, 'artifact.numbered'],
    after: STATEMENT.after,
    write: () => post(sticks, everything()),
  },
  { what: 'a change', ...STATEMENT, write: ({ stick }) => put(stick, everything()) },
  { what: 'a creation of several artifacts', ...WHOLE, write: (stage) => post(twigs, whole(stage)) },
  { what: 'a change of several artifacts', ...WHOLE, write: (stage) => put(stage.twig, whole(stage)) },
  {
    what: 'a change under a key',
    points: ['artifact.drafted', 'write.done', 'write.stored', 'write.committed'],
    after: ['write.committed'],
    write: ({ stick }) => put(stick, everything(), keyed()),
  },
  {
    what: 'a copy',
    points: ['artifact.written', 'artifact.triggered', 'write.done', 'write.committed'],
    after: ['write.committed'],
    write: ({ twig }) => ({
      method: 'POST',
      path: `/artifacts/${twig}/copy`,
      options: { as: MARA, body: { links: 'forward', values_by_field: { tags: [`copied ${++count}`] } } },
    }),
  },
  {
    what: 'a deletion',
    points: ['write.begun', 'artifact.counted', 'artifact.deleted', 'write.done', 'write.committed'],
    after: ['write.committed'],
    write: ({ twig }) => ({ method: 'DELETE', path: `/artifacts/${twig}`, options: { as: MARA } }),
  },
  {
    what: 'a restoration',
    points: ['artifact.restored', 'write.done', 'write.committed'],
    after: ['write.committed'],
    prepare: ({ twig }) => api.delete(`/artifacts/${twig}`, { as: MARA }),
    write: ({ twig }) => ({ method: 'POST', path: `/artifacts/${twig}/restore`, options: { as: MARA } }),
  },
  {
    what: 'a move',
    points: ['write.begun', 'artifact.moved', 'write.done', 'write.committed'],
    after: ['write.committed'],
    write: ({ twig }) => ({
      method: 'PATCH',
      path: `/artifacts/${twig}`,
      options: { as: MARA, body: { move: { tracker_id: sticks.id } } },
    }),
  },
  {
    what: 'a part of lines',
    points: ['artifact.line', 'write.done', 'write.committed'],
    after: ['write.committed'],
    write: ({ stick }) =>
      bulk([
        { op: 'create', values_by_field: everything() },
        { op: 'update', id: stick, values_by_field: everything() },
        { op: 'create', values_by_field: { ...everything(), tags: [`line ${count}`] } },
        { op: 'update', id: stick, values_by_field: everything() },
      ]),
  },
]

test('every failpoint of artifact writes has a case', () => {
  const died = new Set(CASES.flatMap(({ points }) => points))
  expect(FAILPOINTS.filter((name) => /^(write|artifact)\./.test(name) && !died.has(name))).toEqual([])
})

describe.each(CASES)('$what', (each) => {
  const { points, after, write, prepare, pass = 1 } = each
  test.each(points)('killed at %s is complete or absent', async (point) => {
    const stage = await setStage()
    await prepare?.(stage)
    const attempt = write(stage)
    const before = await contents()
    const doomed = await startServerProcess({ ...environment, WAYPOST_CRASH: `${point}:${pass}` }, true)
    const asked = await doomed.api
      .request(attempt.method, attempt.path, attempt.options)
      .catch((error: unknown) => error)
    expect(await doomed.ended).toBe('SIGKILL')
    expect(asked, JSON.stringify(asked)).toBeInstanceOf(Error) // No response reported success.

    const isDone = after.includes(point)
    expect(isDeepStrictEqual(await contents(), before)).toBe(!isDone)
    expect(await auditArtifacts(owner, owner.db)).toEqual([])

    // A retry succeeds, and a keyed request is not applied twice.
    const isKeyed = attempt.options.headers !== undefined
    const again = await api.request(attempt.method, attempt.path, attempt.options)
    const isOver = isDone && ['DELETE', 'PATCH'].includes(attempt.method)
    const isRestored = isDone && attempt.path.endsWith('/restore')
    expect(again.status, again.text).toBeLessThan(isOver || isRestored ? 405 : 300)
    expect(again.headers['idempotency-replayed']).toBe(isKeyed && isDone ? 'true' : undefined)
    expect(await auditArtifacts(owner, owner.db)).toEqual([])
  })
})

describe('bulk writes', () => {
  test('killed in the third part: earlier parts are complete, the others absent', async () => {
    const before = await sizeOf(sticks)
    const lines = Array.from({ length: 1200 }, (_, at) => ({
      op: 'create',
      values_by_field: { summary: `Line ${at}`, points: at },
    }))
    const { path, options } = bulk(lines)
    const doomed = await startServerProcess({ ...environment, WAYPOST_CRASH: 'write.done:3' }, true)
    await doomed.api.post(path, options).catch((error: unknown) => error)
    expect(await doomed.ended).toBe('SIGKILL')
    expect(await sizeOf(sticks)).toBe(before + 1000)
    expect(await auditArtifacts(owner, owner.db)).toEqual([])
  })
})

async function setStage(): Promise<Stage> {
  const branch = await makeTestArtifact(api, branches, { summary: 'Branch', status: 'Open' })
  const other = await makeTestArtifact(api, twigs, { summary: 'Other', status: 'Done' })
  const twig = await makeTestArtifact(api, twigs, {
    summary: 'Twig',
    tags: ['dry'],
    links: { links: [{ id: other, type: '' }] },
  })
  return { branch, twig, stick: await makeTestArtifact(api, sticks, { summary: 'Stick', points: 1 }) }
}

/** The content of all tables that these writes touch. Numbers that were drawn in vain are gaps. */
async function contents(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(each order by id) from artifact each) as artifacts,
      (select json_agg(each order by id) from changeset each) as changesets,
      (select json_agg(each order by artifact_id, field_id, value) from value_index each) as ids,
      (select json_agg(each order by source_id, target_id) from artifact_link each) as links,
      (select json_agg(each order by id) from open_value each) as labels,
      (select json_agg(each order by id) from artifact_deletion each) as deletions,
      (select json_agg(each order by id) from event each) as events,
      (select json_agg(each order by tracker_id) from (select tracker_id, artifacts from tracker_counter) each) as totals,
      (select count(*) from idempotency) as keys, (select count(*) from audit) as audited, (select count(*) from job) as jobs`.execute(
    owner.db,
  )
  return rows[0]
}

async function sizeOf({ id }: MadeTracker): Promise<number> {
  const { headers }: Response = await api.get(`/trackers/${id}/artifacts?limit=0`, { as: MARA })
  return Number(headers['x-pagination-size'])
}
