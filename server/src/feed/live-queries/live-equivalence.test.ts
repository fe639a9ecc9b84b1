import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVERY_FIELD, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { type LiveStream, openLive } from '../../../test/harness/live-query.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'

// Property test: many writers, many subscribers; in the end each subscriber has the rows that the list returns for
// them.
const { api } = await startWorld({ seedOnce: true })
const SEED = process.env['WAYPOST_TEST_SEED'] ?? 'live'
const TURNS = Number(process.env['WAYPOST_TEST_TURNS'] ?? 12)
const WRITES = 8

const QUERIES: readonly (readonly [reader: TestPerson | undefined, query: string, limit: number])[] = [
  [TOM, '', 5],
  [undefined, 'points > 3', 4],
  [OLGA, 'status = "Open" ORDER BY points DESC, summary', 6],
  [UMA, 'summary = "a" OR points = 2 ORDER BY summary', 5],
  [GUS, 'assigned_to = "tom" ORDER BY due DESC', 3],
  [TOM, 'assigned_to = MYSELF() AND status != "Closed"', 100],
  [MARA, 'IS LINKED FROM WHERE (status = "Open") ORDER BY last_update DESC', 4],
  [UMA, 'IS LINKED TO ORDER BY effort', 4],
  [ADA, 'IS NOT LINKED TO WHERE (IS LINKED TO) ORDER BY points', 5],
  [TOM, 'WITH CHILDREN ORDER BY @id DESC', 5],
  [TOM, '@comments = "ripe" ORDER BY status', 10],
  [OLGA, 'fruits IN ("Apple", "Plum") ORDER BY status DESC, summary', 2],
  [MARA, 'ORDER BY submitted_by, due', 7],
  [TOM, 'due < NOW() + 3d ORDER BY summary DESC', 5],
]
const WORDS = [
  'Apple',
  'apple',
  'äpfel',
  'Zwetschge',
  'a10',
  'a9',
  'a-b',
  'a b',
  'ß',
  '_x',
  'Åse',
  '',
  'Ωmega',
  'a\u0301',
]

/** Fields that are represented without reading other rows. */
const PLAIN = `title,${['summary', 'points', 'due', 'status', 'fruits', 'assigned_to', 'seen_by', 'tags', 'submitted_by', 'rank'].map((name) => `values.${name}`).join()}`

let tracker: MadeTracker
const followed: { stream: LiveStream; reader: TestPerson | undefined; list: string; name: string }[] = []
const artifacts: number[] = []
beforeAll(async () => {
  tracker = await makeTestTracker(api, { ...EVERY_FIELD, permissions: { full: ['@anonymous'] } })
  const random = createRepeatableRandom(`${SEED} before`)
  for (let at = 0; at < 20; at++) await create(random)
  for (const [at, [reader, text, limit]] of QUERIES.entries()) {
    const fields = at % 2 === 0 ? 'title,values' : PLAIN
    const query = `expert_query=${encodeURIComponent(text)}&limit=${limit}&fields=${fields}`
    const by = reader ? { as: reader } : {}
    const stream = await openLive(api, `/trackers/${tracker.id}/artifacts/live?${query}`, by)
    if (stream.status !== 200) {
      await pause(100)
      throw new Error(`${text}: ${stream.text()}`)
    }
    followed.push({ stream, reader, list: `/trackers/${tracker.id}/artifacts?${query}`, name: text })
  }
})
afterAll(() => {
  for (const { stream } of followed) stream.close()
})

