import { Type } from 'typebox'
import { clientKey } from '../../platform/http/rate-limit.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { PASSWORD_RESET_REQUESTS } from '../mails/request-limits.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'

/** The mail job looks up the login: the request does the same work for every login, and takes the same time. */
export const requestPasswordReset = writeRoute({
  method: 'POST',
  path: '/password_resets',
  operationId: 'requestPasswordReset',
  summary: 'Ask for a link to set a new password.',
  description:
    'Mails a link to set a new password, if the login or address has an account. Everyone. The answer is the same whether or not there is an account; requests are limited by address.',
  access: 'no_credentials',
  action: 'password.reset_request',
  body: Type.Object(
    { login: Type.String({ minLength: 1, maxLength: 254, trim: true, description: 'The login, or the address.' }) },
    { title: 'PasswordResetRequest' },
  ),
  status: 202,
  async prepare({ context, viewer, origin }) {
    await requirePasswordsAllowed(context, 'browser')
    context.rateLimits.consume(PASSWORD_RESET_REQUESTS, clientKey(viewer, origin.address))
  },
  async handle({ body: { login } }, work) {
    await work.enqueue({ type: 'mail', payload: { template: 'password_reset', params: { login } } })
    await work.change({ object: 'password_resets', op: 'create' })
    return {}
  },
})
