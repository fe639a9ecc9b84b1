import { sql } from 'kysely'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { visibleEntriesCte } from './find-entries.ts'
import type { NotificationId } from './update-notification.ts'

export const deleteNotification = writeRoute({
  method: 'DELETE',
  path: '/notifications/:id',
  operationId: 'deleteNotification',
  summary: 'Remove an entry of your inbox.',
  description: 'Removes one entry of the inbox. Every signed-in account, for itself. Entries of others are 404.',
  access: 'signed_in',
  action: null,
  params: { id: idParam<NotificationId>('The entry.') },
  async handle({ context, viewer, params: { id } }, work) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    const { rows } = await sql`
      with ${visibleEntriesCte(owner, context.clock.now(), sql`notification.id = ${id}`)}
      delete from notification using shown
      where notification.id = shown.id returning notification.id`.execute(work.tx)
    if (rows.length === 0) throw new ApiError('not_found')
    await work.change({ object: `notifications/${id}`, op: 'delete' })
    return {}
  },
})