function valuesFrom(random: RepeatableRandom) {
  const some = (name: string, value: unknown) => (random.chance(0.4) ? { [name]: value } : {})
  const list = (name: string, label: string) => some(name, { bind_value_ids: [tracker.value(name, label)] })
  return {
    ...some('summary', { value: random.pickAny(WORDS) }),
    ...some('points', { value: random.integer(0, 6) }),
    ...some('effort', { value: random.integer(0, 30) / 10 }),
    ...some('due', { value: `2026-03-0${random.integer(1, 9)}` }),
    ...list('status', random.pick(['Open', 'Working', 'Closed'])),
    ...list('places', random.pick(['Barn', 'Yard', 'Dock'])),
    ...list('fruits', random.pick(['Apple', 'Pear', 'Plum'])),
    ...some('assigned_to', { value: random.pick([['tom'], ['uma'], ['mara', 'tom'], []]) }),
    ...(random.chance(0.15) && { seen_by: { value: { granted_groups: random.pick([['3001'], ['2001_4']]) } } }),
    ...(random.chance(0.15) && { seen_by: { value: { is_used_by_default: false } } }),
    ...(random.chance(0.3) && {
      links: {
        links: [random.pickAny(artifacts), random.pickAny(artifacts)].flatMap((id) =>
          id === undefined ? [] : [{ id, type: random.pick(['', '_is_child']) }],
        ),
      },
    }),
  }
}

async function create(random: RepeatableRandom): Promise<void> {
  const body = { tracker: { id: tracker.id }, values_by_field: { summary: { value: 'New' }, ...valuesFrom(random) } }
  const { status, json } = await api.post('/artifacts', { as: random.pick([MARA, TOM, UMA]), body })
  if (status === 201) artifacts.push(json.id)
}

/** Refusals are part of the test: a write without permission changes nothing. */
async function write(random: RepeatableRandom): Promise<void> {
  const id = random.pickAny(artifacts)
  const as = random.pick([MARA, TOM, UMA, ADA])
  const kind = random.number()
  if (kind < 0.2 || id === undefined) return create(random)
  if (kind < 0.3) await api.delete(`/artifacts/${id}`, { as: ADA })
  else if (kind < 0.38) await api.post(`/artifacts/${id}/restore`, { as: ADA })
  else {
    const comment = random.chance(0.3) ? { comment: { body: random.pick(['ripe', 'rotten']), format: 'text' } } : {}
    await api.put(`/artifacts/${id}`, { as, body: { values_by_field: valuesFrom(random), ...comment } })
  }
}

test('every live query ends with the rows that the list returns, after any writes', async () => {
  const random = createRepeatableRandom(SEED)
  let written = 0
  for (let turn = 0; turn < TURNS; turn++) {
    await Promise.all(Array.from({ length: random.integer(1, WRITES) }, () => write(random)))
    written++
    for (const each of followed) await settle(each, `${SEED}, turn ${turn}: ${each.name}`)
  }
  expect(written).toBe(TURNS)
  // Most changes are sent row by row; only queries with outside dependencies are reset.
  const resets = followed.flatMap(({ stream }) => stream.frames.filter(({ event }) => event === 'reset'))
  const frames = followed.flatMap(({ stream }) => stream.framesAfterReady())
  expect(resets.length).toBeLessThan(frames.length / 20)
}, 180_000)

async function settle({ stream, reader, list }: (typeof followed)[number], what: string): Promise<void> {
  const { json, headers } = await api.get(list, reader ? { as: reader } : {})
  const wanted = { size: Number(headers['x-pagination-size']), rows: json.map(shown) }
  const had = () => {
    const { size, ids, artifacts: bodies } = stream.rows()
    // Rows that were not sent since `ready` are as in the list; meanwhile the client may have more rows than the list.
    return { size, rows: ids.map((id, at) => shown(bodies.get(id) ?? json[at] ?? { id, title: '', values: [] })), ids }
  }
  const isSame = () => isDeepStrictEqual(had(), { ...wanted, ids: json.map(({ id }: { id: number }) => id) })
  for (const began = Date.now(); Date.now() - began < 5000 && !isSame(); ) await pause(10)
  await stream.until(() => true)
  const { ids, ...rest } = had()
  expect({ what, ...rest }).toEqual({ what, ...wanted })
  expect(ids).toEqual(json.map(({ id }: { id: number }) => id))
}

/** Fields of the artifact itself: other artifacts that link to it are reported only when they change. */
function shown({ id, title, values }: { id: number; title: string; values: { label: string }[] }) {
  const own = values.filter(({ label }) => !['links', 'references', 'remaining', 'burndown', 'burnup'].includes(label))
  return { id, title, values: own }
}
