import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { cutPage } from '../../../platform/http/pages.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { retryOnConflict } from '../../../platform/operation/retry-on-conflict.ts'
import { NOTIFICATION_REASONS } from '../notification-reasons.ts'
import { findInboxThreads } from './find-threads.ts'
import { NotificationThread, representInboxThreads } from './represent-threads.ts'

export const listNotificationThreads = readRoute({
  method: 'GET',
  path: '/notifications/threads',
  operationId: 'listNotificationThreads',
  summary:
    'List your inbox grouped by artifact, newest first. `X-Notifications-Unread` is the number of unread threads.',
  description:
    'Groups the notifications of the caller by object; changes of five objects or more by one request are one thread. Every signed-in account, for itself. Entries whose object can no longer be read are left out, and so are snoozed threads until their time has come or something new has happened.',
  access: 'signed_in',
  query: {
    unread: Type.Optional(Type.Boolean({ description: 'Only threads with unread entries.' })),
    why: Type.Optional(
      Type.Enum([...NOTIFICATION_REASONS], { description: 'Only threads with an entry for this reason.' }),
    ),
    project: Type.Optional(Type.Integer({ minimum: 1, description: 'Only threads of this project.' })),
    snoozed: Type.Optional(Type.Boolean({ description: 'Only snoozed threads. Otherwise they are left out.' })),
  },
  pages: { default: 50, min: 1, max: 100 },
  answer: Type.Array(NotificationThread),
  async handle({ context, viewer, query, page }) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    const now = context.clock.now()
    return retryOnConflict(async () => {
      const { why, project } = query
      const filter = { unreadOnly: query.unread === true, why, project, snoozedOnly: query.snoozed === true }
      const { rows, size, unread } = await findInboxThreads(context.db, owner, { ...filter, page, now })
      const { rows: shown, ...places } = cutPage(rows, page.limit, ({ at, latest }) => [at, latest.id])
      const body = await representInboxThreads(context, viewer, shown)
      return body && { body, size, ...places, headers: { 'x-notifications-unread': String(unread) } }
    })
  },
})
