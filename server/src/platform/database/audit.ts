import { createHash } from 'node:crypto'
import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import type { Credential, Viewer } from '../http/viewer.ts'

declare module './db.ts' {
  interface Tables {
    audit: AuditTable
  }
}

interface AuditTable {
  id: GeneratedAlways<number>
  on: Generated<Date>
  actor_id: number | null
  credential_kind: Credential['kind'] | null
  credential_id: string | null
  address: string | null
  action: string
  object: string | null
  project_id: number | null
  outcome: 'done' | 'refused'
  before: unknown
  after: unknown
  reason: string | null
  request_id: string | null
}

/** Where a change comes from: a request, a command, a job. */
export interface Origin {
  readonly viewer: Viewer
  readonly request_id: string | null
  readonly address: string | null
  /** The browser tab that sent it, where it says so. */
  readonly client_uuid?: string | null
  /** Nobody is to be told of it by mail; its events say so. */
  readonly isSilent?: boolean
}

export interface AuditEntry {
  action: string
  object?: string | null
  project_id?: number | null
  before?: object | null
  after?: object | null
  outcome?: 'done' | 'refused'
  reason?: string | null
}

const LONG_TEXT = 1024

/** One row of the append-only log. Given a transaction, the row exists if and only if the change does. */
export async function recordAudit(
  db: Db | Tx,
  { viewer, request_id, address }: Origin,
  entry: AuditEntry,
): Promise<void> {
  await sql`
    insert into audit (actor_id, credential_kind, credential_id, address, action, object, project_id, outcome,
      before, after, reason, request_id)
    values (${viewer.account_id ?? null}, ${viewer.credential?.kind ?? null}, ${viewer.credential?.id ?? null}, ${address},
      ${entry.action}, ${entry.object ?? null}, ${entry.project_id ?? null}, ${entry.outcome ?? 'done'},
      ${asJson(entry.before)}::jsonb, ${asJson(entry.after)}::jsonb, ${entry.reason ?? null}, ${request_id})`.execute(
    db,
  )
}

/** Long texts are content: the log says which one it was, not what it said. */
function asJson(values: object | null | undefined): string | null {
  return values
    ? JSON.stringify(values, (_, value: unknown) =>
        typeof value === 'string' && value.length > LONG_TEXT
          ? { length: value.length, sha256: createHash('sha256').update(value).digest('hex') }
          : value,
      )
    : null
}
