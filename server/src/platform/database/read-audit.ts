import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import { cutPage, type Pagination, type KeysetPosition } from '../http/pages.ts'

export interface AuditRow {
  id: number
  /** With microseconds, because the order matters. */
  on: string
  actor_id: number | null
  credential_kind: string | null
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

const columns = sql`audit.id, to_char(audit."on" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as "on",
  audit.actor_id, audit.credential_kind, audit.credential_id, audit.address, audit.action, audit.object,
  audit.project_id, audit.outcome, audit.before, audit.after, audit.reason, audit.request_id`

/** One page of `audit` rows that match `condition`, newest first, with the total. */
export async function readAudit(
  db: Db | Tx,
  condition: RawBuilder<boolean>,
  { limit, offset, after }: Pagination,
): Promise<{ rows: AuditRow[]; size: number; next: KeysetPosition | undefined }> {
  const behind = after ? sql`audit.id < ${after[0]}` : sql`true`
  const { rows } = await sql<AuditRow & { id: number | null; size: number }>`
    select counted.size, shown.* from (select count(*) as size from audit where ${condition}) counted left join lateral (
      select ${columns} from audit where ${condition} and ${behind}
      order by audit.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) shown on true
    order by shown.id desc`.execute(db)
  const found = rows.filter(({ id }) => id !== null)
  return { ...cutPage(found, limit, ({ id }) => [id]), size: rows[0]?.size ?? 0 }
}

export async function countAudit(db: Db | Tx, condition: RawBuilder<boolean>): Promise<number> {
  const { rows } = await sql<{ size: number }>`select count(*) as size from audit where ${condition}`.execute(db)
  return rows[0]?.size ?? 0
}

const AUDIT_BATCH_SIZE = 1000

/** All matching rows, newest first, in batches. */
export async function* readAuditInBatches(tx: Tx, condition: RawBuilder<boolean>): AsyncGenerator<AuditRow[]> {
  let behind: RawBuilder<boolean> = sql`true`
  for (;;) {
    const { rows } = await sql<AuditRow>`
      select ${columns} from audit where ${condition} and ${behind} order by audit.id desc limit ${AUDIT_BATCH_SIZE}`.execute(
      tx,
    )
    yield rows
    if (rows.length < AUDIT_BATCH_SIZE) return
    behind = sql`audit.id < ${rows.at(-1)?.id}`
  }
}
