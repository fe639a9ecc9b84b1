import type { ServerMetadata } from 'openid-client'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { Context } from '../../platform/operation/context.ts'
import { diagnoseClient } from './diagnose-client.ts'
import { findCause } from './exchange-code.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { readIdentitySecret } from './identity-secret.ts'
import type { ProviderFinding } from './provider-finding.ts'
import { discoverProvider, fetchKeys } from './provider-metadata.ts'
import { createProviderFetch, ProviderUnreachable } from './provider-requests.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Looks at everything that a sign-in needs and that can be tried without a person. It changes nothing. */
export async function diagnoseProvider(context: Context, provider: IdentityProvider): Promise<ProviderFinding[]> {
  const findings = [...checkSettings(context, provider), await checkSecret(context, provider)]
  const metadata = await checkDiscovery(context, provider, findings)
  if (!metadata) return findings
  findings.push(...checkMetadata(provider, metadata))
  findings.push(await checkKeys(context, provider, metadata))
  findings.push(await checkClock(context, provider))
  if (!findings.some(({ check, state }) => check === 'secret' && state === 'wrong'))
    findings.push(...(await diagnoseClient(context, provider, metadata)))
  return findings
}

function checkSettings({ settings: site }: Context, { settings }: IdentityProvider): ProviderFinding[] {
  const { is_enabled, scopes, match_by, new_accounts, trusts_email, groups_claim, group_mappings } = settings
  const { registration } = site.current
  const warnings = [
    !is_enabled && 'The provider is switched off: people cannot sign in by it.',
    !scopes.includes('email') &&
      'The scope `email` is missing: without an address, accounts are not found at the first sign-in.',
    new_accounts === 'never' &&
      match_by === 'subject' &&
      'Only accounts that were linked before can sign in: new ones are not made, and addresses are not compared.',
    new_accounts === 'by_registration' &&
      registration === 'closed' &&
      'No new accounts are made, because the setting `registration` is `closed`.',
    trusts_email &&
      'Addresses count as verified without a word of the provider: its users must not be able to choose them.',
    groups_claim === null && group_mappings.length > 0 && 'Groups are mapped, but `groups_claim` names no claim.',
  ].filter((each) => each !== false)
  if (warnings.length === 0) return [{ check: 'settings', state: 'ok', detail: 'The settings fit together.' }]
  return warnings.map((detail) => ({ check: 'settings', state: 'warning', detail }))
}

