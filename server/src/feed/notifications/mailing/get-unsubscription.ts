import { Type } from 'typebox'
import { readRoute } from '../../../platform/http/route.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { watchedObjectAddress } from '../watching/watched-object.ts'
import { tokenParam } from './unsubscribe.ts'
import { parseUnsubscribeToken } from './unsubscribe-token.ts'

/**
 * Mail programs without one-click support open the address in a browser, which is redirected to the page with the
 * button.
 */
export const getUnsubscription = readRoute({
  method: 'GET',
  path: '/unsubscribe/:token',
  operationId: 'getUnsubscription',
  summary: 'Show what the unsubscribe link of a mail would mute. Changes nothing.',
  description:
    'Lets a page show what the link of a mail would switch off. Everyone with the link. Changed and unknown links are 404.',
  access: 'no_credentials',
  staysOpen: true,
  params: { token: tokenParam },
  answer: Type.Object(
    { object: nullable(Type.String({ description: 'Its address below `/api`; null: all mails about changes.' })) },
    { title: 'Unsubscription' },
  ),
  async handle({ context, params: { token } }) {
    const { object } = parseUnsubscribeToken(context.secrets, token)
    return {
      body: { object: object === 'mails' ? null : watchedObjectAddress(object) },
      headers: { refresh: `0; url=/unsubscribe/${token}` },
    }
  },
})
