import { STATUSES } from '../../server/src/commands/bench-data/bench-tracker.ts'
import { hash } from '../../server/src/commands/bench-data/chance.ts'
import { openPlace, readableBy } from '../../server/src/commands/bench-data/layout.ts'
import type { Ids } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { OPEN_ID } from '../artifacts/script.ts'
import {
  intersect,
  countSql,
  type Fitting,
  firstIdsSql,
  greatestIdsSql,
  groupCounts,
  indexed,
  isSeen,
  countLessHiddenSql,
  listSql,
  PAGE_SIZE,
} from './engine-sql.ts'

type Drawn = Readonly<Record<string, number>>

/** A list query, and the fastest equivalent for PostgreSQL alone. */
export interface BenchQuestion {
  readonly name: string
  readonly label: string
  /** The random parameters of one request. */
  draw(turn: number): Drawn
  path(drawn: Drawn): string
  /** The same random choice in pgbench. */
  readonly draws: string
  /** Equivalent statements; the fastest counts. */
  readonly ways: readonly string[]
}

const MONTH = 30
const DAY = 86_400_000
/** The range of due dates, without the first and the last. */
const DUE = { first: Date.parse('2021-06-01') / DAY, last: Date.parse('2026-01-01') / DAY }
const NUMBERS = { first: 1000, last: 9999 }

/** The path of a list request, for TQL or criteria. */
export function listPath({ tracker }: Ids, asked: string | object): string {
  const parameters: Record<string, string> =
    typeof asked === 'string' ? { expert_query: asked } : { query: JSON.stringify(asked) }
  return `/api/trackers/${tracker}/artifacts?${new URLSearchParams({ limit: String(PAGE_SIZE), ...parameters }).toString()}`
}

/** Typical list queries on the bench tracker at this size. */
export function benchQuestions(ids: Ids, size: number): BenchQuestion[] {
  const field = (name: string) => ids.fields[name] ?? 0
  const needleId = ids.values['component']?.at(-1) ?? 0
  const doneId = ids.values['status']?.[STATUSES.indexOf('done')] ?? 0
  const needle = indexed('value_index', field('component'), `= ${needleId}`)
  const done = indexed('value_index', field('status'), `= ${doneId}`)
  const mine = indexed('value_index', field('assigned_to'), '= (select me.id from me)')
  const due = indexed('number_index', field('due'), `between :day and :day + ${MONTH - 1}`)
  const doneNeedle = intersect(needle, indexed('value_index', field('status'), `= ${doneId}`, 'other'))
  const words: Fitting = {
    from: 'artifact_words one',
    where: `one.words like '%item ' || :number || '%'
      and lower(artifact.field_values ->> '${field('title')}') like '%item ' || :number || '%'`,
  }
  const linked: Fitting = {
    from: '(select source_id as artifact_id from artifact_link where target_id = :id) one',
    where: `exists (select from artifact target where target.id = :id and ${isSeen(ids, 'target')})`,
  }
  const inOrder = (fitting: Fitting, ...sizes: (typeof countSql)[]) =>
    sizes.map((sizeOf) => listSql(ids, { page: firstIdsSql(ids, fitting), size: sizeOf(ids, fitting) }))
  const always = { draw: (): Drawn => ({}), draws: '' }
  const day = (at: number) => new Date(at * DAY).toISOString().slice(0, 10)

  return [
    {
      name: 'list',
      label: 'one list value (1,000 hits)',
      ...always,
      path: () => listPath(ids, { component: [needleId] }),
      ways: inOrder(needle, countSql, countLessHiddenSql),
    },
    {
      name: 'sorted',
      label: 'two criteria and a sort',
      ...always,
      path: () => listPath(ids, 'component = "Needle" AND status = "Done" ORDER BY points DESC'),
      ways: [countSql, countLessHiddenSql].map((sizeOf) =>
        listSql(ids, { page: greatestIdsSql(ids, doneNeedle, field('points')), size: sizeOf(ids, doneNeedle) }),
      ),
    },
    {
      name: 'frequent',
      label: 'a value that 60 % have',
      ...always,
      path: () => listPath(ids, { status: [doneId] }),
      ways: inOrder(done, countLessHiddenSql),
    },
    {
      name: 'text',
      label: 'text contains, rare',
      draw: (turn) => ({ number: NUMBERS.first + (hash(turn, 501) % (NUMBERS.last - NUMBERS.first + 1)) }),
      draws: `\\set number random(${NUMBERS.first}, ${NUMBERS.last})\n`,
      path: ({ number }) => listPath(ids, `title = "item ${number}"`),
      ways: inOrder(words, countSql),
    },
    {
      name: 'dates',
      label: 'dates of a month',
      draw: (turn) => ({ day: DUE.first + (hash(turn, 502) % (DUE.last - DUE.first + 1)) }),
      draws: `\\set day random(${DUE.first}, ${DUE.last})\n`,
      path: ({ day: first = 0 }) => listPath(ids, `due BETWEEN("${day(first)}", "${day(first + MONTH - 1)}")`),
      ways: inOrder(due, countSql, countLessHiddenSql),
    },
    {
      name: 'linked',
      label: 'linked to an artifact',
      draw: (turn) => ({ id: 1 + openPlace(hash(turn, 503) % readableBy('member', size).count) }),
      draws: OPEN_ID,
      path: ({ id }) => listPath(ids, `IS LINKED TO ARTIFACT = ${id}`),
      ways: inOrder(linked, countSql),
    },
    {
      name: 'mine',
      label: 'assigned to me',
      ...always,
      path: () => listPath(ids, 'assigned_to = MYSELF()'),
      ways: inOrder(mine, countLessHiddenSql, countSql),
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
