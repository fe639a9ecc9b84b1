import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ApiDescription } from './api-description.ts'
import { faultsOf, faultsOfRaw, parseJson } from './check-answer.ts'
import { secretsIn } from './check-leaks.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { type Knowledge, learn } from './knowledge.ts'
import { createPlanner, type Planned } from './plan-requests.ts'
import { createRandom } from './random.ts'
import { LONGEST_MS } from './server-log.ts'
import type { WireAnswer } from './send.ts'
import type { Tally } from './tally.ts'

/** So many requests share one world; then it is seeded anew, and nothing of the last one counts. */
export const WORLD_LENGTH = 250
const MOST_AT_ONCE = 12
const STALL_MS = 300
/** Of the answer in the middle, measured on a machine that had nothing else to do. */
const USUAL_MS = 13
const REFUSED = 'Data after `Connection: close`'

export interface Breach {
  readonly seed: number
  readonly index: number
  readonly faults: readonly string[]
  readonly planned: Planned | undefined
  /** Undefined: there was none. */
  readonly answer: WireAnswer | string | undefined
}

export interface Fuzzing {
  readonly world: FuzzWorld
  readonly description: ApiDescription
  readonly tally: Tally
  readonly seed: number
  /** Told of each rule that is broken. */
  report(breach: Breach): void
  /** Told of each answer. */
  watch?(index: number, planned: Planned, answer: WireAnswer | string | Error): void
}

/** Sends the requests from one index of a seed up to, but not, another; the first one begins a world. */
export async function fuzz(fuzzing: Fuzzing, first: number, end: number): Promise<void> {
  const { world, description, seed } = fuzzing
  const known = await world.reseed()
  const random = createRandom(`${seed}/${first}`)
  const planner = createPlanner(description, random)
  using stalls = watchStalls()
  for (let index = first; index < end; ) {
    for (const { kind, secret } of world.mails.take()) known.links[kind].push(secret)
    const length = Math.min(random.integer(1, MOST_AT_ONCE), end - index)
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
    // What is no HTTP is refused with a body, whatever its method was: to HEAD, that is one too much.
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
    ...faultsOf(description, { request, answer, meant: planned.meant, expected }),
    ...(await secretsIn(bytes, { reader, request, db: world.db })),
  ])
  learn(known, { ...answer, value: parseJson(answer.text), person: reader })
}

/**
 * The log of the server says how long it took. Where we ourselves stood still, so did the machine; and where everything
 * takes longer than it does on a machine of its own, so may this.
 */
function judgeTimes(fuzzing: Fuzzing, longestStall: number): void {
  const { world, seed } = fuzzing
  const slowness = Math.max(1, world.log.usual() / USUAL_MS)
  for (const { request_id, ms, line } of world.log.takeSlow()) {
    if (longestStall > STALL_MS || ms < LONGEST_MS * slowness) continue
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
