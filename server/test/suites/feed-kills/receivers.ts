import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A received webhook delivery. */
export interface Delivered {
  readonly event_id: string
  readonly artifact: number
  readonly changeset: number
  readonly digest: string
}

export interface RecordingReceivers {
  readonly hook: string
  readonly smtp: string
  readonly delivered: readonly Delivered[]
  /** Repetitions that differ from the original, as far as it is still remembered. */
  readonly changed: readonly string[]
  /** `Message-ID` and address of each mail. */
  readonly mailed: readonly string[]
  stop(): Promise<void>
}

const MAX_REMEMBERED_BODIES = 3000

/** A webhook receiver and a mail server that record what they receive, in order. */
export async function startRecordingReceivers(): Promise<RecordingReceivers> {
  const delivered: Delivered[] = []
  const changed: string[] = []
  const bodies = new Map<string, string>()
  const mailed: string[] = []
  const note = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const body = await text(incoming)
    const event_id = String(incoming.headers['x-waypost-event-id'])
    const { tracker: _, ...payload } = readPayload(body) // The tracker is sent in its current state, which may differ in a repetition.
    const content = JSON.stringify(payload)
    const known = bodies.get(event_id)
    if (known !== undefined && known !== content) changed.push(`${event_id}: ${differenceOf(known, content)}`)
    bodies.set(event_id, known ?? content)
    for (const [oldest] of bodies) if (bodies.size > MAX_REMEMBERED_BODIES) bodies.delete(oldest)
    const digest = createHash('sha256').update(content).digest('hex')
    delivered.push({ event_id, artifact: payload.id, changeset: payload.current.id, digest })
    answer.writeHead(200).end()
  }
  const receiver = createServer((incoming, answer) => void note(incoming, answer).catch(() => answer.destroy()))
  const post = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { rcptTo } }, done) {
      const take = async () => {
        const id = /^message-id:\s*(\S+)/im.exec(await text(stream))?.[1] ?? ''
        for (const { address } of rcptTo) mailed.push(`${id} ${address}`)
      }
      // oxlint-disable-next-line promise/no-callback-in-promise -- the peer's interface has callbacks
      take().then(() => done(), done)
    },
  })
  post.on('error', () => {}) // A worker that was killed in the middle.
  receiver.on('clientError', (_, socket) => socket.destroy())
  const hookPort = await listening(
    (ready) => receiver.listen(0, '127.0.0.1', ready),
    () => receiver.address(),
  )
  const { promise, resolve } = Promise.withResolvers<number>()
  const smtp = post.listen(0, '127.0.0.1', () => resolve(portOf(smtp.address())))
  return {
    hook: `http://127.0.0.1:${hookPort}/`,
    smtp: `smtp://127.0.0.1:${await promise}`,
    delivered,
    changed,
    mailed,
    async stop() {
      receiver.closeAllConnections()
      receiver.close()
      await new Promise<void>((stopped) => post.close(() => stopped()))
    },
  }
}

async function listening(listen: (ready: () => void) => unknown, address: () => unknown): Promise<number> {
  await new Promise<void>((resolve) => listen(resolve))
  return portOf(address())
}

function portOf(address: unknown): number {
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0
}

function differenceOf(before: string, after: string): string {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const around = (body: string) => body.slice(Math.max(0, at - 80), at + 120)
  return `“${around(before)}”, then “${around(after)}”`
}

function readPayload(body: string): { id: number; current: { id: number }; tracker: object } {
  return JSON.parse(decodeURIComponent(body.slice('payload='.length)))
}
