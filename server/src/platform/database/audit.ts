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

/** The source of a change: a request, a command or a job. */
export interface Origin {
  readonly viewer: Viewer
  readonly request_id: string | null
  readonly address: string | null
  /** The browser tab that sent it, if given. */
  readonly client_uuid?: string | null
  /** Suppresses notifications; its events are marked as silent. */
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

const MAX_AUDITED_TEXT_LENGTH = 1024
/** Hexadecimal digits: enough to compare, too few to guess the address. */
const DIGEST_LENGTH = 8

/** Writes one row of the append-only log. In a transaction, the row exists if and only if the change does. */
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

/** The same for many entries without a request, in one statement. */
export async function recordAuditEntries(
  db: Db | Tx,
  { viewer, address }: Origin,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ action, object = null, outcome = 'done', before, after }) => ({
    action,
    object,
    outcome,
    before: asJson(before),
    after: asJson(after),
  }))
  await sql`
    insert into audit (actor_id, credential_kind, credential_id, address, action, object, outcome, before, after)
    select ${viewer.account_id ?? null}::bigint, ${viewer.credential?.kind ?? null}::text,
      ${viewer.credential?.id ?? null}::text, ${address}::text, given.action, given.object, given.outcome,
      given.before::jsonb, given.after::jsonb
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (action text, object text, outcome text, before text, after text)`.execute(db)
}

function asJson(values: object | null | undefined): string | null {
  return values ? JSON.stringify(values, (name, value: unknown) => redactMember(name, value)) : null
}

/** Members with addresses of webhooks and external jobs, whose path and query often are the secret. */
const SECRET_URL_MEMBERS = new Set(['url', 'job_url'])

/** Long texts are content: the log stores only their length and hash. */
function redactMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (SECRET_URL_MEMBERS.has(name)) return redactUrl(value)
  return value.length > MAX_AUDITED_TEXT_LENGTH ? { length: value.length, sha256: sha256(value) } : value
}

/** Scheme and host, and a digest that shows whether the rest has changed. */
function redactUrl(address: string): string {
  const url = URL.parse(address)
  if (!url) return `#${sha256(address).slice(0, DIGEST_LENGTH)}`
  const host = `${url.protocol}//${url.host}`
  return `${url.pathname}${url.search}${url.hash}`.length > 1
    ? `${host}/…#${sha256(address).slice(0, DIGEST_LENGTH)}`
    : `${host}/`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
