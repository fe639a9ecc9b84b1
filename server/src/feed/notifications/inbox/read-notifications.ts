import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { writeRoute } from '../../../platform/http/route.ts'
import { parseId } from '../../../platform/database/ids.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { visibleEntriesCte } from './find-entries.ts'
import { MAX_THREAD_ENTRIES } from './find-threads.ts'
import type { NotificationId } from './update-notification.ts'

export const readNotifications = writeRoute({
  method: 'POST',
  path: '/notifications/read',
  operationId: 'readNotifications',
  summary: 'Mark an entry of your inbox and all older ones as read.',
  description:
    'Marks everything up to an entry as read, without snoozed entries. Every signed-in account, for itself. Entries of others are not touched.',
  access: 'signed_in',
  action: null,
  body: Type.Object({
    until: Type.Union([Type.Integer({ minimum: 1 }), Type.String()], {
      description: 'The newest entry to mark as read.',
    }),
  }),
  answer: Type.Object(
    {
      read: Type.Integer({ description: 'How many were unread.' }),
      ids: Type.Array(Type.Integer(), { description: 'Those that were unread, newest first, at most 1,000.' }),
    },
    { title: 'ReadNotifications' },
  ),
  status: 200,
  async handle({ context, viewer, body }, work) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    if (!Number.isSafeInteger(Number(body.until)))
      throw new ApiError('parameter_invalid', { path: 'until', rule: 'format' })
    const now = context.clock.now()
    const until = parseId<NotificationId>(String(body.until), 'until')
    const isMeant = sql<boolean>`not notification.is_read and notification.id <= ${until}
      and coalesce(notification.snoozed_until <= ${now}, true)`
    const { rows } = await sql<{ id: number }>`
      with ${visibleEntriesCte(owner, now, isMeant)}
      update notification set is_read = true from shown
      where notification.id = shown.id returning notification.id`.execute(work.tx)
    for (const { id } of rows)
      await work.change({
        object: `notifications/${id}`,
        op: 'update',
        before: { is_read: false },
        after: { is_read: true },
      })
    const ids = rows.map(({ id }) => id).toSorted((one, other) => other - one)
    return { body: { read: rows.length, ids: ids.slice(0, MAX_THREAD_ENTRIES) } }
  },
})
