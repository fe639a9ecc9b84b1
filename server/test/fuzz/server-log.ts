import { at } from './api-description.ts'

interface SlowRequest {
  readonly request_id: string
  readonly ms: number
  readonly line: string
}

/** Reads the log of the server while it is written. */
export interface ServerLog {
  take(written: string): void
  /** Requests that took longer than they may, since it was asked last. */
  takeSlow(): SlowRequest[]
  /** How long the one in the middle took of the last thousand, in milliseconds. */
  usual(): number
  /** The last lines that are more than the note of a request. */
  complaints(): readonly string[]
}

export const LONGEST_MS = 1000
const KEPT = 40
const LOOKED_AT = 1000

export function createServerLog(): ServerLog {
  let rest = ''
  let slow: SlowRequest[] = []
  const times = new Float64Array(LOOKED_AT)
  let count = 0
  const complaints: string[] = []
  const read = (line: string) => {
    const entry = parse(line)
    const ms = at(entry, 'ms')
    if (typeof ms === 'number') {
      times[count++ % times.length] = ms
      if (ms > LONGEST_MS) slow.push({ request_id: String(at(entry, 'request_id')), ms, line })
      return
    }
    complaints.push(line.slice(0, 3000))
    if (complaints.length > KEPT) complaints.shift()
  }
  return {
    take(written) {
      const lines = (rest + written).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') read(line)
    },
    takeSlow() {
      const taken = slow
      slow = []
      return taken
    },
    usual: () => times.subarray(0, count).toSorted()[Math.min(count, LOOKED_AT) >> 1] ?? 0,
    complaints: () => complaints,
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
