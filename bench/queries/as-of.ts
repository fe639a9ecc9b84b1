import { median } from '../../server/test/harness/median.ts'
import { print } from '../../server/src/commands/print.ts'
import { round } from '../quantiles.ts'
import { getPath, type Measuring, withConnection } from './measure-question.ts'
import { listPath } from './questions.ts'

export interface AsOfFigure {
  readonly query: string
  readonly now_p50_ms: number
  readonly past_p50_ms: number
  readonly ratio: number
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
    const ask = async (query: string): Promise<number> => {
      const path = listPath(cluster.ids, query)
      const began = performance.now()
      const reply = await getPath(connection, path)
      if (reply.status !== 200) throw new Error(`${query}: ${reply.status} ${reply.body}`)
      return performance.now() - began
    }
    const figures: AsOfFigure[] = []
    for (const query of QUERIES) {
      const [now, past]: [number[], number[]] = [[], []]
      for (let turn = 0; turn < times; turn++) {
        now.push(await ask(query))
        past.push(await ask(query.replace(/(?= ORDER BY|$)/, ` AS OF "${yesterday}"`)))
      }
      const ratio = round(median(past) / median(now))
      figures.push({ query, now_p50_ms: round(median(now)), past_p50_ms: round(median(past)), ratio })
      print(`as of yesterday: ${JSON.stringify(figures.at(-1))}`)
    }
    return figures
  })
}
