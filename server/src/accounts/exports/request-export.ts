import { writeRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'
import { insertExport } from './export-file.ts'

export const requestExport = writeRoute({
  method: 'POST',
  path: '/users/self/export',
  operationId: 'requestExport',
  summary: 'Ask for a file with all that is kept about you; a mail says when it is ready.',
  description:
    'Starts a job that collects everything that is stored about the caller into one file. Every signed-in account, for itself. A second request within a day is 429.',
  access: 'signed_in',
  action: 'user.export',
  sensitive: true,
  status: 202,
  async handle({ context, viewer }, work) {
    const account_id = requireAccount(viewer)
    await insertExport(work.tx, account_id, context.clock.now())
    const object = `users/${account_id}`
    await work.change({ object, op: 'update', after: { export: 'waiting' } })
    await work.enqueue({ type: 'export', payload: { account_id }, object })
    work.notify({ user: { id: account_id, username: viewer.login ?? '' }, channel: 'mail', why: 'export_ready' })
    return {}
  },
})
