import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { print } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import type { Cluster } from '../artifacts/cluster.ts'
import { measureEngine, type PlanMode, PLANS } from '../artifacts/engine.ts'
import { HttpConnection, type RawReply } from '../artifacts/http-connection.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import type { LoadOutcome } from '../artifacts/load.ts'
import { load } from '../artifacts/measure.ts'
import { type ExpectedList, rowsIn } from '../artifacts/operations.ts'
import { median } from '../../server/test/harness/median.ts'
import { medianOf, round, spreadOf } from '../quantiles.ts'
import type { BenchQuestion } from './questions.ts'

export interface QueryTimes {
  /** The duration of each part of a measurement. */
  readonly seconds: number
  /** The maximum duration of the warm-up before each part. */
  readonly warmUp: number
  /** The number of alternations between engine and server. */
  readonly turns: number
  /** One round of the engine, and only for queries with a goal. */
  readonly isBrief: boolean
}

export interface QuestionFigure {
  readonly question: string
  readonly name: string
  /** The number of matches; the median of several requests. */
  readonly hits: number
  readonly per_second: number
  readonly spread: readonly [number, number]
  /** Latency of an open loop at half that rate. */
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  /** The fastest statement with the same result, by pgbench. */
  readonly engine: number | null
  readonly engine_spread: readonly [number, number] | null
  readonly engine_plan: PlanMode | null
  readonly main_ratio: number | null
  readonly server_cpu: number | null
  readonly database_cpu: number | null
  /** CPU time per request. */
  readonly server_ms: number | null
  readonly database_ms: number | null
}

export interface Measuring {
  readonly cluster: Cluster
  readonly server: ServerProcess
  readonly times: QueryTimes
  readonly pgbench: string | undefined
}

const DRAWS_PER_QUESTION = 64
const COMPARED_DRAWS = 4
const WITH_GOAL: ReadonlySet<string> = new Set(['list', 'sorted'])
const TRIAL_SECONDS = 2

/** Measures one query on engine and server alternately; undefined: the server does not support it. */
export async function measureQuestion(
  question: BenchQuestion,
  measuring: Measuring,
): Promise<QuestionFigure | undefined> {
  const { server, times } = measuring
  const questions = await loadExpectedLists(question, server)
  if (!questions) {
    print(`${question.name}: the server has no such route.`)
    return undefined
  }
  await compare(question, measuring)
  const hasEngine = !times.isBrief || WITH_GOAL.has(question.name)
  const engine = hasEngine ? await chooseEngine(question, measuring) : undefined
  const order = { operation: 'list', role: 'member', questions } as const
  const outcomes: LoadOutcome[] = []
  const rates: number[] = engine ? [engine.rate] : []
  for (let turn = 0; turn < times.turns; turn++) {
    outcomes.push(await load(order, measuring, { warmUp: times.warmUp, seconds: times.seconds }))
    if (engine && !times.isBrief) rates.push(await engine.run(times.seconds))
  }
  const perSecond = median(outcomes.map((each) => each.perSecond))
  const pace = { warmUp: times.warmUp, seconds: times.seconds, rate: perSecond / 2 }
  const [first] = outcomes
  const open = times.isBrief && first ? first : await load(order, measuring, pace)
  const figure: QuestionFigure = {
    question: question.label,
    name: question.name,
    hits: median(questions.map(({ size }) => size)),
    per_second: round(perSecond),
    spread: spreadOf(outcomes.map((each) => each.perSecond)),
    p50_ms: round(open.p50),
    p95_ms: round(open.p95),
    p99_ms: round(open.p99),
    engine: engine ? round(median(rates)) : null,
    engine_spread: engine ? spreadOf(rates) : null,
    engine_plan: engine?.plan ?? null,
    main_ratio: engine ? round(perSecond / median(rates)) : null,
    server_cpu: medianOf(outcomes.map((each) => each.server)),
    database_cpu: medianOf(outcomes.map((each) => each.database)),
    server_ms: medianOf(outcomes.map((each) => each.serverMs)),
    database_ms: medianOf(outcomes.map((each) => each.databaseMs)),
  }
  print(JSON.stringify(figure))
  return figure
}

