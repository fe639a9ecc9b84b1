import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { writeInBulk } from '../../../test/fixtures/bulk.ts'
import {
  EVERY_FIELD,
  HIDDEN_TRACKER,
  makeTestArtifact,
  type MadeTracker,
  makeTestTracker,
} from '../../../test/fixtures/every-field.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../../../test/suites/fuzz/random.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const LINES = 160

interface Place {
  readonly tracker: MadeTracker
  readonly hidden: number
  readonly known: readonly number[]
}

/** The world is reset before each test, so ids are equal in both. */
async function begin(): Promise<Place> {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const hidden = await makeTestArtifact(api, await makeTestTracker(api, HIDDEN_TRACKER), { summary: 'Whisper' })
  const known: number[] = []
  for (const summary of ['Root', 'Trunk', 'Leaf']) known.push(await makeTestArtifact(api, tracker, { summary }))
  return { tracker, hidden, known }
}

type Line = { op: 'create' | 'update'; id?: number; if_match?: string; values_by_field: object; comment?: object }

function makeLines({ hidden, known }: Place, random: RepeatableRandom): Line[] {
  const first = (known.at(-1) ?? 0) + 1
  return Array.from({ length: LINES }, (_, at): Line => {
    const anyId = () => random.pick([hidden, 999_999, first + random.integer(0, Math.ceil(at * 0.7)), ...known])
    const values_by_field = valuesOf(random, anyId)
    const comment = random.chance(0.2) ? { comment: { body: random.pick(['Seen', `see art #${anyId()}`, '']) } } : {}
    if (random.chance(0.75)) return { op: 'create', values_by_field, ...comment }
    const tag = random.chance(0.2) ? { if_match: random.pick(['*', '"old"', 'W/"weak"']) } : {}
    return { op: 'update', id: anyId(), ...tag, values_by_field, ...comment }
  })
}

function valuesOf(random: RepeatableRandom, anyId: () => number): object {
  const maybe = (name: string, value: () => unknown) => (random.chance(0.3) ? { [name]: value() } : {})
  const some = (...labels: [string, ...string[]]) => [random.pick(labels), random.pick(labels)]
  return {
    summary: { value: random.pick(['Crate', 'Box', `art #${anyId()}`, 'x'.repeat(20)]) },
    ...maybe('details', () => ({ value: `about delivery #${anyId()} and art #${anyId()}`, format: 'text' })),
    ...maybe('points', () => ({ value: random.pick([1, 2, -3, 'many']) })),
    ...maybe('effort', () => ({ value: random.integer(0, 99) / 8 })),
    ...maybe('due', () => ({ value: random.pick(['2026-03-05', '2026-04-05', 'soon']) })),
    ...maybe('started', () => ({ value: '2026-03-05T10:30:00+02:00' })),
    ...maybe('status', () => ({ value: random.pick(['Open', 'Working', 'Nowhere']) })),
    ...maybe('fruits', () => ({ value: some('Apple', 'Pear', 'Plum') })),
    ...maybe('assigned_to', () => ({ value: some('tom', 'uma', 'uma', 'mara', 'olga') })),
    ...maybe('team', () => ({ value: random.pick(['project_members', 'leads', 'nobody']) })),
    ...maybe('tags', () => ({ value: some('cold', 'Red', 'red', 'blue', random.letters(1), random.letters(2)) })),
    ...maybe('links', () => ({ links: [{ id: anyId(), type: random.pick(['', '', '_is_child', 'unheard_of']) }] })),
    ...(random.chance(0.05) ? { links: { parent: { id: anyId() } } } : {}),
    ...maybe('seen_by', () => ({ value: random.chance(0.5) ? null : { granted_groups: ['2001_3'] } })),
    ...(random.chance(0.03) ? { budget: { value: 'none' } } : {}),
  }
}

interface Outcome {
  readonly status: number
  readonly id: number | null
  readonly error: unknown
}

const WAYS = {
  async bulk({ tracker }: Place, lines: readonly Line[]): Promise<Outcome[]> {
    const { lines: answers } = await writeInBulk(api, tracker.id, lines)
    return answers.map(({ status, id, error }) => ({ status, id: error ? null : id, error }))
  },
  async single({ tracker }: Place, lines: readonly Line[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const { op, id, if_match, ...body } of lines) {
      const headers = if_match === undefined ? {} : { 'if-match': if_match }
      const { status, json } =
        op === 'create'
          ? await api.post('/artifacts', { as: TOM, body: { tracker: { id: tracker.id }, ...body } })
          : await api.put(`/artifacts/${id}`, { as: TOM, headers, body })
      const { request_id: _, ...error } = json.error ?? {}
      outcomes.push({ status, id: json.error ? null : json.id, error: json.error && error })
    }
    return outcomes
  },
}

/** All rows that artifacts produce. Values added to open lists have no fixed numbering. */
async function traces() {
  const { rows: labels } = await sql<{ id: number; label: string }>`select id, label from open_value`.execute(
    context.db,
  )
  const named = new Map(labels.map(({ id, label }) => [id, label]))
  const tables = {
    artifact: sql`select * from artifact order by id`,
    changeset: sql`select * from changeset order by id`,
    value_index: sql`select * from value_index order by artifact_id, field_id, value`,
    number_index: sql`select * from number_index order by artifact_id, field_id, value`,
    artifact_link: sql`select * from artifact_link order by source_id, target_id`,
    artifact_reference: sql`select * from artifact_reference order by artifact_id, field_id, changeset_id, ref`,
    event: sql`select type, object, project_id, actor_id, payload from event order by id`,
    counter: sql`select * from tracker_counter order by tracker_id`,
  }
  const left: Record<string, unknown[]> = { labels: labels.map(({ label }) => label).toSorted() }
  for (const [table, query] of Object.entries(tables)) {
    const { rows } = await query.execute(context.db)
    left[table] = rows.map((row) => JSON.parse(JSON.stringify(row), (name, value) => nameLabel(named, name, value)))
  }
  left['value_index']?.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
  return left
}

function nameLabel(named: ReadonlyMap<number, string>, name: string, value: unknown): unknown {
  if (name === 'value' && typeof value === 'number' && value < 0) return named.get(-value)
  const isLabel = typeof value === 'object' && value !== null && 'label' in value
  return isLabel ? value.label : value
}

const left = new Map<string, unknown>()

for (const seed of ['one', 'two'])
  for (const [way, write] of Object.entries(WAYS))
    test(`lines made by chance (${seed}) are written: ${way}`, async () => {
      const place = await begin()
      const outcomes = await write(place, makeLines(place, createRepeatableRandom(seed)))
      const statuses = Map.groupBy(outcomes, ({ status }) => status)
      expect(statuses.get(201)?.length).toBeGreaterThan(LINES / 8)
      expect(statuses.get(200)?.length).toBeGreaterThan(5)
      expect(statuses.get(400)?.length).toBeGreaterThan(LINES / 8)
      left.set(`${seed} ${way}`, { outcomes, ...(await traces()) })
    })

test.each(['one', 'two'])('a bulk write (%s) produces the same rows as the same single writes', (seed) => {
  expect(left.get(`${seed} bulk`)).toBeDefined()
  expect(left.get(`${seed} bulk`)).toEqual(left.get(`${seed} single`))
})
