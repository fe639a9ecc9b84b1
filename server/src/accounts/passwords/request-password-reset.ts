import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'

/**
 * Whether anybody has this login is found out when the mail is written: the request does the same for everyone, and
 * takes the same time.
 */
export const requestPasswordReset = writeRoute({
  method: 'POST',
  path: '/password_resets',
  operationId: 'requestPasswordReset',
  summary: 'Ask for a link to set a new password.',
  access: 'no_credentials',
  action: 'password.reset_request',
  body: Type.Object(
    { login: Type.String({ minLength: 1, maxLength: 254, trim: true, description: 'The login, or the address.' }) },
    { title: 'PasswordResetRequest' },
  ),
  status: 202,
  async handle({ body: { login } }, work) {
    await work.enqueue({ type: 'mail', payload: { template: 'password_reset', params: { login } } })
    await work.change({ object: 'password_resets', op: 'create' })
    return {}
  },
})
