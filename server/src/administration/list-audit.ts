import { Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/refusals.ts'
import { recordAudit } from '../platform/database/audit.ts'
import { type AuditFilter, fitsFilter } from '../platform/database/audit-filter.ts'
import type { Tx } from '../platform/database/db.ts'
import { countAudit, readAudit, walkAudit } from '../platform/database/read-audit.ts'
import { type Call, readRoute } from '../platform/http/route.ts'
import { AuditEntrySchema, representAudit } from './audit-entry.ts'
import { type AuditParameters, auditParameters, readAuditFilter } from './audit-parameters.ts'

export const listAudit = readRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'Read the audit log, newest first.',
  access: 'signed_in',
  query: auditParameters,
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(AuditEntrySchema),
  async handle(call) {
    const filter = await admit(call)
    const { db } = call.context
    const { rows, size, next } = await readAudit(db, fitsFilter(filter), call.page)
    const body = await representAudit(db, rows)
    await recordReading(call, filter)
    return { body, size, next }
  },
  async exportRows(call, tx) {
    const filter = await admit(call)
    const size = await countAudit(tx, fitsFilter(filter))
    await recordReading(call, filter)
    return { size, rows: walk(tx, filter) }
  },
})

type Reading = Call<unknown, AuditParameters, unknown>

const READING = { action: 'audit.read', object: 'audit' }

async function admit({ context, viewer, query, origin }: Reading): Promise<AuditFilter> {
  if (!viewer.is_site_admin)
    await recordAudit(context.db, origin, { ...READING, outcome: 'refused', reason: 'permission_denied' })
  requireSiteAdmin(viewer)
  return readAuditFilter(context, viewer, query)
}

/** Who reads the log stands in the log before he gets to see anything. */
async function recordReading({ context, origin }: Reading, filter: AuditFilter): Promise<void> {
  await recordAudit(context.db, origin, { ...READING, after: filter })
}

async function* walk(tx: Tx, filter: AuditFilter) {
  for await (const rows of walkAudit(tx, fitsFilter(filter))) yield representAudit(tx, rows)
}
