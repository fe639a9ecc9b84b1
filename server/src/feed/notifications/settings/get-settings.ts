import { requireAccount } from '../../../accounts/auth-errors.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { NotificationSettings, loadNotificationSettings } from './settings.ts'

export const getNotificationSettings = readRoute({
  method: 'GET',
  path: '/users/self/notification_settings',
  operationId: 'getNotificationSettings',
  summary: 'Show your notification settings.',
  description:
    'Shows default level, mails and other choices. Every signed-in account, for itself. Settings of others cannot be read.',
  access: 'signed_in',
  answer: NotificationSettings,
  async handle({ context, viewer }) {
    return { body: await loadNotificationSettings(context.db, requireAccount(viewer)) }
  },
})
