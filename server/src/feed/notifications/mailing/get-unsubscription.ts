import { Type } from 'typebox'
import { readRoute } from '../../../platform/http/route.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { addressOf } from '../watching/watched-object.ts'
import { tokenParam } from './unsubscribe.ts'
import { readToken } from './unsubscribe-token.ts'

/** Mail programs that know nothing of one click open its address in a browser: it goes on to the page with the button. */
export const getUnsubscription = readRoute({
  method: 'GET',
  path: '/unsubscribe/:token',
  operationId: 'getUnsubscription',
  summary: 'See what the link of a mail would end. It ends nothing.',
  access: 'no_credentials',
  staysOpen: true,
  params: { token: tokenParam },
  answer: Type.Object(
    { object: nullable(Type.String({ description: 'Its address below `/api`; null: all mails about changes.' })) },
    { title: 'Unsubscription' },
  ),
  async handle({ context, params: { token } }) {
    const { object } = readToken(context.secrets, token)
    return {
      body: { object: object === 'mails' ? null : addressOf(object) },
      headers: { refresh: `0; url=/unsubscribe/${token}` },
    }
  },
})
