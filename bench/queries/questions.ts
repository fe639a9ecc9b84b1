import { STATUSES } from '../../server/src/artifacts/seeding/bench-tracker.ts'
import { hash } from '../../server/src/artifacts/seeding/chance.ts'
import { openPlace, readableBy } from '../../server/src/artifacts/seeding/layout.ts'
import type { Ids } from '../../server/src/artifacts/seeding/make-artifact.ts'
import { OPEN_ID } from '../artifacts/script.ts'
import {
  both,
  counted,
  type Fitting,
  firstOf,
  greatestOf,
  groupCounts,
  indexed,
  isSeen,
  less,
  listed,
  PAGE,
} from './engine-sql.ts'

type Drawn = Readonly<Record<string, number>>

/** One question to a list, and the best that PostgreSQL alone can do to answer it. */
export interface Question {
  readonly name: string
  readonly label: string
  /** What one request is about. */
  draw(turn: number): Drawn
  path(drawn: Drawn): string
  /** How pgbench draws the same. */
  readonly draws: string
  /** Statements with the same answer: the fastest counts. */
  readonly ways: readonly string[]
}

const MONTH = 30
const DAY = 86_400_000
/** The days that artifacts are due on, but for the first and the last of them. */
const DUE = { first: Date.parse('2021-06-01') / DAY, last: Date.parse('2026-01-01') / DAY }
const NUMBERS = { first: 1000, last: 9999 }

/** The address of a list; a text in the query language, or criteria. */
export function pathOf({ tracker }: Ids, asked: string | object): string {
  const parameters: Record<string, string> =
    typeof asked === 'string' ? { expert_query: asked } : { query: JSON.stringify(asked) }
  return `/api/trackers/${tracker}/artifacts?${new URLSearchParams({ limit: String(PAGE), ...parameters }).toString()}`
}

/** What people ask of lists, of the bench tracker at this size. */
export function questionsOf(ids: Ids, size: number): Question[] {
  const field = (name: string) => ids.fields[name] ?? 0
  const needleId = ids.values['component']?.at(-1) ?? 0
  const doneId = ids.values['status']?.[STATUSES.indexOf('done')] ?? 0
  const needle = indexed('value_index', field('component'), `= ${needleId}`)
  const done = indexed('value_index', field('status'), `= ${doneId}`)
  const mine = indexed('value_index', field('assigned_to'), '= (select me.id from me)')
  const due = indexed('number_index', field('due'), `between :day and :day + ${MONTH - 1}`)
  const doneNeedle = both(needle, indexed('value_index', field('status'), `= ${doneId}`, 'other'))
  const words: Fitting = {
    from: 'artifact_words one',
    where: `one.words like '%item ' || :number || '%'
      and lower(artifact.field_values ->> '${field('title')}') like '%item ' || :number || '%'`,
  }
  const linked: Fitting = {
    from: '(select source_id as artifact_id from artifact_link where target_id = :id) one',
    where: `exists (select from artifact target where target.id = :id and ${isSeen(ids, 'target')})`,
  }
  const inOrder = (fitting: Fitting, ...sizes: (typeof counted)[]) =>
    sizes.map((sizeOf) => listed(ids, { page: firstOf(ids, fitting), size: sizeOf(ids, fitting) }))
  const always = { draw: (): Drawn => ({}), draws: '' }
  const day = (at: number) => new Date(at * DAY).toISOString().slice(0, 10)

  return [
    {
      name: 'list',
      label: 'one list value (1,000 hits)',
      ...always,
      path: () => pathOf(ids, { component: [needleId] }),
      ways: inOrder(needle, counted, less),
    },
    {
      name: 'sorted',
      label: 'two criteria and a sort',
      ...always,
      path: () => pathOf(ids, 'component = "Needle" AND status = "Done" ORDER BY points DESC'),
      ways: [counted, less].map((sizeOf) =>
        listed(ids, { page: greatestOf(ids, doneNeedle, field('points')), size: sizeOf(ids, doneNeedle) }),
      ),
    },
    {
      name: 'frequent',
      label: 'a value that 60 % have',
      ...always,
      path: () => pathOf(ids, { status: [doneId] }),
      ways: inOrder(done, less),
    },
    {
      name: 'text',
      label: 'text contains, rare',
      draw: (turn) => ({ number: NUMBERS.first + (hash(turn, 501) % (NUMBERS.last - NUMBERS.first + 1)) }),
      draws: `\\set number random(${NUMBERS.first}, ${NUMBERS.last})\n`,
      path: ({ number }) => pathOf(ids, `title = "item ${number}"`),
      ways: inOrder(words, counted),
    },
    {
      name: 'dates',
      label: 'dates of a month',
      draw: (turn) => ({ day: DUE.first + (hash(turn, 502) % (DUE.last - DUE.first + 1)) }),
      draws: `\\set day random(${DUE.first}, ${DUE.last})\n`,
      path: ({ day: first = 0 }) => pathOf(ids, `due BETWEEN("${day(first)}", "${day(first + MONTH - 1)}")`),
      ways: inOrder(due, counted, less),
    },
    {
      name: 'linked',
      label: 'linked to an artifact',
      draw: (turn) => ({ id: 1 + openPlace(hash(turn, 503) % readableBy('member', size).count) }),
      draws: OPEN_ID,
      path: ({ id }) => pathOf(ids, `IS LINKED TO ARTIFACT = ${id}`),
      ways: inOrder(linked, counted),
    },
    {
      name: 'mine',
      label: 'assigned to me',
      ...always,
      path: () => pathOf(ids, 'assigned_to = MYSELF()'),
      ways: inOrder(mine, less, counted),
    },
    {
      name: 'groups',
      label: 'groups by status',
      ...always,
      path: () => `/api/trackers/${ids.tracker}/artifacts/groups?by=status`,
      ways: [groupCounts(ids, field('status'))],
    },
  ]
}
