import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { poolState } from '../../src/platform/database/db.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import type { TestClient } from './client.ts'
import { openStream, type ReceivedFrame, type ReceivedStream } from './event-stream.ts'
import type { TestPerson } from '../fixtures/people.ts'

/** The state of a client that applies the frames of a live query in order. */
export interface RebuiltRows {
  readonly size: number
  readonly ids: readonly number[]
  /** The last received version of each artifact. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into artifacts of every shape
  readonly artifacts: ReadonlyMap<number, any>
  readonly versions: ReadonlyMap<number, string>
}

export interface LiveStream extends ReceivedStream {
  rows(): RebuiltRows
  /** Waits until the condition holds for the rows of the client. */
  untilRows(holds: (rows: RebuiltRows) => boolean, timeoutMs?: number): Promise<RebuiltRows>
  /** The frames after the first `ready`. */
  framesAfterReady(): readonly ReceivedFrame[]
}

export async function openLive(
  api: TestClient,
  path: string,
  options: { as?: TestPerson; headers?: OutgoingHttpHeaders } = {},
): Promise<LiveStream> {
  const stream = await openStream(api, path, options)
  const rows = () => rebuild(stream.frames)
  return {
    ...stream,
    rows,
    async untilRows(holds, timeoutMs) {
      await stream.until((frames) => frames.some(({ event }) => event === 'ready') && holds(rows()), timeoutMs)
      return rows()
    },
    framesAfterReady: () => stream.frames.slice(stream.frames.findIndex(({ event }) => event === 'ready') + 1),
  }
}

/** Closes the streams, and waits until their connections are free: emptying the tables would deadlock with them. */
export async function closeAll({ pools }: Pick<Context, 'pools'>, streams: LiveStream[]): Promise<void> {
  for (const stream of streams.splice(0)) stream.close()
  await pause(40)
  for (let quiet = 0; quiet < 4; await pause(15)) quiet = poolState(pools.streams).busy === 0 ? quiet + 1 : 0
}

/** Fails if a frame does not fit the current rows. */
function rebuild(frames: readonly ReceivedFrame[]): RebuiltRows {
  let [size, ids]: [number, number[]] = [0, []]
  const artifacts = new Map<number, unknown>()
  const versions = new Map<number, string>()
  for (const { event, data } of frames) {
    const at = data && ids.indexOf(data.id)
    if (event === 'ready') ids = data.rows.map(({ id }: { id: number }) => id)
    else if (event === 'reset') ids = []
    else if (event === 'leave' || event === 'change') {
      if (at < 0) throw new Error(`${event} of a row that is not there: ${JSON.stringify(data)}`)
      ids.splice(at, 1)
    } else if (event === 'enter' && at >= 0) throw new Error(`A row enters twice: ${JSON.stringify(data)}`)
    if (event === 'enter' || event === 'change') {
      if (data.position > ids.length) throw new Error(`There is no such position: ${JSON.stringify(data)}`)
      ids.splice(data.position, 0, data.id)
      artifacts.set(data.id, data.artifact)
      versions.set(data.id, data.v)
    }
    if (event === 'ready')
      for (const row of data.rows) {
        // The client would have to fetch a changed artifact.
        if (versions.get(row.id) !== row.v) artifacts.delete(row.id)
        versions.set(row.id, row.v)
      }
    if (data && 'size' in data) size = data.size
  }
  return { size, ids, artifacts, versions }
}
