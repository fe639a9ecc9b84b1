import { type Failure, readFailure, Refusal, unreachable } from './answer.ts'
import type { Client } from './client.ts'
import { backoffMs, pause } from './retry.ts'

/** One event of a stream. */
export interface EventStreamFrame {
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface FollowOptions {
  /** Ends the stream, and the loop that reads it. */
  readonly signal: AbortSignal
  /** Continues after this event. */
  readonly lastEventId?: string
  /** Called when the connection is lost, and with `undefined` when it is back. */
  readonly onTrouble?: (failure: Failure | undefined) => void
}

/** The server sends a heartbeat every 15 seconds: after three missing ones the connection counts as lost. */
const SILENCE_TIMEOUT_MS = 45_000
const TRANSIENT_STATUSES = [0, 408, 429, 500, 502, 503, 504]

/**
 * Follows a stream until it is aborted, and reconnects after the last event. Throws a permanent refusal, such as an
 * expired session.
 */
export async function* followStream(
  client: Client,
  path: string,
  following: FollowOptions,
): AsyncGenerator<EventStreamFrame> {
  const { signal, onTrouble } = following
  let last = following.lastEventId
  for (let failures = 0; !signal.aborted; ) {
    const attempt = new AbortController()
    const end = () => attempt.abort()
    signal.addEventListener('abort', end)
    let failure: Failure | undefined
    try {
      const response = await client.open(path, resumeHeaders(last), attempt.signal)
      if (response.ok && response.body) {
        if (failures > 0) onTrouble?.(undefined)
        failures = 0
        for await (const frame of readFrames(response.body, end)) {
          if (frame.id !== '') last = frame.id
          if (frame.event === 'end' && saysExpired(frame)) throw new Refusal(EXPIRED)
          if (frame.event !== 'end') yield frame
        }
      } else failure = readFailure(response.status, response.headers, await response.text())
    } catch (error) {
      if (error instanceof Refusal) throw error
      if (signal.aborted) return
      failure = unreachable(error)
    } finally {
      attempt.abort()
      signal.removeEventListener('abort', end)
    }
    if (failure && !TRANSIENT_STATUSES.includes(failure.status)) throw new Refusal(failure)
    failures++
    if (failure) onTrouble?.(failure)
    await pause(Math.max(backoffMs(failures), (failure?.retryAfterSeconds ?? 0) * 1000), signal)
  }
}

const EXPIRED: Failure = {
  ok: false,
  status: 401,
  reason: 'credentials_expired',
  message: 'The session or key has ended.',
  details: {},
  request_id: undefined,
  retryAfterSeconds: undefined,
}

function resumeHeaders(last: string | undefined): Record<string, string> {
  return { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
}

function saysExpired({ data }: EventStreamFrame): boolean {
  return data.includes('"credentials_expired"')
}

/** The frames of a body; comments are heartbeats. */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  onSilence: () => void,
): AsyncGenerator<EventStreamFrame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const timer = setTimeout(onSilence, SILENCE_TIMEOUT_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return // An incomplete frame is dropped.
      rest += decoder.decode(value, { stream: true })
      const parts = rest.replaceAll('\r\n', '\n').split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const frame = parseFrame(part)
        if (frame) yield frame
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseFrame(text: string): EventStreamFrame | undefined {
  const fields = text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? []
    return name === '' ? [] : [{ name, value }]
  })
  const valuesOf = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value)
  const event = valuesOf('event').at(-1)
  const data = valuesOf('data')
  if (event === undefined && data.length === 0) return undefined
  return { id: valuesOf('id').at(-1) ?? '', event: event ?? 'message', data: data.join('\n') }
}
