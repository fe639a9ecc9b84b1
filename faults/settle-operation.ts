import { setTimeout as pause } from 'node:timers/promises'
import { requestHeaders, type PlannedWrite } from './generator.ts'
import { type HttpAnswer, reasonOf, type SendOutcome } from './http.ts'
import { readMade } from './read-answer.ts'

const SETTLE_TIMEOUT_MS = 90_000

interface Asking {
  readonly send: (message: PlannedWrite['message']) => Promise<SendOutcome>
  readonly complaints: string[]
}

interface Settled {
  readonly outcome: 'ok' | 'refused' | 'unknown'
  readonly answer: HttpAnswer | undefined
  readonly attempts: number
}

/**
 * Repeats a request until its outcome is known: with an idempotency key, or without one only while it cannot have been
 * processed.
 */
export async function settleOperation(
  { send }: Asking,
  { message, isKeyed }: PlannedWrite,
  copies: number,
): Promise<Settled> {
  const end = performance.now() + SETTLE_TIMEOUT_MS
  let isInDoubt = false
  for (let attempts = 1; ; attempts++) {
    const all = await Promise.all(Array.from({ length: attempts === 1 ? copies : 1 }, () => send(message)))
    const good = all.find((sent) => typeof sent !== 'string' && sent.status < 300)
    if (good && typeof good !== 'string') return { outcome: 'ok', answer: good, attempts }
    if (all.some(isOutcomeUnknown)) isInDoubt = true
    const mayAsk = isKeyed || !isInDoubt
    const isTemporary = all.some((sent) => typeof sent === 'string' || isRetryable(sent))
    if (!isTemporary || !mayAsk || performance.now() > end)
      return { outcome: isInDoubt ? 'unknown' : 'refused', answer: undefined, attempts }
    await pause(Math.min(50 * 2 ** attempts, 1000))
  }
}

/** Repeats an acknowledged write: the response must be the same, and nothing may be written twice. */
export async function checkReplay(
  { send, complaints }: Asking,
  operation: PlannedWrite,
  first: HttpAnswer | undefined,
): Promise<void> {
  const sent = await send(operation.message)
  if (typeof sent === 'string' || isRetryable(sent) || !first) return
  const isReplayed = sent.headers['idempotency-replayed'] === 'true'
  if (isReplayed && sent.status === 404) return // Another client has deleted it since.
  const [one, other] = [readMade(operation, first), sent.status < 300 ? readMade(operation, sent) : undefined]
  if (!isReplayed && operation.kind !== 'bulk')
    complaints.push(`${operation.id}: asked again, it was done again: ${sent.status}`)
  else if (JSON.stringify(one?.artifacts) !== JSON.stringify(other?.artifacts) || one?.tag !== other?.tag)
    complaints.push(`${operation.id}: asked again, another answer came`)
}

/** Resolves with the id of the file; undefined: it cannot be stored at the moment. */
export async function uploadAttachment(
  asking: Asking,
  { id, person, file }: PlannedWrite,
): Promise<number | undefined> {
  const body = { name: `${id}.txt`, mimetype: 'text/plain', content: file?.bytes.toString('base64'), description: '' }
  const headers = { ...requestHeaders(person, `${id}.f`), 'idempotency-key': `${id}.f` }
  const message = { method: 'POST', path: '/artifact_temporary_files', headers, body: JSON.stringify(body) }
  const { answer } = await settleOperation(asking, { ...NOTHING, id, person, message }, 1)
  if (!answer) return undefined
  const { id: made }: { id: number } = JSON.parse(answer.text)
  return made
}

const NOTHING = { kind: 'attach', known: undefined, isKeyed: true, basedOn: null, versions: 0, digest: '' } as const

export function isOutcomeUnknown(sent: SendOutcome): boolean {
  if (sent === 'unsent') return false
  return sent === 'lost' || sent.status === 500 || reasonOf(sent) === 'outcome_unknown'
}

function isRetryable(answer: HttpAnswer): boolean {
  return [429, 500, 503].includes(answer.status) || reasonOf(answer) === 'idempotency_in_progress'
}
