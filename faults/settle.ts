import { setTimeout as pause } from 'node:timers/promises'
import { from, type Operation } from './generator.ts'
import { type Answer, reasonOf, type Sent } from './http.ts'
import { readMade } from './read-answer.ts'

const PATIENCE = 90_000

interface Asking {
  readonly send: (message: Operation['message']) => Promise<Sent>
  readonly complaints: string[]
}

interface Settled {
  readonly outcome: 'ok' | 'refused' | 'unknown'
  readonly answer: Answer | undefined
  readonly attempts: number
}

/** Asks until it is known what became of it, as a good client does: by one key, or, without a key, only while nothing can have happened. */
export async function settle({ send }: Asking, { message, isKeyed }: Operation, atOnce: number): Promise<Settled> {
  const end = performance.now() + PATIENCE
  let isInDoubt = false
  for (let attempts = 1; ; attempts++) {
    const all = await Promise.all(Array.from({ length: attempts === 1 ? atOnce : 1 }, () => send(message)))
    const good = all.find((sent) => typeof sent !== 'string' && sent.status < 300)
    if (good && typeof good !== 'string') return { outcome: 'ok', answer: good, attempts }
    if (all.some(isDoubtful)) isInDoubt = true
    const mayAsk = isKeyed || !isInDoubt
    const isTemporary = all.some((sent) => typeof sent === 'string' || isWorthAsking(sent))
    if (!isTemporary || !mayAsk || performance.now() > end)
      return { outcome: isInDoubt ? 'unknown' : 'refused', answer: undefined, attempts }
    await pause(Math.min(50 * 2 ** attempts, 1000))
  }
}

/** What was answered well is asked for again: the answer is the same, and nothing is done twice. */
export async function repeat(
  { send, complaints }: Asking,
  operation: Operation,
  first: Answer | undefined,
): Promise<void> {
  const sent = await send(operation.message)
  if (typeof sent === 'string' || isWorthAsking(sent) || !first) return
  const [one, other] = [readMade(operation, first), sent.status < 300 ? readMade(operation, sent) : undefined]
  if (sent.headers['idempotency-replayed'] !== 'true' && operation.kind !== 'bulk')
    complaints.push(`${operation.id}: asked again, it was done again: ${sent.status}`)
  else if (JSON.stringify(one?.artifacts) !== JSON.stringify(other?.artifacts) || one?.tag !== other?.tag)
    complaints.push(`${operation.id}: asked again, another answer came`)
}

/** Resolves with the id of the file; undefined: it cannot be stored now. */
export async function upload(asking: Asking, { id, person, file }: Operation): Promise<number | undefined> {
  const body = { name: `${id}.txt`, mimetype: 'text/plain', content: file?.bytes.toString('base64'), description: '' }
  const headers = { ...from(person, `${id}.f`), 'idempotency-key': `${id}.f` }
  const message = { method: 'POST', path: '/artifact_temporary_files', headers, body: JSON.stringify(body) }
  const { answer } = await settle(asking, { ...NOTHING, id, person, message }, 1)
  if (!answer) return undefined
  const { id: made }: { id: number } = JSON.parse(answer.text)
  return made
}

const NOTHING = { kind: 'attach', known: undefined, isKeyed: true, basedOn: null, versions: 0, digest: '' } as const

export function isDoubtful(sent: Sent): boolean {
  if (sent === 'unsent') return false
  return sent === 'lost' || sent.status === 500 || reasonOf(sent) === 'outcome_unknown'
}

function isWorthAsking(answer: Answer): boolean {
  return [429, 500, 503].includes(answer.status) || reasonOf(answer) === 'idempotency_in_progress'
}
