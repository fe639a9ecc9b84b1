import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { cutPage } from '../../../platform/http/pages.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { retryOnConflict } from '../../../platform/operation/retry-on-conflict.ts'
import { findInboxEntries } from './find-entries.ts'
import { Notification, representInboxEntries } from './represent-entries.ts'

export const listNotifications = readRoute({
  method: 'GET',
  path: '/notifications',
  operationId: 'listNotifications',
  summary: 'List the notifications in your inbox, newest first. `X-Notifications-Unread` is the number of unread ones.',
  description:
    'Lists what the caller was notified of; entries whose object can no longer be read are left out. Every signed-in account, for itself. There is no way to read the inbox of others.',
  access: 'signed_in',
  query: { unread: Type.Optional(Type.Boolean({ description: 'Only unread notifications.' })) },
  pages: { default: 50, min: 1, max: 100 },
  answer: Type.Array(Notification),
  async handle({ context, viewer, query, page }) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    const now = context.clock.now()
    return retryOnConflict(async () => {
      const wanted = { unreadOnly: query.unread === true, page, now }
      const { rows, size, unread } = await findInboxEntries(context.db, owner, wanted)
      const { rows: shown, ...places } = cutPage(rows, page.limit, ({ id }) => [id])
      const body = await representInboxEntries(context, viewer, shown)
      return body && { body, size, ...places, headers: { 'x-notifications-unread': String(unread) } }
    })
  },
})
