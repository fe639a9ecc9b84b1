import { beforeAll, describe, expect, test } from 'vitest'
import type { Response } from '../../../test/harness/client.ts'
import { EVERY_FIELD, type MadeTracker, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { expectedCounts, reportedCounts, type AnyJson } from '../../../test/harness/expected-counts.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { instantOf } from '../../../test/suites/truth/zones.ts'

/** Expected counts are computed here from every artifact as the viewer receives it. */
const { api, clock, context } = await startWorld({ seedOnce: true })

const ZONES = new Map([
  [MARA, 'America/New_York'],
  [TOM, 'Europe/Vienna'],
  [GUS, 'Pacific/Kiritimati'],
  [OLGA, 'UTC'],
])
const VIEWERS = [...ZONES.keys()]
const BEGIN = Date.parse('2026-02-10T06:00:00Z')
const HOUR = 3_600_000

const FOR_LEADS = { permissions: { read: ['leads', '@admins'], submit: ['@members'], update: ['@members'] } }
const DEFINITION = {
  ...EVERY_FIELD,
  permissions: { full: ['@members'], submitted_by_user: ['@registered'], assigned_to_group: ['leads'] },
  elements: [
    ...EVERY_FIELD.elements,
    { name: 'stock', type: 'int', label: 'Stock', ...FOR_LEADS },
    { name: 'helpers', type: 'tbl', label: 'Helpers', bind: { type: 'users', sources: ['@members', 'leads'] } },
    { name: 'crews', type: 'tbl', label: 'Crews', bind: { type: 'ugroups', groups: ['@members'] } },
    {
      name: 'mood',
      type: 'rb',
      label: 'Mood',
      bind: {
        type: 'static',
        alphabetical: true,
        values: [{ label: 'Sunny' }, { label: 'Cloudy' }, { label: 'Rain' }],
      },
      ...FOR_LEADS,
    },
  ],
}

function valuesBy(random: RepeatableRandom, known: readonly number[]): Record<string, unknown> {
  const several = (...labels: string[]) => ({ value: labels.filter(() => random.chance(0.4)) })
  const day = () => `20${random.integer(24, 26)}-${pad(random.integer(1, 12))}-${pad(random.integer(1, 28))}`
  const all: Record<string, unknown> = {
    points: { value: random.pick([0, 1, -3, 12, '']) },
    effort: { value: random.pick([0.1, 0.2, 0.7, 1e6, -0.3, '']) },
    stock: { value: random.integer(1, 9) },
    due: { value: random.chance(0.2) ? '' : day() },
    started: { value: random.chance(0.2) ? '' : `${day()}T${pad(random.integer(0, 23))}:30:00Z` },
    status: { value: random.pick(['Open', 'Working', 'Closed', '']) },
    severity: { value: random.pick(['Low', 'High']) },
    mood: { value: random.pick(['Sunny', 'Cloudy', 'Rain']) },
    places: several('Barn', 'Yard', 'Dock'),
    fruits: several('Apple', 'Pear', 'Plum'),
    assigned_to: several('tom', 'uma', 'mara'),
    helpers: several('tom', 'gus', 'uma'),
    crews: several('project_members', 'leads'),
    team: { value: random.pick(['leads', 'project_members']) },
    tags: several('fragile', 'cold', 'urgent', 'Zoo', 'tag 10', 'tag 9'),
    ...(known.length > 0 && { links: { links: [{ id: random.pickAny(known), type: '' }] } }),
    ...(random.chance(0.2) && {
      seen_by: { value: { granted_groups: random.pick([['3001'], ['2001_4'], ['2001_3', '3001']]) } },
    }),
  }
  return Object.fromEntries(Object.entries(all).filter(() => random.chance(0.6)))
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

let tracker: MadeTracker
const ids: number[] = []
beforeAll(async () => {
  for (const [{ id }, time_zone] of ZONES)
    await context.db.updateTable('account').set({ time_zone }).where('id', '=', id).execute()
  clock.set(new Date(BEGIN))
  tracker = await makeTestTracker(api, DEFINITION)
  const random = createRepeatableRandom('groups')
  let updates = 0
  for (let at = 0; at < 110; at++) {
    clock.advance(random.integer(0, 5 * HOUR))
    const values_by_field = valuesBy(random, ids.slice(0, 5))
    const old = at < 10 || random.chance(0.4) ? undefined : random.pickAny(ids)
    const as = random.pick<TestPerson>([MARA, TOM, UMA, OLGA])
    if (old === undefined) {
      const { stock: _, mood: __, links: ___, seen_by: ____, ...plain } = values_by_field
      const values = { ...(as === OLGA ? plain : values_by_field), summary: `No. ${at}` }
      const body = { tracker: { id: tracker.id }, values_by_field: values }
      const made = await api.post('/artifacts', { as, body })
      const { json } = made.status === 201 ? made : await api.post('/artifacts', { as: MARA, body })
      ids.push(json.id)
    } else if (random.chance(0.1)) await api.delete(`/artifacts/${old}`, { as: MARA })
    else {
      const { status } = await api.put(`/artifacts/${old}`, { as: random.pick([MARA, UMA]), body: { values_by_field } })
      if (status === 200) updates++
    }
  }
  if (Math.min(ids.length, updates) <= 25) throw new Error('There is too little to count.')
})

/** Every artifact that the viewer sees, as represented to them, now or as of a moment. */
async function readAll(as: TestPerson, at?: string): Promise<AnyJson[]> {
  const all: AnyJson[] = []
  for (const id of ids) {
    const when = at === undefined ? '' : `&at=${encodeURIComponent(at)}`
    const { status, json } = await api.get(`/artifacts/${id}?values_format=collection${when}`, { as })
    if (status === 200) all.push(json)
  }
  return all
}

const ask = (as: TestPerson, parameters: Record<string, string>): Promise<Response> => asked(as, '/groups', parameters)

function asked(as: TestPerson, path: string, parameters: Record<string, string>): Promise<Response> {
  const query = new URLSearchParams({ limit: '1000', ...parameters }).toString()
  return api.get(`/trackers/${tracker.id}/artifacts${path}?${query}`, { as })
}

/** The artifacts that the list finds. */
async function fittingAmong(all: readonly AnyJson[], as: TestPerson, expert_query: string): Promise<AnyJson[]> {
  const { json } = await asked(as, '', { expert_query })
  const found = new Set(json.map(({ id }: AnyJson) => id))
  return all.filter(({ id }) => found.has(id))
}

const KEYS = [
  'status',
  'severity',
  'places',
  'fruits',
  'assigned_to',
  'team',
  'tags',
  'helpers',
  'crews',
  'submitted_by',
  'last_update_by',
  '@status',
  '@assigned_to',
  '@last_update_by',
  'is_open',
  'due:day',
  'due:week',
  'due:month',
  'due:quarter',
  'due:year',
  'started:day',
  'started:week',
  'started:month',
  'submitted_on:day',
  '@submitted_on:week',
  'last_update:day',
  'last_update:quarter',
] as const

const QUERIES = [
  '',
  'status = "Open"',
  'tags != "cold" OR points > 1',
  'assigned_to = "uma" AND NOT (fruits = "Plum")',
  'IS NOT LINKED TO',
  'IS LINKED TO WHERE (status = "Open")',
  'IS LINKED FROM WHERE (points > 0 AND tags != "cold")',
]

describe.each(VIEWERS.map((as) => ({ as, name: as.login, zone: ZONES.get(as) ?? 'UTC' })))('$name', ({ as, zone }) => {
  test('gets, by each key, the same counts as from the artifacts one by one', async () => {
    const all = await readAll(as)
    expect(all.length).toBeGreaterThan(3)
    for (const key of KEYS) {
      const answer = await ask(as, { by: key, sum: 'points,effort' })
      expect([key, answer.json.total]).toEqual([key, all.length])
      expect(reportedCounts(answer.json.groups), key).toEqual(
        expectedCounts(tracker, all, [key], ['points', 'effort'], zone),
      )
      expect(answer.headers['x-pagination-size']).toBe(String(answer.json.groups.length))
    }
  })

  test('gets the same counts by any two keys, under any query', async () => {
    const random = createRepeatableRandom(as.login)
    const all = await readAll(as)
    for (let round = 0; round < 25; round++) {
      const keys = [random.pickAny(KEYS) ?? 'status', random.pickAny(KEYS) ?? 'tags']
      const expert_query = random.pickAny(QUERIES) ?? ''
      const answer = await ask(as, {
        by: keys.join(),
        sum: 'effort',
        expert_query,
        ...(random.chance(0.3) && { order: 'count' }),
      })
      const fitting = await fittingAmong(all, as, expert_query)
      expect([keys, expert_query, answer.json.total]).toEqual([keys, expert_query, fitting.length])
      expect(reportedCounts(answer.json.groups), `${keys.join()} ${expert_query}`).toEqual(
        expectedCounts(tracker, fitting, keys, ['effort'], zone),
      )
    }
  })

  test.each(['day', 'week'])(
    'gets the counts at the end of each %s',
    async (over) => {
      const random = createRepeatableRandom(`${as.login} ${over}`)
      const ends = endsOf(over, zone)
      const past = new Map<string, AnyJson[]>()
      for (const end of ends) past.set(end, await readAll(as, end))
      for (let round = 0; round < 6; round++) {
        const keys = [random.pickAny(KEYS) ?? 'status', ...(random.chance(0.5) ? [random.pickAny(KEYS) ?? 'tags'] : [])]
        const expert_query = random.pickAny(QUERIES) ?? ''
        const answer = await ask(as, { by: keys.join(), sum: 'points', over, from: '2026-02-09', expert_query })
        expect(answer.json.series).toHaveLength(ends.length)
        for (const [at, end] of ends.entries()) {
          const then = expert_query === '' ? '' : `${expert_query} AS OF "${end}"`
          const fitting = await fittingAmong(past.get(end) ?? [], as, then)
          const reported = answer.json.series[at]
          expect([end, reported.total]).toEqual([end, fitting.length])
          expect(reportedCounts(reported.groups), `${keys.join()} ${expert_query} ${end}`).toEqual(
            expectedCounts(tracker, fitting, keys, ['points'], zone),
          )
        }
      }
    },
    120_000,
  )
})

/** The last millisecond of each step from Monday, 9 February, until now. */
function endsOf(over: string, zone: string): string[] {
  const length = (over === 'week' ? 7 : 1) * 24 * HOUR
  const ends: string[] = []
  for (let wall = Date.parse('2026-02-09T00:00:00Z'); instantOf(zone, wall) <= clock.now().getTime(); wall += length)
    ends.push(new Date(instantOf(zone, wall + length) - 1).toISOString())
  return ends
}
