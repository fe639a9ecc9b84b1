import { request } from 'node:http'

/** A frame and its arrival time. */
export interface Arrived {
  readonly at: number
  readonly event: string
  readonly data: { readonly id?: number; readonly v?: string }
}

export interface LiveClient {
  readonly path: string
  readonly key: string
  readonly arrived: readonly Arrived[]
  /** The rows after applying all frames. */
  readonly rows: { ids: number[]; size: number }
  readonly isOver: () => boolean
  close(): void
}

/** Opens a stream and reads it; resolves after the first frame, or for an idle stream after the response starts. */
export function openClient(origin: string, path: string, key: string, isIdle = false): Promise<LiveClient> {
  const { promise, resolve, reject } = Promise.withResolvers<LiveClient>()
  const arrived: Arrived[] = []
  const rows: LiveClient['rows'] = { ids: [], size: 0 }
  let isOver = false
  const headers = { accept: 'text/event-stream', 'x-auth-accesskey': key }
  const outgoing = request(new URL(path, origin), { agent: false, headers }, (incoming) => {
    const client = { path, key, arrived, rows, isOver: () => isOver, close: () => outgoing.destroy() }
    if (incoming.statusCode !== 200) reject(new Error(`${path} answered ${incoming.statusCode}`))
    if (isIdle) resolve(client)
    let rest = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      const at = performance.now()
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const [, event, data] = /^event: (.*)\ndata: ?(.*)$/m.exec(part) ?? []
        if (event === undefined) continue
        const parsed = data ? JSON.parse(data) : {}
        follow(rows, event, parsed)
        arrived.push({ at, event, data: { id: parsed.id, v: parsed.v } })
        resolve(client)
      }
    })
    incoming.on('close', () => {
      isOver = true
    })
    incoming.on('error', () => {})
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}

interface FrameData {
  readonly id: number
  readonly position: number
  readonly size?: number
  readonly rows: readonly { readonly id: number }[]
}

function follow(rows: LiveClient['rows'], event: string, { id, position, size, rows: all }: FrameData): void {
  if (event === 'ready') rows.ids = all.map((row) => row.id)
  if (event === 'reset') rows.ids = []
  if (event === 'leave' || event === 'change') rows.ids.splice(rows.ids.indexOf(id), 1)
  if (event === 'enter' || event === 'change') rows.ids.splice(position, 0, id)
  if (size !== undefined) rows.size = size
}
