import type { OutgoingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { poolState } from '../src/platform/database/db.ts'
import type { Context } from '../src/platform/operation/context.ts'
import type { Client } from './client.ts'
import { openStream, type ReceivedFrame, type ReceivedStream } from './event-stream.ts'
import type { Person } from './people.ts'

/** What a client has, who does what the frames of a live query say, one after the other. */
export interface LiveRows {
  readonly size: number
  readonly ids: readonly number[]
  /** Of those whose artifact came, as it came last. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into artifacts of every shape
  readonly artifacts: ReadonlyMap<number, any>
  readonly versions: ReadonlyMap<number, string>
}

export interface LiveStream extends ReceivedStream {
  rows(): LiveRows
  /** Waits until it holds of what the client has. */
  untilRows(holds: (rows: LiveRows) => boolean, patience?: number): Promise<LiveRows>
  /** The frames behind the first `ready`. */
  told(): readonly ReceivedFrame[]
}

export async function openLive(
  api: Client,
  path: string,
  options: { as?: Person; headers?: OutgoingHttpHeaders } = {},
): Promise<LiveStream> {
  const stream = await openStream(api, path, options)
  const rows = () => rebuild(stream.frames)
  return {
    ...stream,
    rows,
    async untilRows(holds, patience) {
      await stream.until((frames) => frames.some(({ event }) => event === 'ready') && holds(rows()), patience)
      return rows()
    },
    told: () => stream.frames.slice(stream.frames.findIndex(({ event }) => event === 'ready') + 1),
  }
}

/** Closes them, and waits until nobody reads for them any more: whoever empties the tables would wait for that, and it for him. */
export async function closeAll({ db }: Pick<Context, 'db'>, streams: LiveStream[]): Promise<void> {
  for (const stream of streams.splice(0)) stream.close()
  await pause(40)
  for (let quiet = 0; quiet < 4; await pause(15)) quiet = poolState(db).busy === 0 ? quiet + 1 : 0
}

/** Fails where the frames do not fit what the client has. */
function rebuild(frames: readonly ReceivedFrame[]): LiveRows {
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
        // What has changed meanwhile the client would have to fetch.
        if (versions.get(row.id) !== row.v) artifacts.delete(row.id)
        versions.set(row.id, row.v)
      }
    if (data && 'size' in data) size = data.size
  }
  return { size, ids, artifacts, versions }
}
