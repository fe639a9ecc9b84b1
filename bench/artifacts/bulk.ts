import { print } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import type { Cluster } from './cluster.ts'
import { benchAccessKey } from './keys.ts'
import { generateArtifact } from '../../server/src/commands/bench-data/generate-artifact.ts'

export interface BulkFigure {
  readonly artifacts: number
  readonly requests: number
  readonly seconds: number
}

const LINES_PER_REQUEST = 10_000
const MEMBERS = {
  value: ['title', 'details', 'points', 'hours', 'due', 'start'],
  bind_value_ids: ['status', 'severity', 'component', 'kind', 'assigned_to'],
} as const

/** Creates artifacts with eleven fields by the bulk route, one request after the other. */
export async function measureBulk(cluster: Cluster, server: ServerProcess, count: number): Promise<BulkFigure> {
  const requests = Math.ceil(count / LINES_PER_REQUEST)
  let milliseconds = 0
  for (let request = 0; request < requests; request++) {
    const lines = Math.min(LINES_PER_REQUEST, count - request * LINES_PER_REQUEST)
    const body = Array.from({ length: lines }, (_, at) => bulkLine(cluster, request * LINES_PER_REQUEST + at)).join(
      '\n',
    )
    const began = performance.now()
    await send(cluster, server, body, lines)
    milliseconds += performance.now() - began
  }
  const figure = { artifacts: count, requests, seconds: Number((milliseconds / 1000).toPrecision(3)) }
  print(`bulk: ${JSON.stringify(figure)}`)
  return figure
}

function bulkLine({ ids, size }: Cluster, place: number): string {
  const made = generateArtifact(place % size, size, ids).values
  const values = Object.entries(MEMBERS).flatMap(([member, names]) =>
    names.flatMap((name) => {
      const field_id = ids.fields[name]
      const value = made[String(field_id)]
      return value === undefined ? [] : [{ field_id, [member]: value }]
    }),
  )
  return JSON.stringify({ op: 'create', values })
}

async function send({ ids }: Cluster, server: ServerProcess, body: string, lines: number): Promise<void> {
  const answer = await fetch(`${server.api.origin}/api/trackers/${ids.tracker}/artifacts/bulk`, {
    method: 'POST',
    headers: { 'x-auth-accesskey': benchAccessKey('member'), 'content-type': 'application/x-ndjson' },
    body,
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes(`"succeeded":${lines},`))
    throw new Error(`Bulk: ${answer.status} ${text.slice(0, 500)} … ${text.slice(-500)}`)
}
