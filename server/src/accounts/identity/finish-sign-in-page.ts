import type { IncomingHttpHeaders } from 'node:http'
import { recordAudit } from '../../platform/database/audit.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { WebPage, WebPageRequest, WebPageResponse } from '../../platform/http/web-page.ts'
import { exchangeCode } from './exchange-code.ts'
import { findProvider, type IdentityProvider } from './identity-provider.ts'
import { SignInRefused } from './identity-refusal.ts'
import { clearedStateCookie, readSignInState, type SignInState, useSignInState } from './sign-in-state.ts'
import { signInIdentity } from './sign-in-identity.ts'
import { refusedAddress } from './start-sign-in-page.ts'

/**
 * Where the provider sends the browser back. Nothing counts without the cookie of the browser that left for this
 * provider, and each state counts once.
 */
export const finishSignInPage: WebPage = {
  path: '/sign-in/oidc/:provider/callback',
  staysOpen: true,
  ignoresCredentials: true,
  async open(visit) {
    const { context, params, query, headers } = visit
    const name = params['provider'] ?? ''
    const cleared = { 'set-cookie': clearedStateCookie(context) }
    const state = readSignInState(context, headers)
    if (state?.provider !== name || state.state !== query.get('state'))
      return { seeOther: refusedAddress('expired', name), headers: cleared }
    try {
      return await finish(visit, name, state, headers)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      await recordRefusal(visit, name, error)
      return { seeOther: refusedAddress(error.code, name), headers: cleared }
    }
  },
}

async function finish(
  { context, query, origin }: WebPageRequest,
  name: string,
  state: SignInState,
  headers: IncomingHttpHeaders,
): Promise<WebPageResponse> {
  if (!(await useSignInState(context.db, state))) throw new SignInRefused('expired', 'The state was used before.')
  const provider = await requireEnabled(context.db, name)
  const proven = await exchangeCode(context, provider, state, query)
  const outcome = await inTransaction(context.db, (tx) =>
    signInIdentity(tx, context, provider, proven, { ...origin, viewer: ANONYMOUS_VIEWER }, headers),
  )
  // Committed: the account that waits for approval stays.
  if ('refused' in outcome) throw new SignInRefused(outcome.refused)
  return { seeOther: state.return_to, headers: { 'set-cookie': [...outcome.cookies, clearedStateCookie(context)] } }
}

async function requireEnabled(db: WebPageRequest['context']['db'], name: string): Promise<IdentityProvider> {
  const provider = await findProvider(db, name)
  if (!provider?.settings.is_enabled) throw new SignInRefused('provider_unknown')
  return provider
}

async function recordRefusal(
  { context, origin }: WebPageRequest,
  provider: string,
  refused: SignInRefused,
): Promise<void> {
  context.log.info(
    { provider, code: refused.code, details: refused.message, ...origin },
    'a sign-in by a provider is refused',
  )
  await recordAudit(
    context.db,
    { ...origin, viewer: ANONYMOUS_VIEWER },
    { action: 'sign_in', object: `identity_providers/${provider}`, outcome: 'refused', reason: refused.code },
  )
}
