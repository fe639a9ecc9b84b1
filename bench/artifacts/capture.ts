import { open } from 'node:fs/promises'
import { Client } from 'pg'
import { APP_ROLE, withAdministrator } from '../../server/src/platform/database/local-postgres.ts'
import { versionEtag } from '../../server/src/platform/wire/etag.ts'
import type { TestClient } from '../../server/test/harness/client.ts'
import type { Cluster } from './cluster.ts'
import { benchAccessKey } from './keys.ts'
import { openPlace } from '../../server/src/commands/bench-data/layout.ts'
import { newArtifact } from './operations.ts'
import { startMeasured } from './server.ts'
import type { Role } from '../../server/src/commands/bench-data/bench-tracker.ts'

/** A statement as PostgreSQL received it, with its parameters. */
export interface CapturedStatement {
  readonly sql: string
  readonly values: readonly (string | null)[]
}

/** The statements of one request, and its known parameters: name -> the text of the value. */
export interface Captured {
  readonly sent: readonly CapturedStatement[]
  readonly known: Readonly<Record<string, string>>
}

export const SCRIPTS = ['get-member', 'get-group', 'get-admin', 'put', 'post'] as const
export type Script = (typeof SCRIPTS)[number]

const CAPTURED_REQUESTS = 12

/** The statements of each operation, from the PostgreSQL log, for several requests. */
export async function captureStatements(cluster: Cluster): Promise<Record<Script, Captured[]>> {
  return withStatementLog(cluster, async (api) => ({
    'get-member': await captureReads(cluster, api, 'member'),
    'get-group': await captureReads(cluster, api, 'group'),
    'get-admin': await captureReads(cluster, api, 'admin'),
    put: await captureWrites(cluster, api),
    post: await captureCreations(cluster, api),
  }))
}

/** Runs a server whose statements PostgreSQL logs (`listen`). */
export async function withStatementLog<Result>(
  cluster: Cluster,
  work: (api: TestClient) => Promise<Result>,
): Promise<Result> {
  const administer = (statement: string) =>
    withAdministrator({ host: cluster.postgres.host, database: 'postgres' }, (client) => client.query(statement))
  await administer(`alter role ${APP_ROLE} set log_statement = 'all'`)
  const server = await startMeasured(cluster.appUrl)
  try {
    await administer(`alter role ${APP_ROLE} reset log_statement`) // Open sessions of the server keep the setting.
    return await work(server.api)
  } finally {
    await server.stop()
  }
}

export function headersFor(role: Role, more: Record<string, string> = {}) {
  return { headers: { 'x-auth-accesskey': benchAccessKey(role), ...more } }
}

/** Ids far from small numbers, so that they are unambiguous in the parameters. */
function somePlace(cluster: Cluster, turn: number): number {
  return openPlace(Math.floor(cluster.size * (0.4 + 0.03 * turn)) + turn)
}

async function captureReads(cluster: Cluster, api: TestClient, role: Role): Promise<Captured[]> {
  const captured: Captured[] = []
  for (let turn = -2; turn < CAPTURED_REQUESTS; turn++) {
    const id = somePlace(cluster, turn) + 1
    const sent = await captureLog(cluster, async () => {
      const { status, text } = await api.get(`/artifacts/${id}`, headersFor(role))
      if (status !== 200) throw new Error(`GET /artifacts/${id}: ${status} ${text}`)
    })
    if (turn >= 0) captured.push({ sent, known: { id: String(id), '{id}': `{${id}}` } }) // The first requests fill caches.
  }
  return captured
}

interface Before {
  version: number
  people: string
  status: number
  points: number | null
}

