import { Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { recordAudit } from '../platform/database/audit.ts'
import { type AuditLogFilter, matchesAuditFilter } from '../platform/database/audit-filter.ts'
import type { Tx } from '../platform/database/db.ts'
import { countAudit, readAudit, readAuditInBatches } from '../platform/database/read-audit.ts'
import { readRoute } from '../platform/http/route.ts'
import type { RouteCall } from '../platform/http/route-call.ts'
import { AuditEntrySchema, representAudit } from './audit-entry.ts'
import { type AuditParameters, auditParameters, parseAuditFilter } from './audit-parameters.ts'

export const listAudit = readRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'Read the audit log, newest first.',
  description:
    'Shows administrative changes of the whole platform, filtered by actor, action, object and time; also as NDJSON and CSV. Site administrators only. Others get 403.',
  access: 'signed_in',
  query: auditParameters,
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(AuditEntrySchema),
  async handle(call) {
    const filter = await authorizeAuditRead(call)
    const { db } = call.context
    const { rows, size, next } = await readAudit(db, matchesAuditFilter(filter), call.page)
    const body = await representAudit(db, rows)
    await recordReading(call, filter)
    return { body, size, next }
  },
  formats: {
    async exportRows(call, tx) {
      const filter = await authorizeAuditRead(call)
      const size = await countAudit(tx, matchesAuditFilter(filter))
      await recordReading(call, filter)
      return { size, rows: exportAuditRows(tx, filter) }
    },
  },
})

type AuditCall = RouteCall<unknown, AuditParameters, unknown>

const AUDIT_READ_ENTRY = { action: 'audit.read', object: 'audit' }

async function authorizeAuditRead({ context, viewer, query, origin }: AuditCall): Promise<AuditLogFilter> {
  if (!viewer.is_site_admin)
    await recordAudit(context.db, origin, { ...AUDIT_READ_ENTRY, outcome: 'refused', reason: 'permission_denied' })
  requireSiteAdmin(viewer)
  return parseAuditFilter(context, viewer, query)
}

/** Audits the read before any entry is returned. */
async function recordReading({ context, origin }: AuditCall, filter: AuditLogFilter): Promise<void> {
  await recordAudit(context.db, origin, { ...AUDIT_READ_ENTRY, after: filter })
}

async function* exportAuditRows(tx: Tx, filter: AuditLogFilter) {
  for await (const rows of readAuditInBatches(tx, matchesAuditFilter(filter))) yield representAudit(tx, rows)
}
