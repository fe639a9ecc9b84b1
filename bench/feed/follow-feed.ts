import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { versionTag } from '../../server/src/platform/wire/etag.ts'

/** An event of an artifact, with its arrival time. */
export interface ArrivedEvent {
  readonly at: number
  readonly position: number
  readonly id: number
  readonly version: number
  /** The version as in an Etag. */
  readonly v: string
}

export interface FeedFollower {
  readonly arrived: readonly ArrivedEvent[]
  stop(): void
}

interface FollowOptions {
  /** Called for each connection: a server may have been replaced. */
  readonly origin: () => string
  readonly key: string
  readonly tracker: number
  /** The cursor to start from. */
  readonly after: string
}

/** The current end of the feed. */
export async function fetchFeedEnd(origin: string, key: string): Promise<string> {
  const answer = await fetch(`${origin}/api/events?after=now`, { headers: { 'x-auth-accesskey': key } })
  const { next }: { next: string } = JSON.parse(await answer.text())
  return next
}

export function positionIn(cursor: string): number {
  return Number.parseInt(cursor.split('.')[1] ?? '', 16)
}

/** Follows the stream of one tracker; reconnects at its last event when the connection breaks. */
export function followArtifactEvents(options: FollowOptions): FeedFollower {
  const arrived: ArrivedEvent[] = []
  const aborter = new AbortController()
  void keepReading(options, arrived, aborter.signal)
  return { arrived, stop: () => aborter.abort() }
}

async function keepReading(options: FollowOptions, arrived: ArrivedEvent[], signal: AbortSignal): Promise<void> {
  let cursor = options.after
  while (!signal.aborted) {
    try {
      for await (const { id: next, object, version } of readStream(options, cursor, signal)) {
        const id = Number(object.split('/')[1])
        const v = versionTag({ kind: 'artifact', id, version })
        arrived.push({ at: performance.now(), position: positionIn(next), id, version, v })
        cursor = next
      }
    } catch {
      // The server is stopped or restarts.
    }
    if (!signal.aborted) await pause(50)
  }
}

interface StreamedEvent {
  readonly id: string
  readonly object: string
  readonly version: number
}

async function* readStream(
  { origin, key, tracker }: FollowOptions,
  cursor: string,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Buffer>>()
  const headers = { accept: 'text/event-stream', 'x-auth-accesskey': key, 'last-event-id': cursor }
  request(`${origin()}/api/events?tracker=${tracker}&types=artifact.*`, { headers, agent: false, signal }, resolve)
    .on('error', reject)
    .end()
  let rest = ''
  for await (const bytes of await promise) {
    const frames = (rest + bytes.toString()).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const lines = frame.split('\n')
      const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length)
      if (data !== undefined && lines.some((line) => line.startsWith('event: artifact.'))) yield JSON.parse(data)
    }
  }
}