async function captureWrites(cluster: Cluster, api: TestClient): Promise<Captured[]> {
  const { fields, values } = cluster.ids
  const captured: Captured[] = []
  const client = new Client({ connectionString: cluster.appUrl })
  await client.connect()
  try {
    for (let turn = 0; captured.length < CAPTURED_REQUESTS && turn < 100; turn++) {
      const id = somePlace(cluster, turn % 15) + 1 + 20 * Math.floor(turn / 15)
      const { rows } = await client.query<Before>(
        `select version, people::text, (field_values #>> array[$2, '0'])::integer as status,
           (field_values ->> $3)::integer as points from artifact where id = $1 and restricted_to is null`,
        [id, String(fields['status']), String(fields['points'])],
      )
      const [before] = rows
      if (!before || before.points === null) continue
      const status = (values['status'] ?? []).find((each) => each !== before.status)
      const points = before.points + 21
      const body = {
        values: [
          { field_id: fields['status'], bind_value_ids: [status] },
          { field_id: fields['points'], value: points },
        ],
      }
      const match = versionEtag({ kind: 'artifact', id, version: before.version })
      const sent = await captureLog(cluster, async () => {
        const answer = await api.put(`/artifacts/${id}`, { ...headersFor('member', { 'if-match': match }), body })
        if (answer.status !== 200) throw new Error(`PUT /artifacts/${id}: ${answer.status} ${answer.text}`)
      })
      const known = {
        id: String(id),
        '{id}': `{${id}}`,
        was_version: String(before.version),
        people: before.people,
        was_status: `{${before.status}}`,
        next_status: `{${status}}`,
        was_points: `{${before.points}}`,
        next_points: `{${points}}`,
        changes: JSON.stringify({ [String(fields['status'])]: [status], [String(fields['points'])]: points }),
      }
      captured.push({ sent, known })
    }
  } finally {
    await client.end()
  }
  return captured
}

async function captureCreations(cluster: Cluster, api: TestClient): Promise<Captured[]> {
  const captured: Captured[] = []
  for (let turn = -2; turn < CAPTURED_REQUESTS; turn++) {
    let id = 0
    const sent = await captureLog(cluster, async () => {
      const answer = await api.post('/artifacts', { ...headersFor('member'), body: newArtifact(cluster, turn + 10) })
      if (answer.status !== 201) throw new Error(`POST /artifacts: ${answer.status} ${answer.text}`)
      id = answer.json.id
    })
    if (turn >= 0) captured.push({ sent, known: { made_id: String(id), '{made_id}': `{${id}}` } })
  }
  return captured
}

/** The statements logged while `request` ran: PostgreSQL logs before it responds. */
export async function captureLog({ log }: Cluster, request: () => Promise<void>): Promise<CapturedStatement[]> {
  const file = await open(log)
  try {
    const { size } = await file.stat()
    await request()
    const { size: end } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(end - size), 0, end - size, size)
    return readLog(buffer.toString())
  } finally {
    await file.close()
  }
}

const ENTRY = /^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\] (\w+): {2}/
const STATEMENT = /^(?:execute [^:]+|statement): (.*)$/s
const VALUE = /\$\d+ = (NULL|'(?:[^']|'')*')(?:, |$)/gs

function readLog(text: string): CapturedStatement[] {
  const sent: { sql: string; values: (string | null)[] }[] = []
  for (const entry of splitEntries(text)) {
    const kind = ENTRY.exec(entry)?.[1]
    const message = entry.replace(ENTRY, '')
    const sql = kind === 'LOG' ? STATEMENT.exec(message)?.[1] : undefined
    if (sql !== undefined) sent.push({ sql: sql.trim(), values: [] })
    if (kind !== 'DETAIL' || !message.startsWith('parameters: ')) continue
    const values = message.matchAll(VALUE).map(([, value = 'NULL']) => unquoted(value))
    sent.at(-1)?.values.push(...values)
  }
  return sent
}

/** Continuation lines begin with a tab. */
function splitEntries(text: string): string[] {
  const entries: string[] = []
  for (const line of text.split('\n'))
    if (ENTRY.test(line)) entries.push(line)
    else if (entries.length > 0 && line !== '') entries.push(`${entries.pop()}\n${line.replace(/^\t/, '')}`)
  return entries
}

function unquoted(value: string): string | null {
  return value === 'NULL' ? null : value.slice(1, -1).replaceAll("''", "'")
}
