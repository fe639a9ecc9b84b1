import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import { type EnginesAndTasks, makeEnginesAndTasks } from '../../../test/fixtures/engines-and-tasks.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, RITA, SAM, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { LEDGER, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../../../test/fixtures/visibility-world.ts'

const { api, context } = await startWorld({ seedOnce: true })
let world: EnginesAndTasks
let accesses: VisibilityWorld
beforeAll(async () => {
  world = await makeEnginesAndTasks(api)
})

const ALL = "@project.name IN ('orchard', 'vault') AND @tracker.name IN ('engine', 'task', 'whisper')"
const TWO = "@project.name IN ('orchard', 'vault') AND @tracker.name IN ('engine', 'task')"
const by = (person: TestPerson | undefined) => (person ? { as: person } : {})
const ask = (tql_query: string, as: TestPerson | undefined, suffix = ''): Promise<Response> =>
  api.get(`/crosstracker_query/content${suffix}?query=${encodeURIComponent(JSON.stringify({ tql_query }))}`, by(as))
const idsIn = ({ json }: Response): number[] =>
  json.artifacts.map((row: { '@artifact': { id: number } }) => row['@artifact'].id)
const column = ({ json }: Response, name: string): unknown[] =>
  json.artifacts.map((row: Record<string, unknown>) => row[name])
const named = (...names: (keyof EnginesAndTasks['ids'])[]) => names.map((name) => world.ids[name])

const VIEWERS: readonly [string, TestPerson | undefined, readonly (keyof EnginesAndTasks['ids'])[]][] = [
  ['nobody', undefined, ['pump', 'valve']],
  ['Olga', OLGA, ['pump', 'valve']],
  ['Gus', GUS, ['pump', 'valve']],
  ['Tom', TOM, ['weed', 'pump', 'valve', 'paint']],
  ['Uma', UMA, ['weed', 'pump', 'valve', 'paint']],
  ['Mara', MARA, ['weed', 'hidden', 'pump', 'valve', 'paint', 'whisper']],
  ['Victor', VICTOR, ['pump', 'valve', 'coffer']],
  ['Ada', ADA, ['weed', 'hidden', 'pump', 'valve', 'paint', 'whisper', 'coffer']],
]

describe.each(VIEWERS)('%s', (_, as, sees) => {
  test('finds, counts and exports exactly the artifacts that are readable one by one', async () => {
    const text = `SELECT @pretty_title FROM ${ALL} WHERE @id > 0`
    const answer = await ask(text, as)
    expect(idsIn(answer)).toEqual(named(...sees))
    expect(answer.headers['x-pagination-size']).toBe(String(sees.length))
    for (const [name, id] of Object.entries(world.ids)) {
      const isSeen = sees.some((each) => each === name)
      expect((await api.get(`/artifacts/${id}`, by(as))).status === 200, name).toBe(isSeen)
    }
    const csv = await ask(text, as, '.csv')
    const rows = csv.text.trimEnd().split('\r\n').slice(1)
    expect(rows.map((row) => Number.parseInt(row, 10))).toEqual(named(...sees))
  })

  test('counts only links whose other end the viewer sees', async () => {
    const { json } = await ask(`SELECT @id FROM ${TWO} WHERE @title = "Pump leaks"`, as)
    const others = (['weed', 'hidden'] as const).filter((name) => sees.includes(name))
    expect(json.artifacts[0]['@artifact']).toMatchObject({ number_of_forward_link: others.length })
    const linked = await ask(`SELECT @id FROM ${TWO} WHERE IS LINKED TO`, as)
    expect(idsIn(linked)).toEqual(others.length > 0 ? named('pump') : [])
  })
})

test('a caller who may enter none of its projects has nothing to search; one who may not sign in is refused', async () => {
  const text = `SELECT @id FROM ${ALL} WHERE @id > 0`
  expect(await ask(text, RITA)).toMatchObject(refused(400, 'query_malformed', { cause: 'unknown_source' }))
  expect((await ask(text, SAM)).status).toBe(403)
})

describe('an unreadable field', () => {
  test('is missing from its tracker: neither shown, nor searched, nor sorted by', async () => {
    const cells = async (as: TestPerson) => column(await ask(`SELECT cost FROM ${TWO} WHERE @id > 0`, as), 'cost')
    expect(await cells(TOM)).toEqual([700, null, null, 20].map((value) => ({ value })))
    expect(await cells(MARA)).toEqual([700, null, 900, 100, 20].map((value) => ({ value })))
    const found = async (rest: string, as: TestPerson) => idsIn(await ask(`SELECT @id FROM ${TWO} WHERE ${rest}`, as))
    expect(await found('cost > 50', TOM)).toEqual(named('weed'))
    expect(await found('cost > 50', MARA)).toEqual(named('weed', 'pump', 'valve'))
    expect(await found('@title != "Hidden" ORDER BY cost DESC', TOM)).toEqual(named('weed', 'paint', 'pump', 'valve'))
    expect(await found('@title != "Hidden" ORDER BY cost DESC', MARA)).toEqual(named('pump', 'weed', 'valve', 'paint'))
  })

  test('is unknown if no other tracker has a field of its name, like a missing field', async () => {
    const engines = "FROM @project.name = 'orchard' AND @tracker.name = 'engine' WHERE"
    for (const text of [
      `SELECT cost ${engines} @id > 0`,
      `SELECT @id ${engines} cost > 5`,
      `SELECT @id ${engines} @id > 0 ORDER BY cost`,
    ]) {
      const hidden = await ask(text, TOM)
      const missing = await ask(text.replace('cost', 'c0st'), TOM)
      expect(hidden).toMatchObject(refused(400, 'query_unknown_key', { cause: 'field' }))
      expect(hidden.json.error.details.allowed).toEqual(missing.json.error.details.allowed)
      expect(hidden.text).not.toContain('did_you_mean":"cost')
      expect((await ask(text, MARA)).status).toBe(200)
    }
  })

  test('does not affect the common type of fields with its name', async () => {
    expect((await ask(`SELECT severity FROM ${ALL} WHERE severity = "High"`, TOM)).status).toBe(200)
    const answer = await ask(`SELECT severity FROM ${ALL} WHERE severity = "High"`, MARA)
    expect(answer).toMatchObject(refused(400, 'query_operator', { cause: 'field_type' }))
  })
})

