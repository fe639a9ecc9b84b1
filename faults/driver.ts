import { setTimeout as pause } from 'node:timers/promises'
import type { MadeTracker } from '../server/test/fixtures/every-field.ts'
import { createRepeatableRandom, type RepeatableRandom } from '../server/test/suites/fuzz/random.ts'
import { MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../server/test/fixtures/people.ts'
import { requestHeaders, planWrite, makeProbe, type PlannedWrite } from './generator.ts'
import { type HttpAnswer, createHttpSender, type SendOutcome } from './http.ts'
import type { Journal } from './journal.ts'
import { readMade, wholeAnswer } from './read-answer.ts'
import { isOutcomeUnknown, checkReplay, settleOperation, uploadAttachment } from './settle-operation.ts'
import { createArtifactPool, type KnownArtifact, recordVersion } from './artifact-pool.ts'

export interface DriverOptions {
  readonly origins: readonly string[]
  readonly tracker: MadeTracker
  readonly journal: Journal
  readonly seed: string
  /** Requests per second; a fifth of them write. */
  readonly rate: number
  readonly users: number
}

export interface Probe {
  readonly start: number
  readonly end: number
  readonly isGood: boolean
}

export interface Driver {
  readonly probes: readonly Probe[]
  /** Responses that no client should ever get. */
  readonly complaints: readonly string[]
  readonly requests: number
  readonly reads: number
  /** Responses by status; requests without a response as `lost`. */
  readonly answers: ReadonlyMap<string, number>
  /** Starts no new requests, and completes the running ones. */
  stop(): Promise<void>
}

const PEOPLE: readonly [TestPerson, ...TestPerson[]] = [MARA, TOM, UMA, OLGA, VICTOR]
const PROBE_INTERVAL_MS = 100
const SHARE_OF_WRITES = 0.4
const SHARE_REPEATED = 0.2
const SHARE_DOUBLED = 0.05

/** An open loop of many clients: requests start on schedule, independent of response times. */
export function startDriver(options: DriverOptions): Driver {
  const { origins, tracker, journal, seed, rate, users } = options
  const sender = createHttpSender()
  const pool = createArtifactPool()
  const complaints: string[] = []
  const probes: Probe[] = []
  const answers = new Map<string, number>()
  const random = createRepeatableRandom(`${seed} driver`)
  const over = new AbortController()
  let [requests, reads, count] = [0, 0, 0]

  const note = (what: string, sent: SendOutcome): SendOutcome => {
    requests++
    const name = typeof sent === 'string' ? sent : String(sent.status)
    answers.set(name, (answers.get(name) ?? 0) + 1)
    if (typeof sent !== 'string' && sent.status >= 500) judge(what, sent)
    return sent
  }
  const judge = (what: string, answer: HttpAnswer) => {
    if (answer.status === 507) return // A full disk is reported correctly.
    if (answer.status !== 503) complaints.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
    else if (answer.headers['retry-after'] === undefined) complaints.push(`${what}: 503 without Retry-After`)
  }
  /** Fails over to another server if the first is unreachable. */
  const send = async (message: PlannedWrite['message'], patience?: number): Promise<SendOutcome> => {
    let sent: SendOutcome = 'unsent'
    for (const origin of random.shuffled(origins)) {
      const got = await sender.send(origin, message, patience)
      sent = note(`${message.method} ${message.path}`, typeof got === 'string' ? got : wholeAnswer(got))
      if (sent !== 'unsent') return sent
    }
    return sent
  }
  const asking = { send, complaints }

  const write = async (operation: PlannedWrite, own: RepeatableRandom): Promise<void> => {
    const start = performance.now()
    const uploaded = operation.file && (await uploadAttachment(asking, operation))
    if (operation.file && uploaded === undefined) return // Nothing is attached; a partial upload expires.
    const message = (uploaded !== undefined && operation.file?.message(uploaded)) || operation.message
    const isDoubled = operation.isKeyed && operation.kind !== 'bulk' && own.chance(SHARE_DOUBLED)
    const result = await settleOperation(asking, { ...operation, message }, isDoubled ? 2 : 1)
    const made = result.answer && readMade(operation, result.answer)
    await journal.append({
      op: operation.id,
      kind: operation.kind,
      route: `${message.method} ${message.path}`,
      account: operation.person.id,
      artifacts: made?.artifacts ?? (operation.known ? [operation.known.id] : []),
      versions: operation.versions,
      based_on: operation.basedOn,
      made: made?.tag ?? null,
      digest: operation.digest,
      file: uploaded === undefined || !operation.file ? null : { id: uploaded, sha256: operation.file.sha256 },
      outcome: result.outcome,
      attempts: result.attempts,
      start,
      end: performance.now(),
    })
    if (made && result.answer) remember(operation, made)
    if (result.outcome === 'ok' && operation.isKeyed && own.chance(SHARE_REPEATED))
      await checkReplay(asking, { ...operation, message }, result.answer)
  }
  const remember = ({ kind, known }: PlannedWrite, made: NonNullable<ReturnType<typeof readMade>>) => {
    if (known && made.tag !== null) recordVersion(known, made.tag, made.modified)
    const [id] = made.artifacts
    if (kind === 'create' && id !== undefined && made.tag !== null)
      pool.add({ id, tag: made.tag, formerTag: undefined, modified: made.modified, isLeaving: false })
  }

  const read = async (known: KnownArtifact, person: TestPerson, id: string): Promise<void> => {
    reads++
    const atLeast = known.modified
    const sent = await send({ method: 'GET', path: `/artifacts/${known.id}`, headers: requestHeaders(person, id) })
    if (typeof sent === 'string' || sent.status >= 429) return
    if (sent.status !== 200) {
      if (!known.isLeaving) complaints.push(`${id}: artifact ${known.id} is not there: ${sent.status}`)
      return
    }
    const { tag, modified } = readMade({ kind: 'change', known }, sent) ?? { tag: null, modified: 0 }
    if (modified < atLeast)
      complaints.push(`${id}: artifact ${known.id} was shown as it was before an acknowledged write`)
    if (tag !== null) recordVersion(known, tag, modified)
  }

  const free = Array.from({ length: users }, (_, at) => ({
    at,
    random: createRepeatableRandom(`${seed} user ${at}`),
    done: 0,
  }))
  const running = new Set<Promise<void>>()
  const start = (work: Promise<void>) => {
    const watched = work.catch((error: unknown) => void complaints.push(`The driver failed: ${String(error)}`))
    running.add(watched)
    void watched.finally(() => running.delete(watched))
  }
  const act = async (user: (typeof free)[number]): Promise<void> => {
    const person = PEOPLE[user.at % PEOPLE.length] ?? MARA
    const id = `${seed}.${user.at}.${++user.done}`
    const number = user.at * 1_000_000 + user.done
    const known = pool.pick(user.random)
    if (known && !user.random.chance(SHARE_OF_WRITES)) await read(known, person, id)
    else await write(planWrite({ id, number, person, random: user.random, pool, tracker }), user.random)
    free.push(user)
  }
  const ask = async (): Promise<void> => {
    for (let due = performance.now(); !over.signal.aborted; due += 1000 / rate) {
      await pause(Math.max(0, due - performance.now()))
      const user = free.shift()
      if (user) start(act(user)) // Skip if all clients wait for responses.
    }
  }
  const probe = async (known: KnownArtifact): Promise<void> => {
    const operation = makeProbe(`${seed}.p.${++count}`, UMA, known)
    const started = performance.now()
    const before = requests
    const sent = await send(operation.message, 12_000)
    if (sent !== 'unsent' || requests > before) {
      const isGood = typeof sent !== 'string' && sent.status < 300
      const end = performance.now()
      probes.push({ start: started, end, isGood })
      const made = isGood ? readMade(operation, sent) : undefined
      const outcome = isGood ? 'ok' : isOutcomeUnknown(sent) ? 'unknown' : 'refused'
      await journal.append({
        op: operation.id,
        kind: operation.kind,
        route: `PUT ${operation.message.path}`,
        account: UMA.id,
        artifacts: [known.id],
        versions: 1,
        based_on: null,
        made: made?.tag ?? null,
        digest: operation.digest,
        file: null,
        outcome,
        attempts: 1,
        start: started,
        end,
      })
      if (made?.tag) recordVersion(known, made.tag, made.modified)
    }
  }
  const watch = async (): Promise<void> => {
    for (let due = performance.now(); !over.signal.aborted; due += PROBE_INTERVAL_MS) {
      await pause(Math.max(0, due - performance.now()))
      const known = pool.pick(random)
      if (known) start(probe(known))
    }
  }
  const loops = [ask(), watch()]
  return {
    probes,
    complaints,
    get requests() {
      return requests
    },
    get reads() {
      return reads
    },
    answers,
    async stop() {
      over.abort()
      await Promise.all(loops)
      while (running.size > 0) await Promise.all(running)
      sender.end()
    },
  }
}
