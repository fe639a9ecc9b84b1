import type { Api } from './api.ts'
import { ask } from './ask.ts'
import { draftQuestion, kindOf } from './draft-question.ts'
import type { Viewer, World } from './model.ts'
import { answer, type Question } from './oracle.ts'
import { printQuery } from './print-query.ts'
import { shrink } from './shrink-query.ts'

export interface Run {
  readonly seed: string
  readonly queries: number
  /** The number of the first question. */
  readonly from?: number
  readonly mostFaults?: number
  /** Only these kinds of question, of all that are drafted. */
  readonly only?: readonly string[]
  readonly tell?: (fault: Fault) => void
}

export interface Fault {
  readonly number: number
  readonly viewer: string
  readonly tracker: string
  /** The smallest question that we found to go wrong, as it is sent. */
  readonly request: string
  readonly fault: string
  /** How the question was before it was made smaller. */
  readonly asked: string
}

export interface Figures {
  readonly kinds: ReadonlyMap<string, { readonly asked: number; readonly wrong: number; readonly empty: number }>
  readonly faults: readonly Fault[]
  readonly slowest: readonly Slow[]
}

export interface Slow {
  readonly number: number
  /** Until all pages were read. */
  readonly milliseconds: number
  readonly request: string
}

const SLOWEST = 5

/** Asks many random questions; what is answered wrongly is asked again in smaller and smaller pieces. */
export async function runQuestions(api: Api, world: World, viewers: readonly Viewer[], run: Run): Promise<Figures> {
  const { seed, queries, from = 0, mostFaults = 10, only, tell } = run
  const kinds = new Map<string, { asked: number; wrong: number; empty: number }>()
  const faults: Fault[] = []
  const slowest: Slow[] = []
  for (let number = from; number < from + queries; number++) {
    const { question, random } = draftQuestion(world, viewers, seed, number)
    if (only && !only.includes(question.query.kind)) continue
    const expected = answer(world, question)
    const kind = kindOf(question.query, 'refusals' in expected)
    const counted = kinds.get(kind) ?? { asked: 0, wrong: 0, empty: 0 }
    kinds.set(kind, counted)
    counted.asked++
    if ('ids' in expected && expected.ids.length === 0) counted.empty++
    const began = performance.now()
    const wrong = await ask(api, world, question, random, expected)
    slowest.push({ number, milliseconds: Math.round(performance.now() - began), request: printed(question) })
    slowest.splice(
      0,
      slowest.length,
      ...slowest.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST),
    )
    if (wrong === undefined) continue
    counted.wrong++
    if (faults.length >= mostFaults) continue
    const fault = await describe(api, world, question, { number, seed })
    faults.push(fault)
    tell?.(fault)
  }
  return { kinds, faults, slowest }
}

async function describe(
  api: Api,
  world: World,
  question: Question,
  { number, seed }: { number: number; seed: string },
): Promise<Fault> {
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

function printed({ query }: Question): string {
  const { parameters, body } = printQuery(query)
  const lines = parameters.map(([name, value]) => `${name}=${value}`)
  return [...lines, ...(body === undefined ? [] : [`body ${body}`])].join(' & ') || '(nothing)'
}
