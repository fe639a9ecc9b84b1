import { type Client, Lines } from './client.ts'
import { type Person, TOM } from './people.ts'

interface BulkAnswer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly lines: readonly any[]
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  readonly done: any
  readonly statuses: readonly number[]
  readonly reasons: readonly (string | undefined)[]
}

interface Sending {
  readonly as?: Person
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** Writes many artifacts at once. */
export async function writeInBulk(
  api: Client,
  tracker: number,
  lines: readonly object[],
  { as = TOM, query = '', headers = {} }: Sending = {},
): Promise<BulkAnswer> {
  const body = new Lines(lines)
  const { status, text } = await api.post(`/trackers/${tracker}/artifacts/bulk${query}`, { as, body, headers })
  const read = (status === 200 ? text.trimEnd().split('\n') : []).map((line) => JSON.parse(line))
  const answered = read.slice(0, -1)
  return {
    status,
    lines: answered,
    done: read.at(-1)?.done,
    statuses: answered.map((line) => line.status),
    reasons: answered.map((line) => line.error?.reason),
  }
}
