import type { TestClient } from '../../server/test/harness/client.ts'
import { MARA } from '../../server/test/fixtures/people.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../server/test/fixtures/every-field.ts'

const list = (...labels: string[]) => ({ type: 'static', values: labels.map((label) => ({ label })) })
const field = (name: string, type: string, label: string, more: object = {}) => ({ name, type, label, ...more })

/** A tracker whose artifacts have children in it, and a history of some days. */
const WORKS = {
  format: 'waypost-tracker/1',
  label: 'Works',
  item_name: 'work',
  permissions: { full: ['@anonymous'] },
  elements: [
    {
      ...field('main', 'fieldset', 'Work'),
      content: [
        field('summary', 'string', 'Summary', { required: true }),
        field('status', 'sb', 'Status', { bind: list('Planned', 'Running', 'Done') }),
        field('assigned_to', 'msb', 'Assigned to', { bind: { type: 'users', sources: ['@members'] } }),
        field('due', 'date', 'Due'),
        field('effort', 'int', 'Effort'),
        field('links', 'art_link', 'Links'),
      ],
    },
  ],
  semantics: {
    title: 'summary',
    contributor: 'assigned_to',
    status: { field: 'status', open: ['planned', 'running'] },
  },
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  'Rebuild the cold store': ['Empty the old hall', 'New cooling unit', 'Doors and ramps'],
  'New cooling unit': ['Order the compressor', 'Lay the pipes'],
  'Renew the irrigation of the lower field': ['Measure the pressure', 'Replace the valves'],
}

const CONTENTS = [
  ['Order the compressor', 'Running', ['tom'], 3],
  ['Lay the pipes', 'Planned', [], 5],
  ['Empty the old hall', 'Running', ['uma'], 2],
  ['New cooling unit', 'Planned', ['tom'], 8],
  ['Doors and ramps', 'Planned', [], 3],
  ['Measure the pressure', 'Running', ['uma'], 1],
  ['Replace the valves', 'Planned', ['uma'], 5],
  ['Rebuild the cold store', 'Running', ['tom'], 20],
  ['Renew the irrigation of the lower field', 'Planned', ['uma'], 13],
  ['Paint the signs', 'Planned', [], 1],
] as const

const CHANGES: readonly (readonly [summary: string, values: object])[] = [
  ['Measure the pressure', { status: 'Done' }],
  ['Empty the old hall', { status: 'Done', effort: 4 }],
  ['Lay the pipes', { assigned_to: ['tom', 'uma'], effort: 8 }],
  ['New cooling unit', { status: 'Running', due: '2027-02-01' }],
  ['Paint the signs', { due: '' }],
]

const DAY_MS = 86_400_000

export interface TestTimeline {
  readonly tracker: MadeTracker
  readonly ids: ReadonlyMap<string, number>
}

interface TimelineWorld {
  readonly api: TestClient
  readonly clock: { now(): Date; set(time: Date): void }
}

/** Its changes end with the present: the clock is as before. */
export async function makeTimeline({ api, clock }: TimelineWorld): Promise<TestTimeline> {
  const now = clock.now()
  const ago = (days: number) => clock.set(new Date(now.getTime() - days * DAY_MS))
  ago(20)
  const tracker = await makeTestTracker(api, WORKS)
  const ids = new Map<string, number>()
  for (const [at, [summary, status, assigned_to, effort]] of CONTENTS.entries()) {
    ago(18 - at * 0.7)
    const links = (PARTS[summary] ?? []).map((part) => ({ id: ids.get(part), type: '_is_child' }))
    const values = { summary, status, assigned_to, effort, due: '2026-12-18', links: { links } }
    ids.set(summary, await makeTestArtifact(api, tracker, values))
  }
  for (const [at, [summary, values_by_field]] of CHANGES.entries()) {
    ago(5 - at)
    const { status, text } = await api.put(`/artifacts/${ids.get(summary)}`, { as: MARA, body: { values_by_field } })
    if (status !== 200) throw new Error(`The change was not made: ${text}`)
  }
  clock.set(now)
  return { tracker, ids }
}
