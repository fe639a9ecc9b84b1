import { median } from '../../server/test/harness/median.ts'
import { print } from '../../server/src/commands/print.ts'
import { round } from '../quantiles.ts'
import { getPath, type Measuring, withConnection } from './measure-question.ts'
import { listPath } from './questions.ts'

export interface AsOfFigure {
  readonly query: string
  readonly now_p50_ms: number
  /** Null if it was refused for its cost. */
  readonly past_p50_ms: number | null
  readonly ratio: number | null
}

const QUERIES = [
  'component = "Needle"',
  'component = "Needle" AND status = "Done" ORDER BY points DESC',
  'due BETWEEN("2024-03-01", "2024-03-30")',
  'title = "item 4711"',
  'assigned_to = MYSELF()',
]
const DAY_MS = 86_400_000

/** The same queries about now and about yesterday, alternately, by a single caller. */
export async function measureAsOf({ cluster, server }: Measuring, times: number): Promise<AsOfFigure[]> {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  return withConnection(server, async (connection) => {
    const ask = async (query: string): Promise<number | null> => {
      const path = listPath(cluster.ids, query)
      const began = performance.now()
      const reply = await getPath(connection, path)
      const ms = performance.now() - began
      if (reply.status === 200) return ms
      if (reply.body.includes('query_too_expensive')) return null
      throw new Error(`${query}: ${reply.status} ${reply.body}`)
    }
    const figures: AsOfFigure[] = []
    for (const query of QUERIES) {
      const [now, past]: [number[], number[]] = [[], []]
      let isRefused = false
      for (let turn = 0; turn < times && !isRefused; turn++) {
        now.push((await ask(query)) ?? Number.NaN)
        const took = await ask(query.replace(/(?= ORDER BY|$)/, ` AS OF "${yesterday}"`))
        if (took === null) isRefused = true
        else past.push(took)
      }
      figures.push({
        query,
        now_p50_ms: round(median(now)),
        past_p50_ms: isRefused ? null : round(median(past)),
        ratio: isRefused ? null : round(median(past) / median(now)),
      })
      print(`as of yesterday: ${JSON.stringify(figures.at(-1))}`)
    }
    return figures
  })
}
