import { Client } from 'pg'
import { BENCH_PEOPLE_COUNT } from '../../server/src/commands/bench-data/bench-tracker.ts'
import { print } from '../../server/src/commands/print.ts'
import type { Cluster } from '../artifacts/cluster.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { explainRequests } from './explain.ts'
import { type GeneratedQuery, generateQueries } from './generate-queries.ts'
import { getPath, type Measuring, withConnection } from './measure-question.ts'
import { listPath } from './questions.ts'

export interface GeneratedFigure {
  readonly queries: number
  /** Refused by the query timeout. */
  readonly refused: number
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  readonly slowest: readonly { readonly ms: number; readonly hits: number; readonly query: GeneratedQuery }[]
}

interface Answered {
  readonly query: GeneratedQuery
  readonly path: string
  readonly ms: number
  readonly hits: number
  readonly status: number
}

const SLOWEST_SHOWN = 5

/** Sends each generated query once, one after the other, to measure the latency for a single caller. */
export async function askGenerated(
  { cluster, server }: Measuring,
  count: number,
  explains: boolean,
): Promise<GeneratedFigure> {
  const { ids, size } = cluster
  const queries = generateQueries(count, { ids, size, logins: await loginsOf(cluster) })
  const answered: Answered[] = []
  await withConnection(server, async (connection) => {
    for (const query of queries) {
      const path = listPath(ids, query)
      const began = performance.now()
      const reply = await getPath(connection, path)
      answered.push({ query, path, ms: performance.now() - began, hits: reply.size, status: reply.status })
      // Any other refusal is a bug of the generator.
      if (reply.status !== 200 && reply.status !== 503)
        throw new Error(`${JSON.stringify(query)}: ${reply.status} ${reply.body}`)
    }
  })
  const slowest = answered.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST_SHOWN)
  const times = sorted(answered.map(({ ms }) => ms))
  const figure = {
    queries: count,
    refused: answered.filter(({ status }) => status !== 200).length,
    p50_ms: round(quantile(times, 0.5)),
    p95_ms: round(quantile(times, 0.95)),
    p99_ms: round(quantile(times, 0.99)),
    slowest: slowest.map(({ query, ms, hits }) => ({ ms: round(ms), hits, query })),
  }
  print(`generated: ${JSON.stringify(figure, null, 2)}`)
  if (explains) await explainRequests(cluster, slowest)
  return figure
}

async function loginsOf({ appUrl, ids }: Cluster): Promise<string[]> {
  const client = new Client({ connectionString: appUrl })
  await client.connect()
  const { rows } = await client.query<{ login: string }>(
    'select login from account where id >= $1 order by id limit $2',
    [ids.firstPerson, BENCH_PEOPLE_COUNT],
  )
  await client.end()
  return rows.map(({ login }) => login)
}
