import { writeRoute } from '../../platform/http/route.ts'
import { requireSelf, userParam } from '../users/find-user.ts'
import { preferenceKey } from '../users/schemas.ts'

export const removePreference = writeRoute({
  method: 'DELETE',
  path: '/users/:id/preferences',
  operationId: 'removePreference',
  summary: 'Forget a preference of your own.',
  description:
    'Removes one stored preference; it does not have to exist. The account itself only. Preferences of other accounts cannot be removed.',
  access: 'signed_in',
  action: null,
  params: { id: userParam },
  query: { key: preferenceKey },
  async handle({ context, viewer, params, query }, { tx, ...work }) {
    const account = await requireSelf(context, viewer, params.id)
    const removed = await tx
      .deleteFrom('preference')
      .where('account_id', '=', account)
      .where('key', '=', query.key)
      .returning('value')
      .executeTakeFirst()
    if (removed)
      await work.change({
        object: `users/${account}/preferences`,
        op: 'update',
        before: { [query.key]: removed.value },
      })
    return {}
  },
})
