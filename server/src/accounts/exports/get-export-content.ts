import { recordAudit } from '../../platform/database/audit.ts'
import { readRoute } from '../../platform/http/route.ts'
import { bufferContent } from '../../platform/http/send-content.ts'
import { requireAccount } from '../auth-errors.ts'
import { readExport } from './export-file.ts'

export const getExportContent = readRoute({
  method: 'GET',
  path: '/users/self/export/content',
  operationId: 'getExportContent',
  summary: 'Download the file that you asked for: it is there for 7 days.',
  description:
    'Sends the finished file, a ZIP archive. Every signed-in account, for itself. 404 `not_set` before the file is ready and after it has expired.',
  access: 'signed_in',
  formats: { file: 'application/zip' },
  async handle({ context, viewer, origin }) {
    const account = requireAccount(viewer)
    const { made_on, content } = await readExport(context.db, account, context.clock.now())
    await recordAudit(context.db, origin, { action: 'export', object: `users/${account}` })
    return { file: { name: `waypost-export-${made_on.toISOString().slice(0, 10)}.zip`, ...bufferContent(content) } }
  },
})
