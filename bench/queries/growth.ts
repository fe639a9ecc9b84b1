import { join } from 'node:path'
import { print, table } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { type Cluster, openCluster } from '../artifacts/cluster.ts'
import type { LoadOutcome } from '../artifacts/load.ts'
import { load } from '../artifacts/measure.ts'
import { startMeasured } from '../artifacts/server.ts'
import { median } from '../../server/test/harness/median.ts'
import { medianOf, round } from '../quantiles.ts'
import { loadExpectedLists, type QueryTimes } from './measure-question.ts'
import { benchQuestions } from './questions.ts'

/** The same operation at one size; medians over the rounds. */
interface SizeFigure {
  readonly size: number
  readonly p50_ms: number
  readonly p95_ms: number
  /** CPU time per request. */
  readonly server_ms: number | null
  readonly database_ms: number | null
}

export interface GrowthFigure {
  readonly question: string
  readonly small: number
  readonly large: number
  /** Requests per second, the same for all sizes. */
  readonly rate: number
  readonly small_p50_ms: number
  readonly large_p50_ms: number
  /** Of the medians of the largest and the smallest size. */
  readonly ratio: number
  /** The same of the CPU time of server and database. */
  readonly cpu_ratio: number
  readonly sizes: readonly SizeFigure[]
}

/** A running server with its data. */
export interface GrowthSide {
  readonly cluster: Cluster
  readonly server: ServerProcess
}

const GROWING = ['get', 'list', 'sorted'] as const
type Growing = (typeof GROWING)[number]

/** Fills one database per size, each in its own folder. */
export async function measureGrowthOfSizes(
  sizes: readonly number[],
  data: string,
  times: QueryTimes,
): Promise<GrowthFigure[]> {
  const sides: GrowthSide[] = []
  try {
    for (const size of sizes.toSorted((one, other) => one - other)) {
      const cluster = await openCluster(size, join(data, String(size)))
      sides.push({ cluster, server: await startMeasured(cluster.appUrl) })
    }
    const figures = await measureGrowthBetween(sides, times)
    print(asTable(figures))
    return figures
  } finally {
    for (const { server, cluster } of sides) {
      await server.stop()
      await cluster.stop()
    }
  }
}

/** The same requests, with the same number of hits, on few and on many artifacts, alternately at one rate. */
export async function measureGrowthBetween(sides: readonly GrowthSide[], times: QueryTimes): Promise<GrowthFigure[]> {
  const figures: GrowthFigure[] = []
  for (const name of GROWING) {
    const figure = await measureOne(name, sides, times)
    print(`growth: ${JSON.stringify(figure)}`)
    figures.push(figure)
  }
  return figures
}

async function measureOne(name: Growing, sides: readonly GrowthSide[], times: QueryTimes): Promise<GrowthFigure> {
  const asked = await Promise.all(sides.map(async (side) => ({ side, order: await orderFor(name, side) })))
  const largest = asked.at(-1)
  if (!largest) throw new Error('Growth needs a size.')
  const { warmUp, seconds } = times
  const rate = (await load(largest.order, largest.side, { warmUp, seconds })).perSecond / 2
  const outcomes = new Map<number, LoadOutcome[]>()
  for (let turn = 0; turn < times.turns; turn++)
    for (const { side, order } of asked) {
      const outcome = await load(order, side, { warmUp, seconds, rate, seed: turn + 1 })
      outcomes.set(side.cluster.size, [...(outcomes.get(side.cluster.size) ?? []), outcome])
    }
  const sizes = [...outcomes].map(([size, each]) => figureOf(size, each))
  const [small, large] = [sizes[0], sizes.at(-1)]
  if (!small || !large) throw new Error('Growth needs a round.')
  return {
    question: name,
    small: small.size,
    large: large.size,
    rate: round(rate),
    small_p50_ms: small.p50_ms,
    large_p50_ms: large.p50_ms,
    ratio: round(large.p50_ms / small.p50_ms),
    cpu_ratio: round(processorTime(large) / processorTime(small)),
    sizes,
  }
}

function figureOf(size: number, outcomes: readonly LoadOutcome[]): SizeFigure {
  return {
    size,
    p50_ms: round(median(outcomes.map(({ p50 }) => p50))),
    p95_ms: round(median(outcomes.map(({ p95 }) => p95))),
    server_ms: medianOf(outcomes.map(({ serverMs }) => serverMs)),
    database_ms: medianOf(outcomes.map(({ databaseMs }) => databaseMs)),
  }
}

function processorTime({ server_ms, database_ms }: SizeFigure): number {
  return (server_ms ?? Number.NaN) + (database_ms ?? Number.NaN)
}

async function orderFor(name: Growing, { cluster, server }: GrowthSide) {
  if (name === 'get') return { operation: 'get', role: 'member' } as const
  const question = benchQuestions(cluster.ids, cluster.size).find((each) => each.name === name)
  const questions = question && (await loadExpectedLists(question, server))
  if (!questions) throw new Error(`There is no query ${name}.`)
  return { operation: 'list', role: 'member', questions } as const
}

function asTable(figures: readonly GrowthFigure[]): string {
  const cells = ({ p50_ms, p95_ms, server_ms, database_ms }: SizeFigure) =>
    `p50 ${p50_ms}, p95 ${p95_ms}, CPU ${server_ms} + ${database_ms}`
  const [first] = figures
  return table([
    ['ms', ...(first?.sizes ?? []).map(({ size }) => String(size)), 'ratio of p50', 'ratio of CPU'],
    ...figures.map(({ question, sizes, ratio, cpu_ratio }) => [
      question,
      ...sizes.map(cells),
      String(ratio),
      String(cpu_ratio),
    ]),
  ])
}