/** The requests with their expected results, from the first response; undefined: there is no such route. */
export async function loadExpectedLists(
  question: BenchQuestion,
  server: ServerProcess,
): Promise<ExpectedList[] | undefined> {
  const paths = new Set(Array.from({ length: DRAWS_PER_QUESTION }, (_, turn) => question.path(question.draw(turn))))
  return withConnection(server, async (connection) => {
    const asked: ExpectedList[] = []
    for (const path of paths) {
      const reply = await getPath(connection, path)
      if (reply.status === 404) return undefined
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`)
      asked.push({ path, rows: rowsIn(reply), size: reply.size })
    }
    return asked
  })
}

export function getPath(connection: HttpConnection, path: string): Promise<RawReply> {
  return connection.send('GET', path, `X-Auth-AccessKey: ${benchAccessKey('member')}\r\n`)
}

export async function withConnection<Result>(
  server: ServerProcess,
  work: (connection: HttpConnection) => Promise<Result>,
): Promise<Result> {
  const { hostname, port } = new URL(server.api.origin)
  const connection = await HttpConnection.open(hostname, Number(port))
  try {
    return await work(connection)
  } finally {
    connection.end()
  }
}

/** Checks that engine and server return the same artifacts in the same order, and the same total. */
async function compare(question: BenchQuestion, { cluster, server }: Measuring): Promise<void> {
  const client = new Client({ connectionString: cluster.appUrl })
  await client.connect()
  try {
    await withConnection(server, async (connection) => {
      for (let turn = 0; turn < COMPARED_DRAWS; turn++) {
        const drawn = question.draw(turn)
        const reply = await getPath(connection, question.path(drawn))
        const right = answerIn(JSON.parse(reply.body), reply.size)
        for (const way of question.ways) {
          const text = way.replace(/(?<!:):([a-z]\w*)/g, (_, name: string) => String(drawn[name]))
          const { rows } = await client.query<{ id: string; size: string }>(text)
          const answer = rows.map(({ id, size }) => [Number(id), Number(size)])
          if (!isDeepStrictEqual(answer, right))
            throw new Error(
              `${question.name}: the engine says ${JSON.stringify(answer)}, the server ${JSON.stringify(right)}`,
            )
        }
        if (Object.keys(drawn).length === 0) return
      }
    })
  } finally {
    await client.end()
  }
}

interface Groups {
  readonly groups: readonly { readonly key: readonly ({ readonly id: number } | null)[]; readonly count: number }[]
}

/** Pairs: an artifact and the size of the list, or a value and its count. */
function answerIn(body: readonly { id: number }[] | Groups, size: number): number[][] {
  if (!('groups' in body)) return body.map(({ id }) => [id, size])
  const pairs = body.groups.map(({ key, count }) => [key[0]?.id ?? 0, count])
  return pairs.toSorted(([one = 0], [other = 0]) => one - other)
}

/** The fastest of its statements and of both plan cache modes. */
async function chooseEngine({ ways, draws }: BenchQuestion, { cluster, pgbench, times }: Measuring) {
  if (pgbench === undefined) return undefined
  const bound = { size: String(cluster.size) }
  const run = (way: string, plan: PlanMode, seconds: number) =>
    measureEngine(pgbench, cluster.postgres, { text: `${draws}${way}\n`, bound }, Math.ceil(seconds), plan)
  const tried: { way: string; plan: PlanMode; rate: number }[] = []
  for (const way of times.isBrief ? ways.slice(0, 1) : ways)
    for (const plan of times.isBrief ? PLANS.slice(0, 1) : PLANS)
      tried.push({ way, plan, rate: await run(way, plan, Math.min(TRIAL_SECONDS, times.seconds)) })
  const [best] = tried.toSorted((one, other) => other.rate - one.rate)
  if (!best) return undefined
  const { way, plan } = best
  const rate = times.isBrief ? best.rate : await run(way, plan, times.seconds)
  return { plan, rate, run: (seconds: number) => run(way, plan, seconds) }
}
