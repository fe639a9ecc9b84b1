import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { clearedCookie } from '../sign-in/sign-in-by-session.ts'

export const deleteSession = writeRoute({
  method: 'DELETE',
  path: '/session',
  operationId: 'deleteSession',
  summary: 'Sign out.',
  description:
    'Ends the session of the cookie and deletes the cookie. The browser with the cookie. 404 if the caller is signed in without a session.',
  access: 'signed_in',
  action: 'sign_out',
  async handle({ context, viewer: { session_id } }, work) {
    if (session_id === undefined) throw new ApiError('not_found')
    await work.tx.deleteFrom('session').where('id', '=', session_id).execute()
    await work.change({ object: 'session', op: 'delete', before: { session: session_id } })
    return { headers: { 'set-cookie': clearedCookie(context.config) } }
  },
})
