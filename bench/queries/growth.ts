import { print } from '../../server/src/commands/print.ts'
import type { Cluster } from '../artifacts/cluster.ts'
import { load } from '../artifacts/measure.ts'
import { startMeasured } from '../artifacts/server.ts'
import { median } from '../../server/test/harness/median.ts'
import { round } from '../quantiles.ts'
import { loadExpectedLists, type Measuring } from './measure-question.ts'
import { benchQuestions } from './questions.ts'

export interface GrowthFigure {
  readonly question: string
  readonly small: number
  readonly large: number
  /** Requests per second, the same for both sizes. */
  readonly rate: number
  readonly small_p50_ms: number
  readonly large_p50_ms: number
  readonly ratio: number
}

const GROWING: ReadonlySet<string> = new Set(['list', 'sorted'])

/** The same queries, with the same number of hits, on few and on many artifacts, alternately at one rate. */
export async function measureListGrowth(small: Cluster, measuring: Measuring): Promise<GrowthFigure[]> {
  const { cluster: large, times } = measuring
  const few = { cluster: small, server: await startMeasured(small.appUrl) }
  try {
    const figures: GrowthFigure[] = []
    for (const name of GROWING) {
      const toFew = await orderFor(name, few)
      const toMany = await orderFor(name, measuring)
      const pace = { warmUp: times.warmUp, seconds: times.seconds }
      const rate = (await load(toMany, measuring, pace)).perSecond / 2
      const p50 = { few: new Array<number>(), many: new Array<number>() }
      for (let turn = 0; turn < times.turns; turn++) {
        p50.few.push((await load(toFew, few, { ...pace, rate })).p50)
        p50.many.push((await load(toMany, measuring, { ...pace, rate })).p50)
      }
      const [fewMs, manyMs] = [median(p50.few), median(p50.many)]
      const figure = {
        question: name,
        small: small.size,
        large: large.size,
        rate: round(rate),
        small_p50_ms: round(fewMs),
        large_p50_ms: round(manyMs),
        ratio: round(manyMs / fewMs),
      }
      print(`growth: ${JSON.stringify(figure)}`)
      figures.push(figure)
    }
    return figures
  } finally {
    await few.server.stop()
  }
}

async function orderFor(name: string, { cluster, server }: Pick<Measuring, 'cluster' | 'server'>) {
  const question = benchQuestions(cluster.ids, cluster.size).find((each) => each.name === name)
  const questions = question && (await loadExpectedLists(question, server))
  if (!questions) throw new Error(`Nobody asks ${name}.`)
  return { operation: 'list', role: 'member', questions } as const
}
