import { requireAccount } from '../../../accounts/auth-errors.ts'
import { writeRoute } from '../../../platform/http/route.ts'
import { ChosenSettings, NotificationSettings, loadNotificationSettings } from './settings.ts'

export const updateNotificationSettings = writeRoute({
  method: 'PATCH',
  path: '/users/self/notification_settings',
  operationId: 'updateNotificationSettings',
  summary: 'Change your notification settings. Omitted members stay unchanged.',
  description:
    'Chooses default level, mails at once, hourly, daily or never, and more. Every signed-in account, for itself. Unknown members and values are refused.',
  access: 'signed_in',
  action: null,
  body: ChosenSettings,
  answer: NotificationSettings,
  async handle({ viewer, body }, work) {
    const account_id = requireAccount(viewer)
    const before = await loadNotificationSettings(work.tx, account_id)
    const after = { ...before, ...body }
    await work.tx
      .insertInto('notification_setting')
      .values({ account_id, ...after })
      .onConflict((clash) => clash.column('account_id').doUpdateSet(after))
      .execute()
    await work.change({ object: 'users/self/notification_settings', op: 'update', before, after })
    return { body: after }
  },
})
