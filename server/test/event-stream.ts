import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { foreignCanaries } from './canaries.ts'
import { answerTo, type Client } from './client.ts'
import type { Person } from './people.ts'

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
  /** Everything that came so far, comments among it. */
  text(): string
  readonly frames: readonly ReceivedFrame[]
  readonly isOver: () => boolean
  /** Waits until it holds of the frames. */
  until(holds: (frames: readonly ReceivedFrame[]) => boolean, patience?: number): Promise<readonly ReceivedFrame[]>
  /** Stops reading, so that what is sent stays where it is; and goes on. */
  pause(): void
  resume(): void
  close(): void
}

const FOREVER = 8000

/** Opens `text/event-stream` over HTTP and reads it as it comes. What comes is searched for what its reader may not have. */
export async function openStream(
  api: Client,
  path: string,
  { as, headers = {} }: { as?: Person; headers?: OutgoingHttpHeaders } = {},
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
    async until(holds, patience = FOREVER) {
      for (const began = Date.now(); !holds(frames); await pause(5))
        if (Date.now() - began > patience) throw new Error(`It did not come. What came:\n${text.slice(-2000)}`)
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

/** The events of a page, read again and again from the same place: others who write at the same time hold the feed up. */
export async function eventsAfter(
  api: Client,
  after: string,
  holds: (events: readonly ReceivedEvent[]) => boolean,
  { as, query = '' }: { as?: Person; query?: string } = {},
): Promise<readonly ReceivedEvent[]> {
  for (const began = Date.now(); ; await pause(20)) {
    const { status, json, text } = await api.get(`/events?after=${after}${query}`, as && { as })
    if (status !== 200) throw new Error(`The feed answered ${status} ${text}`)
    if (holds(json.events)) return json.events
    if (Date.now() - began > FOREVER) throw new Error(`It did not come. What came:\n${JSON.stringify(json.events)}`)
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
export type ReceivedEvent = any

export async function placeNow(api: Client): Promise<string> {
  return (await api.get('/events?after=now')).json.next
}
