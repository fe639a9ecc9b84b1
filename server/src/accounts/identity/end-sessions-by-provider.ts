import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { clientKey, type RatePolicy } from '../../platform/http/rate-limit.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { findProvider, providerParam } from './identity-provider.ts'
import { invalidLogoutToken, readLogoutToken } from './logout-token.ts'
import { endProviderSessions } from './identity-sessions.ts'

const LOGOUT_NOTICES: RatePolicy = { name: 'logout-notices', quota: 6000, windowSeconds: 60 }

export const endSessionsByProvider = writeRoute({
  method: 'POST',
  path: '/identity_providers/:name/logout',
  operationId: 'endSessionsByProvider',
  summary: 'End the sessions that a provider reports as signed out (back-channel logout).',
  description:
    'Ends the sessions that began with the one at the provider (OpenID Connect Back-Channel Logout): the next request with them is refused, and open streams end within a second. For providers, which sign `logout_token`; anything else is 400. A token counts once.',
  access: 'no_credentials',
  action: 'session.end_by_provider',
  params: { name: providerParam },
  body: Type.Object(
    { logout_token: Type.String({ maxLength: 20_000, description: 'A JWT, sent as a form.' }) },
    { title: 'LogoutNotice' },
  ),
  async prepare({ context, origin, params: { name }, body: { logout_token } }) {
    context.rateLimits.consume(LOGOUT_NOTICES, clientKey({}, origin.address))
    const provider = await findProvider(context.db, name)
    if (!provider) throw new ApiError('not_found')
    return readLogoutToken(context, provider, logout_token)
  },
  async handle({ context, params: { name } }, work, { subject, sid, id, expiresOn }) {
    const digest = sha256(Buffer.from(`logout ${name} ${id}`))
    const used = await work.tx
      .insertInto('used_identity_token')
      .values({ digest, expires_on: expiresOn })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (used.numInsertedOrUpdatedRows !== 1n) throw invalidLogoutToken()
    const sessions = await endProviderSessions(work.tx, { provider: name, subject, sid }, context.clock.now())
    if (sessions.length > 0)
      await work.change({ object: `identity_providers/${name}`, op: 'update', before: { sessions } })
    return {}
  },
})