test('hidden trackers do not count towards the number of searched trackers', async () => {
  await api.patch('/settings', { as: ADA, body: { query_trackers: 2 } })
  const answers = [
    await ask(`SELECT @id FROM ${ALL} WHERE @id > 0`, TOM),
    await ask(`SELECT @id FROM ${ALL} WHERE @id > 0`, MARA),
  ]
  await api.patch('/settings', { as: ADA, body: { query_trackers: 50 } })
  expect(answers.map(({ status }) => status)).toEqual([200, 400])
})

describe('withdrawn permissions', () => {
  const ASKED = `SELECT points FROM ${TWO} WHERE @id > 0 ORDER BY points`

  /** Changes the definition of Tasks while `during` runs, then reverts it. */
  async function changed<T>(change: object, during: () => Promise<T>): Promise<T> {
    const path = `/trackers/${world.tasks.id}/definition`
    const put = async (body: object) => {
      const { headers } = await api.get(path, { as: MARA })
      const answer = await api.put(path, { as: MARA, headers: { 'if-match': String(headers['etag']) }, body })
      expect(answer.status, answer.text).toBe(200)
    }
    const { json: definition } = await api.get(path, { as: MARA })
    await put({ ...definition, ...change })
    try {
      return await during()
    } finally {
      await put(definition)
    }
  }
  const closed = { permissions: { full: ['@admins'] } }

  test('are not used by the next query', async () => {
    const answer = await changed(closed, async () => ask(`SELECT @id FROM ${TWO} WHERE @id > 0`, TOM))
    expect(idsIn(answer)).toEqual(named('pump', 'valve'))
    expect(idsIn(await ask(ASKED, TOM))).toEqual(named('weed', 'paint', 'pump', 'valve'))
  })

  test.each([
    // Counting and showing are separate statements.
    ['planned anew', 0],
    ['planned anew', 10],
    ['main as materialized', 0],
  ])(
    'are not used by a running query: the statement with `%s` comes too late for the page at %i',
    async (text, offset) => {
      const executor = context.db.getExecutor()
      const execute = executor.executeQuery.bind(executor)
      let withdraw: (() => void) | undefined
      const isAsked = new Promise<void>((resolve) => {
        withdraw = resolve
      })
      let goOn: (() => void) | undefined
      const isWithdrawn = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (statement) => {
        if (statement.sql.includes(text)) {
          spy.mockRestore()
          withdraw?.()
          await isWithdrawn
        }
        return execute(statement)
      })
      const query = encodeURIComponent(JSON.stringify({ tql_query: ASKED }))
      const asked = api.get(`/crosstracker_query/content?offset=${offset}&query=${query}`, { as: TOM })
      await isAsked
      const answer = await changed(closed, async () => {
        goOn?.()
        return asked
      })
      expect(idsIn(answer)).toEqual(named('pump', 'valve').slice(offset))
      expect(answer.headers['x-pagination-size']).toBe('2')
    },
  )
})

describe('artifacts with different visibility per viewer', () => {
  beforeAll(async () => {
    // It creates a tracker named Whispers too.
    await api.delete(`/trackers/${world.whispers.id}`, { as: MARA })
    accesses = await makeVisibilityWorld(api)
  })

  test.each([
    ['nobody', undefined],
    ['Olga', OLGA],
    ['Gus', GUS],
    ['Tom', TOM],
    ['Uma', UMA],
    ['Mara', MARA],
    ['Ada', ADA],
  ])('%s finds across all trackers of the project the same as in the list of each tracker', async (_, as) => {
    const trackers = [accesses.parcels.tracker.id, accesses.crates.tracker.id, world.engines.id, world.tasks.id, LEDGER]
    const expected: number[] = []
    for (const tracker of [...trackers, accesses.whispers.tracker.id]) {
      const { status, json } = await api.get(`/trackers/${tracker}/artifacts`, by(as))
      if (status === 200) expected.push(...json.map(({ id }: { id: number }) => id))
    }
    const names = "('parcel', 'crate', 'engine', 'task', 'secret', 'whisper')"
    const query = {
      project_id: ORCHARD,
      tql_query: `SELECT @id FROM @tracker.name IN ${names} WHERE @id > 0 ORDER BY @title`,
    }
    const path = `/crosstracker_query/content?limit=3&query=${encodeURIComponent(JSON.stringify(query))}`
    const found: number[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Response = await api.get(next, by(as))
      expect(page.headers['x-pagination-size']).toBe(String(expected.length))
      found.push(...idsIn(page))
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(found.toSorted((one, other) => one - other)).toEqual(expected.toSorted((one, other) => one - other))
  })
})
