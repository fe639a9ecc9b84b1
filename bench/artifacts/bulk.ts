import { print } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/server-process.ts'
import type { Cluster } from './cluster.ts'
import { keyOf } from './keys.ts'
import { makeArtifact } from '../../server/src/artifacts/seeding/make-artifact.ts'

export interface BulkFigure {
  readonly artifacts: number
  readonly requests: number
  readonly seconds: number
}

const LINES = 10_000
const MEMBERS = {
  value: ['title', 'details', 'points', 'hours', 'due', 'start'],
  bind_value_ids: ['status', 'severity', 'component', 'kind', 'assigned_to'],
} as const

/** Artifacts with eleven fields, by the bulk route, one request after the other. */
export async function measureBulk(cluster: Cluster, server: ServerProcess, count: number): Promise<BulkFigure> {
  const requests = Math.ceil(count / LINES)
  let milliseconds = 0
  for (let request = 0; request < requests; request++) {
    const lines = Math.min(LINES, count - request * LINES)
    const body = Array.from({ length: lines }, (_, at) => lineOf(cluster, request * LINES + at)).join('\n')
    const began = performance.now()
    await send(cluster, server, body, lines)
    milliseconds += performance.now() - began
  }
  const figure = { artifacts: count, requests, seconds: Number((milliseconds / 1000).toPrecision(3)) }
  print(`bulk: ${JSON.stringify(figure)}`)
  return figure
}

function lineOf({ ids, size }: Cluster, place: number): string {
  const made = makeArtifact(place % size, size, ids).values
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
    headers: { 'x-auth-accesskey': keyOf('member'), 'content-type': 'application/x-ndjson' },
    body,
  })
  const text = await answer.text()
  if (answer.status !== 200 || !text.includes(`"succeeded":${lines},`))
    throw new Error(`Bulk: ${answer.status} ${text.slice(0, 500)} … ${text.slice(-500)}`)
}
