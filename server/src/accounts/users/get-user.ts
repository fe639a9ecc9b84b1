import { readRoute } from '../../platform/http/route.ts'
import { findUser, userParam } from './find-user.ts'
import { UserFull } from './schemas.ts'
import { representUser } from './user.ts'

export const getUser = readRoute({
  method: 'GET',
  path: '/users/:id',
  operationId: 'getUser',
  summary: 'Show a user.',
  description:
    'Shows the public part of an account; the account itself and site administrators see more. Signed-in accounts; anonymous callers only where the setting `anonymous_directory` is on. Unknown accounts are 404.',
  access: 'everyone',
  params: { id: userParam },
  answer: UserFull,
  versioned: true,
  async handle({ context, viewer, params }) {
    const user = await findUser(context, viewer, params.id)
    return {
      body: representUser(context, viewer, user),
      version: { kind: 'user', id: user.id, version: user.version },
    }
  },
})