async function checkSecret(context: Context, provider: IdentityProvider): Promise<ProviderFinding> {
  const isPublic = provider.settings.client_authentication === 'none'
  try {
    const secret = await readIdentitySecret(context, 'identity_provider', {
      secret: provider.secret,
      file: provider.settings.client_secret_file,
    })
    if (secret === '') return { check: 'secret', state: 'wrong', detail: 'The file with the secret is empty.' }
    if (secret === undefined && !isPublic)
      return { check: 'secret', state: 'wrong', detail: 'There is no secret of the client.' }
    return {
      check: 'secret',
      state: 'ok',
      detail: isPublic ? 'The client needs no secret.' : 'The secret can be read.',
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { check: 'secret', state: 'wrong', detail: `The secret of the client cannot be read: ${reason}` }
  }
}

async function checkDiscovery(
  context: Context,
  provider: IdentityProvider,
  findings: ProviderFinding[],
): Promise<ServerMetadata | undefined> {
  const { issuer } = provider.settings
  try {
    const metadata = await discoverProvider(context, provider)
    findings.push({ check: 'discovery', state: 'ok', detail: `${issuer} describes itself.` })
    return metadata
  } catch (error) {
    findings.push({ check: 'discovery', state: 'wrong', detail: await explainDiscovery(context, provider, error) })
    return undefined
  }
}

async function explainDiscovery(context: Context, { settings }: IdentityProvider, error: unknown): Promise<string> {
  const unreachable = findCause(error, ProviderUnreachable)
  if (unreachable) return unreachable.message
  const address = `${settings.issuer.replace(/\/$/, '')}${WELL_KNOWN}`
  try {
    const answer = await get(context, settings, address)
    if (answer.status >= 300 && answer.status < 400)
      return `${address} redirects to ${answer.headers.get('location')?.slice(0, 200)}. Redirects are not followed: is the issuer right?`
    if (answer.status !== 200) return `${address} answers ${answer.status}. Is the issuer right, to the last letter?`
    const document: unknown = await answer.json()
    const named = isRecord(document) ? document['issuer'] : undefined
    if (typeof named === 'string' && named !== settings.issuer)
      return `The provider names itself ${named.slice(0, 300)}, not ${settings.issuer}. Make a provider with that issuer.`
  } catch {
    // The first error says more.
  }
  return `${address} is not a description of a provider: ${error instanceof Error ? error.message : String(error)}`
}

function checkMetadata({ settings }: IdentityProvider, metadata: ServerMetadata): ProviderFinding[] {
  const { client_authentication, scopes } = settings
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter((each) => !metadata[each])
  const lacks = (offered: readonly string[] | undefined, wanted: string) =>
    offered !== undefined && !offered.includes(wanted)
  const unknownScopes = scopes.filter((scope) => lacks(metadata.scopes_supported, scope))
  const methods = metadata.token_endpoint_auth_methods_supported
  const problems: ProviderFinding[] = []
  const add = (state: ProviderFinding['state'], detail: string) => problems.push({ check: 'metadata', state, detail })
  for (const each of missing) add('wrong', `The provider names no \`${each}\`.`)
  if (lacks(metadata.response_types_supported, 'code'))
    add('wrong', 'The provider does not offer the flow with a code.')
  if (metadata.code_challenge_methods_supported === undefined)
    add('warning', 'The provider does not say whether it checks PKCE. It is sent all the same.')
  else if (lacks(metadata.code_challenge_methods_supported, 'S256'))
    add('wrong', 'The provider does not offer PKCE with S256.')
  if (lacks(methods, client_authentication))
    add('wrong', `The provider does not take \`${client_authentication}\`, but ${methods?.join(', ')}.`)
  if (unknownScopes.length > 0) add('warning', `The provider does not list these scopes: ${unknownScopes.join(', ')}.`)
  if (problems.length === 0) add('ok', 'The provider offers what a sign-in needs.')
  return problems
}

async function checkKeys(
  context: Context,
  provider: IdentityProvider,
  { jwks_uri }: ServerMetadata,
): Promise<ProviderFinding> {
  if (jwks_uri === undefined) return { check: 'keys', state: 'wrong', detail: 'There are no keys to check signatures.' }
  try {
    const { keys } = await fetchKeys(context, provider, jwks_uri)
    const usable = keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc')
    return usable.length > 0
      ? { check: 'keys', state: 'ok', detail: `${usable.length} keys for signatures.` }
      : { check: 'keys', state: 'wrong', detail: `${jwks_uri} has no public key for signatures.` }
  } catch (error) {
    return { check: 'keys', state: 'wrong', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** The `Date` of an answer. A clock that is off makes every token expired, or not valid yet. */
async function checkClock(context: Context, { settings }: IdentityProvider): Promise<ProviderFinding> {
  const answer = await get(context, settings, `${settings.issuer.replace(/\/$/, '')}${WELL_KNOWN}`).catch(
    () => undefined,
  )
  const theirs = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return { check: 'clock', state: 'warning', detail: 'The provider does not tell its time.' }
  const seconds = Math.round((context.clock.now().getTime() - theirs) / 1000)
  const detail = `The clocks differ by ${Math.abs(seconds)} seconds; ${settings.clock_tolerance_seconds} are tolerated.`
  const isOff = Math.abs(seconds) > Math.max(settings.clock_tolerance_seconds, 2)
  return isOff
    ? {
        check: 'clock',
        state: 'wrong',
        detail: `${detail} Correct the clock that is wrong, or raise \`clock_tolerance_seconds\`.`,
      }
    : { check: 'clock', state: 'ok', detail }
}

function get(context: Context, settings: IdentityProvider['settings'], address: string): Promise<Response> {
  const options = { method: 'GET', headers: { accept: 'application/json' }, body: null, redirect: 'manual' } as const
  return createProviderFetch(context, settings)(address, options)
}
