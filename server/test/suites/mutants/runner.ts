import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { env } from 'node:process'
import { TestRunner, type RunnerTestCase } from 'vitest'
import type { Plan } from './plan.ts'
import {
  appendLine,
  bestVerdicts,
  isDead,
  type Reach,
  readLines,
  type Result,
  type TestVersion,
  type Verdict,
} from './results.ts'
import { MutantSwitch } from './switch.ts'

const RESULTS = env['MUTANTS_RESULTS'] ?? ''
const REACHES = env['MUTANTS_REACHES'] ?? ''
/** Without a plan, the run finds out what each test reaches. */
const PLAN: Plan | undefined = env['MUTANTS_PLAN'] ? JSON.parse(readFileSync(env['MUTANTS_PLAN'], 'utf8')) : undefined

/** One pass: a test is tried at once with every open fault that it reaches, at most so many tests per fault. */
const ONE_PASS_TRIES = Number(env['MUTANTS_ONE_PASS'] ?? 0)

globalThis.waypostMutants ??= new MutantSwitch()
const results = readLines<Result>(RESULTS)
const dead = new Set([...bestVerdicts(results)].flatMap(([id, verdict]) => (isDead(verdict) ? [id] : [])))
const tried = new Set(results.map((result) => `${result.id} ${keyOf(result)}`))
const triesOf = new Map<string, number>()
const known = new Set(readLines<Reach>(REACHES).map(keyOf))

/** More than a test has tries; it ends earlier by itself. */
const MAX_REPEATS = 100_000

function keyOf({ by, version }: TestVersion): string {
  return `${by} ${version}`
}

/**
 * A clean try shows that a test passes, a second one that it can be repeated. Then it is tried with each fault. After a
 * failure it is tried clean, and once more with the fault: on a busy machine a test can also fail by chance.
 */
interface Tries {
  next: 'first' | 'second' | 'fault' | 'check' | 'confirm' | 'end'
  readonly queue: string[]
  /** The fault with which the test has just failed. */
  suspect: string | undefined
  begun: number
}

/**
 * Repeats every test in the same process with one fault after the other, which costs the time of the test and not that
 * of loading the server. A fault is killed if the test fails with it, passes without it and fails with it again.
 */
export default class MutantRunner extends TestRunner {
  readonly #tries = new WeakMap<RunnerTestCase, Tries>()
  readonly #versions = new Map<string, string>()

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    const itself = this.#identify(test)
    const queue = (PLAN?.[itself.by] ?? []).filter((id) => !dead.has(id))
    if (PLAN ? queue.length === 0 : ONE_PASS_TRIES === 0 && known.has(keyOf(itself))) test.mode = 'skip'
    test.retry = 0
    test.repeats = ONE_PASS_TRIES > 0 ? MAX_REPEATS : queue.length * 4 + 2
    this.#tries.set(test, { next: 'first', queue, suspect: undefined, begun: 0 })
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test)
    const tries = this.#tries.get(test)
    if (!tries || !test.result) return
    test.result.state = 'run'
    test.result.errors = []
    tries.begun = performance.now()
    const isOver = tries.next === 'end' || (tries.next === 'fault' && tries.queue.length === 0)
    if (isOver) test.context.skip() // Ends the repetitions.
    if (tries.next === 'fault') waypostMutants.activate(tries.queue[0])
    else if (tries.next === 'confirm') waypostMutants.activate(tries.suspect)
    else if (tries.next === 'first') waypostMutants.reached.clear()
  }

  onAfterRetryTask(test: RunnerTestCase): void {
    const tries = this.#tries.get(test)
    const fault = waypostMutants.active
    waypostMutants.activate(undefined)
    if (!tries || !test.result || test.result.state === 'skip') return
    const hasFailed = test.result.state === 'fail'
    const isTimeout = test.result.errors?.some(({ message }) => /timed out/i.test(message)) ?? false
    if (fault !== undefined)
      this.#afterFault(test, tries, fault, hasFailed ? (isTimeout ? 'timeout' : 'killed') : 'survived')
    else if (PLAN || tries.next === 'check') this.#afterClean(test, tries, hasFailed)
    else this.#afterLook(test, tries, hasFailed)
    test.result.state = 'pass'
    test.result.errors = []
  }

  #afterLook(test: RunnerTestCase, tries: Tries, hasFailed: boolean): void {
    const isRepeated = tries.next === 'second'
    tries.next = hasFailed || isRepeated ? 'end' : 'second'
    if (tries.next !== 'end') return
    const reached = hasFailed ? [] : [...waypostMutants.reached]
    const duration_ms = Math.round(performance.now() - tries.begun)
    const itself = this.#identify(test)
    if (!known.has(keyOf(itself))) appendLine(REACHES, { ...itself, reached, duration_ms })
    if (ONE_PASS_TRIES === 0) return
    const isOpen = (id: string) =>
      !dead.has(id) && !tried.has(`${id} ${keyOf(itself)}`) && (triesOf.get(id) ?? 0) < ONE_PASS_TRIES
    tries.queue.push(...reached.filter(isOpen))
    for (const id of tries.queue) triesOf.set(id, (triesOf.get(id) ?? 0) + 1)
    if (tries.queue.length > 0) tries.next = 'fault'
  }

  #afterClean(test: RunnerTestCase, tries: Tries, hasFailed: boolean): void {
    // The fault has damaged the data of the test: nothing is known then.
    if (hasFailed && tries.suspect !== undefined) this.#report(test, tries.suspect, 'unclear')
    tries.next = hasFailed ? 'end' : tries.suspect === undefined ? 'fault' : 'confirm'
  }

  #afterFault(test: RunnerTestCase, tries: Tries, fault: string, outcome: Verdict): void {
    const isSecond = tries.next === 'confirm'
    const hasPassed = outcome === 'survived'
    if (!isSecond) tries.queue.shift()
    if (hasPassed || isSecond) this.#report(test, fault, outcome)
    tries.suspect = hasPassed || isSecond ? undefined : fault
    tries.next = hasPassed ? 'fault' : 'check'
  }

  #report(test: RunnerTestCase, id: string, verdict: Verdict): void {
    const itself = this.#identify(test)
    if (isDead(verdict)) dead.add(id)
    tried.add(`${id} ${keyOf(itself)}`)
    appendLine(RESULTS, { id, verdict, ...itself })
  }

  #identify({ file, fullTestName }: RunnerTestCase): TestVersion {
    const version = this.#versions.get(file.filepath) ?? digestOf(file.filepath)
    this.#versions.set(file.filepath, version)
    return { by: `${file.name} > ${fullTestName}`, version }
  }
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 8)
}
