import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { findEndSessionAddress } from '../identity/end-session-address.ts'
import { clearedCookie } from '../sign-in/sign-in-by-session.ts'

export const deleteSession = writeRoute({
  method: 'DELETE',
  path: '/session',
  operationId: 'deleteSession',
  summary: 'Sign out.',
  description:
    'Ends the session of the cookie and deletes the cookie; if it began at a provider of identity, the header `Link` (`rel="end-session"`) has the address that signs out there. The browser with the cookie. 404 if the caller is signed in without a session.',
  access: 'signed_in',
  action: 'sign_out',
  async prepare({ context, viewer: { session_id } }) {
    return session_id === undefined ? undefined : findEndSessionAddress(context, session_id)
  },
  async handle({ context, viewer: { session_id } }, work, address) {
    if (session_id === undefined) throw new ApiError('not_found')
    await work.tx.deleteFrom('session').where('id', '=', session_id).execute()
    await work.change({ object: 'session', op: 'delete', before: { session: session_id } })
    const cookie = { 'set-cookie': clearedCookie(context.config) }
    return { headers: address === undefined ? cookie : { ...cookie, link: `<${address}>; rel="end-session"` } }
  },
})
