import { requireAccount } from '../../../accounts/refusals.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { NotificationSettings, settingsOf } from './settings.ts'

export const getNotificationSettings = readRoute({
  method: 'GET',
  path: '/users/self/notification_settings',
  operationId: 'getNotificationSettings',
  summary: 'Show what you want to be told of, and how.',
  access: 'signed_in',
  answer: NotificationSettings,
  async handle({ context, viewer }) {
    return { body: await settingsOf(context.db, requireAccount(viewer)) }
  },
})
