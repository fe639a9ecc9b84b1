import { getAt } from './api-description.ts'

interface SlowRequest {
  readonly request_id: string
  readonly ms: number
  readonly line: string
}

/** Reads the log of the server as it is written. */
export interface ServerLog {
  take(written: string): void
  /** Requests above the time limit since the last call. */
  takeSlow(): SlowRequest[]
  /** The median duration of the last thousand requests, in milliseconds. */
  usual(): number
  /** The last lines that are not request logs. */
  complaints(): readonly string[]
}

export const MAX_REQUEST_MS = 1000
const MAX_COMPLAINTS = 40
const DURATION_SAMPLE_SIZE = 1000

export function createServerLog(): ServerLog {
  let rest = ''
  let slow: SlowRequest[] = []
  const times = new Float64Array(DURATION_SAMPLE_SIZE)
  let count = 0
  const complaints: string[] = []
  const read = (line: string) => {
    const entry = parse(line)
    const ms = getAt(entry, 'ms')
    if (typeof ms === 'number') {
      times[count++ % times.length] = ms
      if (ms > MAX_REQUEST_MS) slow.push({ request_id: String(getAt(entry, 'request_id')), ms, line })
      return
    }
    complaints.push(line.slice(0, 3000))
    if (complaints.length > MAX_COMPLAINTS) complaints.shift()
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
    usual: () => times.subarray(0, count).toSorted()[Math.min(count, DURATION_SAMPLE_SIZE) >> 1] ?? 0,
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
