import { openSocket } from './raw-socket.ts'

/** Two requests that must take equally long, because their difference is secret. */
export interface TimingPair {
  readonly name: string
  readonly one: string
  readonly other: string
  /** The status of both responses. */
  readonly status: number
  /** Runs between the samples, every so many. */
  readonly between?: { every: number; work(): Promise<unknown> }
}

interface Comparison {
  readonly samples: number
  /** Welch's t of all samples, and of those below the 95th percentile, without machine noise. */
  readonly t: number
  readonly cropped: number
  readonly medians: readonly [number, number]
}

const WARM_UP_SAMPLES = 200

/** Sends both alternately in random order over one connection, and measures the time to first byte. */
export async function compareTimings(origin: string, sides: TimingPair, samples: number): Promise<Comparison> {
  const line = await openConnection(origin)
  const requests = [sides.one, sides.other]
  const times = [new Float64Array(samples), new Float64Array(samples)] as const
  for (let round = -WARM_UP_SAMPLES; round < samples; round++) {
    if (sides.between && round % sides.between.every === 0) await sides.between.work()
    const first = Math.random() < 0.5 ? 0 : 1
    for (const side of [first, 1 - first]) {
      const { status, took } = await line.ask(requests[side] ?? '')
      if (status !== sides.status) throw new Error(`${sides.name} was answered with ${status}.`)
      if (round >= 0) times[side === 0 ? 0 : 1][round] = took
    }
  }
  line.end()
  const [one, other] = times
  const limit = percentile([...one, ...other], 0.95)
  return {
    samples,
    t: welch(one, other),
    cropped: welch(
      one.filter((time) => time < limit),
      other.filter((time) => time < limit),
    ),
    medians: [percentile([...one], 0.5), percentile([...other], 0.5)],
  }
}

export function describeComparison(
  { name }: TimingPair,
  { samples, t, cropped, medians: [one, other] }: Comparison,
): string {
  return `${name}: t = ${t.toFixed(2)}, cropped ${cropped.toFixed(2)}; medians ${one.toFixed(4)} and ${other.toFixed(4)} ms; ${samples} samples a side`
}

/** A request as raw HTTP. */
export function rawRequest(method: string, path: string, headers: Record<string, string>, body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = { host: 'waypost.example', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const lines = Object.entries({ ...all, 'content-length': String(Buffer.byteLength(text)) })
  return `${method} /api${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`
}

/** One connection with sequential requests and minimal overhead. */
async function openConnection(origin: string) {
  const socket = await openSocket(origin)
  socket.setNoDelay(true)
  let begun = 0
  let arrived = 0
  let received = ''
  let settle: ((answer: { status: number; took: number }) => void) | undefined
  socket.on('data', (chunk: Buffer) => {
    if (received === '') arrived = performance.now()
    received += chunk.toString('latin1')
    const end = received.indexOf('\r\n\r\n')
    const [, length = '0'] = /content-length: (\d+)/i.exec(received) ?? []
    if (end === -1 || received.length < end + 4 + Number(length)) return
    const status = Number(received.slice(9, 12))
    received = ''
    settle?.({ status, took: arrived - begun })
  })
  return {
    ask(bytes: string) {
      return new Promise<{ status: number; took: number }>((resolve, reject) => {
        settle = resolve
        socket.once('close', () => reject(new Error('The server has hung up.')))
        begun = performance.now()
        socket.write(bytes)
      }).finally(() => socket.removeAllListeners('close'))
    },
    end: () => void socket.destroy(),
  }
}

function welch(one: Float64Array, other: Float64Array): number {
  const noise = variance(one) / one.length + variance(other) / other.length
  return (mean(one) - mean(other)) / Math.sqrt(noise)
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function variance(values: Float64Array): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

function percentile(values: number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0
}
