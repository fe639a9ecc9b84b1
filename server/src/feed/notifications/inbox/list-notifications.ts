import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/refusals.ts'
import { cutPage } from '../../../platform/http/pages.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { untilUnchanged } from '../../../platform/operation/until-unchanged.ts'
import { findEntries } from './find-entries.ts'
import { Notification, representEntries } from './represent-entries.ts'

export const listNotifications = readRoute({
  method: 'GET',
  path: '/notifications',
  operationId: 'listNotifications',
  summary: 'Your inbox: what you were told of, the newest first. `X-Notifications-Unread` says how much is unread.',
  access: 'signed_in',
  query: { unread: Type.Optional(Type.Boolean({ description: 'Only what is unread.' })) },
  pages: { default: 50, min: 1, max: 100 },
  answer: Type.Array(Notification),
  async handle({ context, viewer, query, page }) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    const now = context.clock.now()
    return untilUnchanged(async () => {
      const wanted = { unreadOnly: query.unread === true, page, now }
      const { rows, size, unread } = await findEntries(context.db, owner, wanted)
      const { rows: shown, ...places } = cutPage(rows, page.limit, ({ id }) => [id])
      const body = await representEntries(context, viewer, shown)
      return body && { body, size, ...places, headers: { 'x-notifications-unread': String(unread) } }
    })
  },
})
