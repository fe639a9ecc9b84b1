import { Type } from 'typebox'
import { apiDate } from '../../platform/wire/dates.ts'
import { readRoute } from '../../platform/http/route.ts'
import { findLink, secretParam } from '../mails/mailed-link.ts'

export const getPasswordReset = readRoute({
  method: 'GET',
  path: '/password_resets/:token',
  operationId: 'getPasswordReset',
  summary: 'See whether a link to set a password still works.',
  description:
    'Tells a page whether it should show the form. Everyone with the link. Used, expired and unknown links are 404.',
  access: 'no_credentials',
  params: { token: secretParam },
  answer: Type.Object({ expires_on: Type.String() }, { title: 'PasswordReset' }),
  async handle({ context: { db, clock }, params: { token } }) {
    const { expires_on } = await findLink(db, 'password_reset', token, clock.now())
    return { body: { expires_on: apiDate(expires_on) } }
  },
})
