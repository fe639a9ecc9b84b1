import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ApiDescription } from './api-description.ts'
import { answerFaults, faultsOfRaw, tryParseJson } from './check-answer.ts'
import { secretsIn } from './check-leaks.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { type Knowledge, learnFromAnswer } from './knowledge.ts'
import { createPlanner, type Planned } from './plan-requests.ts'
import { createRepeatableRandom } from './random.ts'
import { MAX_REQUEST_MS } from './server-log.ts'
import type { WireAnswer } from './send.ts'
import type { Tally } from './tally.ts'

/** Requests per world; then it is reseeded. */
export const REQUESTS_PER_WORLD = 250
const MAX_CONCURRENCY = 12
const STALL_MS = 300
/** The median response time on an idle machine. */
const USUAL_MS = 13
const REFUSED = 'Data after `Connection: close`'

export interface Breach {
  readonly seed: number
  readonly index: number
  readonly faults: readonly string[]
  readonly planned: Planned | undefined
  /** Undefined: no response. */
  readonly answer: WireAnswer | string | undefined
}

export interface Fuzzing {
  readonly world: FuzzWorld
  readonly description: ApiDescription
  readonly tally: Tally
  readonly seed: number
  /** Called for each broken rule. */
  report(breach: Breach): void
  /** Called for each response. */
  watch?(index: number, planned: Planned, answer: WireAnswer | string | Error): void
}

/** Sends the requests of a seed from index `first` up to, but excluding, `end`; `first` starts a world. */
export async function fuzz(fuzzing: Fuzzing, first: number, end: number): Promise<void> {
  const { world, description, seed } = fuzzing
  const known = await world.reseed()
  const random = createRepeatableRandom(`${seed}/${first}`)
  const planner = createPlanner(description, random)
  using stalls = watchStalls()
  for (let index = first; index < end; ) {
    for (const { kind, secret } of world.mails.take()) known.links[kind].push(secret)
    const length = Math.min(random.integer(1, MAX_CONCURRENCY), end - index)
    const burst = Array.from({ length }, (_, at) => ({
      index: index + at,
      planned: planner.next(known, `fuzz-${seed}-${index + at}`),
    }))
    const answers = await Promise.all(burst.map(({ planned }) => send(world, planned)))
    for (const [at, { index: each, planned }] of burst.entries())
      await judge(fuzzing, known, each, planned, answers[at] ?? new Error('It was never sent.'))
    index += length
    const ended = world.hasEnded()
    if (ended !== undefined) {
      const [lastSent] = burst
      fuzzing.report({
        seed,
        index: lastSent?.index ?? index,
        faults: [`the server ended: ${ended}`],
        planned: lastSent?.planned,
        answer: undefined,
      })
      throw new Error('The server is gone.')
    }
  }
  judgeTimes(fuzzing, stalls.longest())
}

async function send({ sender }: FuzzWorld, planned: Planned): Promise<WireAnswer | string | Error> {
  try {
    return planned.kind === 'raw' ? await sender.sendRaw(planned.bytes) : await sender.send(planned.request)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function judge(
  fuzzing: Fuzzing,
  known: Knowledge,
  index: number,
  planned: Planned,
  answer: WireAnswer | string | Error,
): Promise<void> {
  const { world, description, tally, seed } = fuzzing
  fuzzing.watch?.(index, planned, answer)
  const report = (faults: readonly string[]) => {
    if (faults.length > 0)
      fuzzing.report({ seed, index, faults, planned, answer: answer instanceof Error ? undefined : answer })
  }
  if (answer instanceof Error) {
    // Bytes that are not HTTP get an error with a body, even for HEAD.
    const isRefusedHead =
      planned.kind !== 'raw' && planned.request.method === 'HEAD' && answer.message.includes(REFUSED)
    return report(isRefusedHead ? [] : [`no answer: ${answer.message}`])
  }
  if (planned.kind === 'raw' || typeof answer === 'string') {
    const { status, faults } = faultsOfRaw(description, typeof answer === 'string' ? answer : '')
    tally.countOther('raw', status)
    return report(faults)
  }
  if (planned.kind === 'operation') tally.count(planned.meant, answer.status)
  else tally.countOther(planned.kind, answer.status)
  const { reader, request, expected } = planned
  const bytes = `${JSON.stringify(answer.headers)}\n${answer.text}`
  report([
    ...answerFaults(description, { request, answer, meant: planned.meant, expected }),
    ...(await secretsIn(bytes, { reader, request, db: world.db })),
  ])
  learnFromAnswer(known, { ...answer, value: tryParseJson(answer.text), person: reader })
}

/**
 * Uses the durations in the server's log. Ignores slow responses while this process stalled, and scales the limit by
 * the current median.
 */
function judgeTimes(fuzzing: Fuzzing, longestStall: number): void {
  const { world, seed } = fuzzing
  const slowness = Math.max(1, world.log.usual() / USUAL_MS)
  for (const { request_id, ms, line } of world.log.takeSlow()) {
    if (longestStall > STALL_MS || ms < MAX_REQUEST_MS * slowness) continue
    const [, index = '0'] = /^fuzz-\d+-(\d+)$/.exec(request_id) ?? []
    fuzzing.report({
      seed,
      index: Number(index),
      faults: [`an answer took ${ms} ms`],
      planned: undefined,
      answer: line,
    })
  }
}

function watchStalls() {
  const histogram = monitorEventLoopDelay({ resolution: 20 })
  histogram.enable()
  return {
    longest: () => histogram.max / 1e6,
    [Symbol.dispose]: () => {
      histogram.disable()
    },
  }
}
