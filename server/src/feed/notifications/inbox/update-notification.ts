import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import type { Id } from '../../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { visibleEntriesCte } from './find-entries.ts'

export type NotificationId = Id<'notification'>

export const updateNotification = writeRoute({
  method: 'PATCH',
  path: '/notifications/:id',
  operationId: 'updateNotification',
  summary: 'Mark an entry of your inbox as read, or as unread.',
  description: 'Marks one entry of the inbox. Every signed-in account, for itself. Entries of others are 404.',
  access: 'signed_in',
  action: null,
  params: { id: idParam<NotificationId>('The entry.') },
  body: Type.Object({ is_read: Type.Boolean() }),
  async handle({ context, viewer, params: { id }, body: { is_read } }, work) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    const { rows } = await sql<{ was_read: boolean }>`
      with ${visibleEntriesCte(owner, context.clock.now(), sql`notification.id = ${id}`)}
      update notification set is_read = ${is_read} from shown
      where notification.id = shown.id returning shown.is_read as was_read`.execute(work.tx)
    const [changed] = rows
    if (!changed) throw new ApiError('not_found')
    await work.change({
      object: `notifications/${id}`,
      op: 'update',
      before: { is_read: changed.was_read },
      after: { is_read },
    })
    return {}
  },
})
