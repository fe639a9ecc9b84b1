import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { requireSelf, userParam } from '../users/find-user.ts'
import { preferenceKey } from '../users/schemas.ts'

export const setPreference = writeRoute({
  method: 'PATCH',
  path: '/users/:id/preferences',
  operationId: 'setPreference',
  summary: 'Set a preference of your own.',
  description:
    'Stores one preference of a client: a key and a text. The account itself only. Keys and values that are too long are refused.',
  access: 'signed_in',
  action: null,
  params: { id: userParam },
  body: Type.Object({ key: preferenceKey, value: Type.String({ maxLength: 65_536 }) }),
  async handle({ context, viewer, params, body }, { tx, ...work }) {
    const account = await requireSelf(context, viewer, params.id)
    const own = { account_id: account, key: body.key }
    const before = await tx
      .selectFrom('preference')
      .select('value')
      .where((each) => each.and(own))
      .executeTakeFirst()
    await tx
      .insertInto('preference')
      .values({ ...own, value: body.value })
      .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet({ value: body.value }))
      .execute()
    await work.change({
      object: `users/${account}/preferences`,
      op: 'update',
      before: { [body.key]: before?.value ?? null },
      after: { [body.key]: body.value },
    })
    return {}
  },
})
