import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { foreignCanaries } from '../fixtures/canaries.ts'
import { answerTo, type TestClient } from './client.ts'
import type { TestPerson } from '../fixtures/people.ts'
import { isFull } from './test-level.ts'

export interface ReceivedFrame {
  readonly id?: string
  readonly event: string
  /** Parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly data: any
  readonly arrived: number
}

export interface ReceivedStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** All received text, including comments. */
  text(): string
  readonly frames: readonly ReceivedFrame[]
  readonly isOver: () => boolean
  /** Waits until the condition holds for the frames. */
  until(holds: (frames: readonly ReceivedFrame[]) => boolean, timeoutMs?: number): Promise<readonly ReceivedFrame[]>
  /** Pauses reading, so that sent data stays in the buffers; `resume` continues. */
  pause(): void
  resume(): void
  close(): void
}

const STREAM_TIMEOUT_MS = 60_000
/** For what has to happen within a second. CI machines may be busy: there it only has to happen soon. */
export const WITHIN_A_SECOND_MS = isFull ? 1500 : 10_000

/** Opens `text/event-stream` over HTTP and reads it. Searches all frames for canaries. */
export async function openStream(
  api: TestClient,
  path: string,
  { as, headers = {} }: { as?: TestPerson; headers?: OutgoingHttpHeaders } = {},
): Promise<ReceivedStream> {
  const outgoing: ClientRequest = request(new URL(api.origin), {
    agent: false,
    path: `/api${path}`,
    headers: { accept: 'text/event-stream', ...(as && { 'x-auth-accesskey': as.key }), ...headers },
  })
  outgoing.end()
  const incoming = await answerTo(outgoing)
  outgoing.on('error', () => {})
  let [text, rest, isOver] = ['', '', false]
  const frames: ReceivedFrame[] = []
  incoming.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    const parts = (rest + bytes.toString()).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) frames.push(...frameIn(part))
  })
  incoming.on('error', () => {})
  incoming.on('close', () => {
    isOver = true
  })
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text: () => text,
    frames,
    isOver: () => isOver,
    async until(holds, timeoutMs = STREAM_TIMEOUT_MS) {
      for (const began = Date.now(); !holds(frames); await pause(5))
        if (Date.now() - began > timeoutMs) throw new Error(`It did not come. What came:\n${text.slice(-2000)}`)
      const foreign = foreignCanaries(text, as)
      if (foreign.length > 0) throw new Error(`The stream told ${as?.login ?? 'nobody'} ${foreign.join()}`)
      return frames
    },
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
    close: () => outgoing.destroy(),
  }
}

function frameIn(part: string): ReceivedFrame[] {
  const lines = part.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line))
  const value = (name: string) => lines.find((line) => line?.[1] === name)?.[2]
  const [id, event, data] = [value('id'), value('event'), value('data')]
  if (event === undefined) return []
  const parsed: unknown = data ? JSON.parse(data) : null
  return [{ ...(id !== undefined && { id }), event, data: parsed, arrived: Date.now() }]
}

/** Polls a page of events from the same cursor: concurrent writers delay the feed. */
export async function pollEventsAfter(
  api: TestClient,
  after: string,
  holds: (events: readonly ReceivedEvent[]) => boolean,
  { as, query = '' }: { as?: TestPerson; query?: string } = {},
): Promise<readonly ReceivedEvent[]> {
  for (const began = Date.now(); ; await pause(20)) {
    const { status, json, text } = await api.get(`/events?after=${after}${query}`, as && { as })
    if (status !== 200) throw new Error(`The feed answered ${status} ${text}`)
    if (holds(json.events)) return json.events
    if (Date.now() - began > STREAM_TIMEOUT_MS)
      throw new Error(`It did not come. What came:\n${JSON.stringify(json.events)}`)
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
export type ReceivedEvent = any

export async function currentFeedCursor(api: TestClient): Promise<string> {
  return (await api.get('/events?after=now')).json.next
}
