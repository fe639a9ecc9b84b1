import type { Artifact } from './api.ts'
import { type Client, toQueryString } from './client.ts'
import { type FollowOptions, followStream } from './event-stream.ts'

export interface LiveQuery {
  readonly tracker: number
  readonly query?: string
  readonly expert_query?: string
  readonly order?: 'asc' | 'desc'
  readonly fields?: string
  readonly limit?: number
}

export type LiveFrame =
  | { event: 'ready'; size: number; rows: { id: number; v: string }[] }
  | { event: 'enter'; id: number; position: number; size: number; v: string; artifact: Artifact }
  | { event: 'change'; id: number; position: number; size: number; v: string; artifact: Artifact }
  | { event: 'leave'; id: number; size: number }
  | { event: 'size'; size: number }
  | { event: 'reset' }

interface LiveRow {
  readonly id: number
  /** The version of the row. */
  readonly v: string
  /** Undefined: the client has none or a stale one, and has to fetch it. */
  readonly artifact: Artifact | undefined
}

/** The first rows of a query, kept current. */
export interface LiveRows {
  readonly size: number
  readonly rows: readonly LiveRow[]
  /** Between a reset and the next `ready`, the rows may be stale. */
  readonly isReady: boolean
}

export const NO_ROWS: LiveRows = { size: 0, rows: [], isReady: false }

export async function* followQuery(
  client: Client,
  { tracker, ...query }: LiveQuery,
  following: FollowOptions,
): AsyncGenerator<LiveFrame> {
  const path = `/trackers/${tracker}/artifacts/live${toQueryString(query)}`
  for await (const { event, data } of followStream(client, path, following)) {
    const frame: LiveFrame = { ...JSON.parse(data === '' ? '{}' : data), event }
    yield frame
  }
}

/** The rows after a frame. */
export function applyFrame(before: LiveRows, frame: LiveFrame): LiveRows {
  switch (frame.event) {
    case 'ready': {
      const known = new Map(before.rows.map((row) => [row.id, row]))
      const artifactOf = (id: number, v: string) => (known.get(id)?.v === v ? known.get(id)?.artifact : undefined)
      const rows = frame.rows.map(({ id, v }) => ({ id, v, artifact: artifactOf(id, v) }))
      return { size: frame.size, rows, isReady: true }
    }
    case 'enter':
    case 'change': {
      const { id, v, artifact, position, size } = frame
      const rows = before.rows.filter((row) => row.id !== id)
      return { ...before, size, rows: rows.toSpliced(position, 0, { id, v, artifact }) }
    }
    case 'leave':
      return { ...before, size: frame.size, rows: before.rows.filter(({ id }) => id !== frame.id) }
    case 'size':
      return { ...before, size: frame.size }
    case 'reset':
      return { ...before, isReady: false }
    default:
      return before // A frame type that is newer than this client.
  }
}
