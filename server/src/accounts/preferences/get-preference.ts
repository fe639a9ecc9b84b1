import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { requireSelf, userParam } from '../users/find-user.ts'
import { preferenceKey } from '../users/schemas.ts'

export const getPreference = readRoute({
  method: 'GET',
  path: '/users/:id/preferences',
  operationId: 'getPreference',
  summary: 'Read a preference of your own.',
  description:
    'Reads one stored preference of a client, such as a theme. The account itself only. A preference that is not set has the value false.',
  access: 'everyone',
  params: { id: userParam },
  query: { key: preferenceKey },
  answer: Type.Object(
    { key: Type.String(), value: Type.Union([Type.String(), Type.Literal(false)], { description: 'False: not set.' }) },
    { title: 'Preference' },
  ),
  async handle({ context, viewer, params, query }) {
    const account = await requireSelf(context, viewer, params.id)
    const found = await context.db
      .selectFrom('preference')
      .select('value')
      .where('account_id', '=', account)
      .where('key', '=', query.key)
      .executeTakeFirst()
    const value: string | false = found?.value ?? false
    return { body: { key: query.key, value } }
  },
})
