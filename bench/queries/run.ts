import { join } from 'node:path'
import { SEED } from '../../server/src/commands/bench-data/chance.ts'
import { fingerprintOf } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { print, table } from '../../server/src/commands/print.ts'
import { openCluster, type BenchFault } from '../artifacts/cluster.ts'
import { findPgbench } from '../artifacts/engine.ts'
import { startMeasured } from '../artifacts/server.ts'
import { type AsOfFigure, measureAsOf } from './as-of.ts'
import { askGenerated, type GeneratedFigure } from './ask-generated.ts'
import { type GrowthFigure, type GrowthSide, measureGrowthBetween } from './growth.ts'
import { type InsertingFigure, measureInserting } from './inserting.ts'
import { measureQuestion, type QuestionFigure, type QueryTimes } from './measure-question.ts'
import { benchQuestions } from './questions.ts'

export interface QueryOptions extends QueryTimes {
  readonly size: number
  /** The number of generated queries. */
  readonly queries: number
  /** The folder that keeps the data for the next run. */
  readonly data: string
  readonly plant?: BenchFault | undefined
  /** Only these parts; empty: all. */
  readonly only: readonly string[]
  /** Prints the plans of the slowest queries. */
  readonly explains: boolean
}

export interface QueryFigures {
  readonly size: number
  readonly seed: number
  readonly fingerprint: string
  readonly postgres: string
  readonly node: string
  readonly seconds: number
  readonly questions: readonly QuestionFigure[]
  readonly generated: GeneratedFigure | null
  readonly as_of: readonly AsOfFigure[]
  readonly growth: readonly GrowthFigure[]
  readonly inserting: InsertingFigure | null
}

const SMALL_SIZE = 10_000
const AS_OF_TIMES = 21

/** Searching artifacts, compared with PostgreSQL alone. */
export async function measureQueries(options: QueryOptions): Promise<QueryFigures> {
  const { size, queries, data, only, explains, plant, ...times } = options
  const isWanted = (name: string) => only.length === 0 || only.includes(name)
  const cluster = await openCluster(size, data, plant)
  try {
    const pgbench = await findPgbench()
    if (pgbench === undefined) print('pgbench is not here (Debian has it in postgresql-15): the engine is left out.')
    const server = await startMeasured(cluster.serverUrl)
    const measuring = { cluster, server, times, pgbench }
    try {
      const questions: QuestionFigure[] = []
      for (const question of benchQuestions(cluster.ids, size)) {
        const figure = isWanted(question.name) ? await measureQuestion(question, measuring) : undefined
        if (figure) questions.push(figure)
      }
      print(asTable(size, questions))
      const generated = isWanted('generated') ? await askGenerated(measuring, queries, explains) : null
      const asOf = isWanted('as-of') ? await measureAsOf(measuring, times.isBrief ? 2 : AS_OF_TIMES) : []
      const growth = isWanted('growth')
        ? await withSmall(measuring, data, (small) => measureGrowthBetween([small, measuring], times))
        : []
      const inserting = (isWanted('inserting') ? await measureInserting(measuring) : undefined) ?? null
      return {
        size,
        seed: SEED,
        fingerprint: fingerprintOf(size, cluster.ids),
        postgres: cluster.postgres.version,
        node: process.version,
        seconds: times.seconds,
        questions,
        generated,
        as_of: asOf,
        growth,
        inserting,
      }
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
}

/** A small run has no smaller installation to compare with. */
async function withSmall<Result>(
  large: GrowthSide,
  data: string,
  work: (small: GrowthSide) => Promise<Result>,
): Promise<Result> {
  if (large.cluster.size === SMALL_SIZE) return work(large)
  const cluster = await openCluster(SMALL_SIZE, join(data, 'small'))
  const server = await startMeasured(cluster.appUrl)
  try {
    return await work({ cluster, server })
  } finally {
    await server.stop()
    await cluster.stop()
  }
}

function asTable(size: number, figures: readonly QuestionFigure[]): string {
  const text = (value: number | null) => (value === null ? '-' : String(value))
  return table([
    [
      `${size} artifacts`,
      'hits',
      'requests/s',
      'p50',
      'p95',
      'p99',
      'engine/s',
      'main ratio',
      'CPU server',
      'database',
      'per request',
      'database',
    ],
    ...figures.map((each) => [
      each.question,
      String(each.hits),
      text(each.per_second),
      `${each.p50_ms} ms`,
      `${each.p95_ms} ms`,
      `${each.p99_ms} ms`,
      text(each.engine),
      text(each.main_ratio),
      text(each.server_cpu),
      text(each.database_cpu),
      `${text(each.server_ms)} ms`,
      `${text(each.database_ms)} ms`,
    ]),
  ])
}
