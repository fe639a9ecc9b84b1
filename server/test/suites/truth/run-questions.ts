import type { OracleApi } from './api.ts'
import { askServer } from './ask.ts'
import { draftQuestion, questionKind } from './draft-question.ts'
import type { OracleViewer, OracleWorld } from './model.ts'
import { answerQuestion, type OracleQuestion } from './oracle.ts'
import { printOracleQuery } from './print-query.ts'
import { shrink } from './shrink-query.ts'

export interface QuestionRun {
  readonly seed: string
  readonly queries: number
  /** The number of the first question. */
  readonly from?: number
  readonly maxFaults?: number
  /** Restricts the questions to these kinds. */
  readonly only?: readonly string[]
  readonly tell?: (fault: QuestionFault) => void
}

export interface QuestionFault {
  readonly number: number
  readonly viewer: string
  readonly tracker: string
  /** The smallest failing query found, as sent. */
  readonly request: string
  readonly fault: string
  /** The query before it was shrunk. */
  readonly asked: string
}

export interface QuestionFigures {
  readonly kinds: ReadonlyMap<string, { readonly asked: number; readonly wrong: number; readonly empty: number }>
  readonly faults: readonly QuestionFault[]
  readonly slowest: readonly SlowQuestion[]
}

export interface SlowQuestion {
  readonly number: number
  /** Until all pages were read. */
  readonly milliseconds: number
  readonly request: string
}

const MAX_SLOWEST_SHOWN = 5

/** Runs many random queries; failing ones are shrunk. */
export async function runQuestions(
  api: OracleApi,
  world: OracleWorld,
  viewers: readonly OracleViewer[],
  run: QuestionRun,
): Promise<QuestionFigures> {
  const { seed, queries, from = 0, maxFaults = 10, only, tell } = run
  const kinds = new Map<string, { asked: number; wrong: number; empty: number }>()
  const faults: QuestionFault[] = []
  const slowest: SlowQuestion[] = []
  for (let number = from; number < from + queries; number++) {
    const { question, random } = draftQuestion(world, viewers, seed, number)
    if (only && !only.includes(question.query.kind)) continue
    const expected = answerQuestion(world, question)
    const kind = questionKind(question.query, 'refusals' in expected)
    const counted = kinds.get(kind) ?? { asked: 0, wrong: 0, empty: 0 }
    kinds.set(kind, counted)
    counted.asked++
    if ('ids' in expected && expected.ids.length === 0) counted.empty++
    const began = performance.now()
    const wrong = await askServer(api, world, question, random, expected)
    slowest.push({ number, milliseconds: Math.round(performance.now() - began), request: printed(question) })
    slowest.splice(
      0,
      slowest.length,
      ...slowest.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, MAX_SLOWEST_SHOWN),
    )
    if (wrong === undefined) continue
    counted.wrong++
    if (faults.length >= maxFaults) continue
    const fault = await describe(api, world, question, { number, seed })
    faults.push(fault)
    tell?.(fault)
  }
  return { kinds, faults, slowest }
}

async function describe(
  api: OracleApi,
  world: OracleWorld,
  question: OracleQuestion,
  { number, seed }: { number: number; seed: string },
): Promise<QuestionFault> {
  const smallest = await shrink(api, world, question, seed)
  return {
    number,
    viewer: question.viewer.name,
    tracker: question.tracker.item_name,
    request: printed(smallest.question),
    fault: smallest.fault,
    asked: printed(question),
  }
}

function printed({ query }: OracleQuestion): string {
  const { parameters, body } = printOracleQuery(query)
  const lines = parameters.map(([name, value]) => `${name}=${value}`)
  return [...lines, ...(body === undefined ? [] : [`body ${body}`])].join(' & ') || '(nothing)'
}
