import { isIP } from 'node:net'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseTarget, targetHost } from '../../platform/http/ssrf-guard.ts'
import { createNetworkCheck } from '../../platform/operation/networks.ts'
import type { ProviderSettings } from './provider-settings.ts'

const isLoopback = createNetworkCheck(['127.0.0.0/8', '::1/128'])

/** Whether a host is this machine, by its literal address or name. */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : isLoopback(host)
}

/** Refuses settings that cannot work or are not safe. Reachability is tested by `testProvider`, not here. */
export function requireProviderRules(settings: ProviderSettings, hasSecret: boolean): void {
  requireIssuer(settings)
  if (!settings.scopes.includes('openid'))
    throw new ApiError('parameter_not_allowed', { path: 'scopes', rule: 'one_of', allowed: ['openid'] })
  if (hasSecret && settings.client_secret_file) throw new ApiError('parameter_conflict', { path: 'client_secret_file' })
  const needsSecret = settings.client_authentication !== 'none'
  if (needsSecret && !hasSecret && !settings.client_secret_file)
    throw new ApiError('parameter_required', { path: 'client_secret', rule: 'required' })
}

function requireIssuer({ issuer, is_internal }: ProviderSettings): void {
  const path = 'issuer'
  const url = parseTarget(issuer)
  if (!url || url.search !== '' || url.hash !== '') throw new ApiError('parameter_invalid', { path, rule: 'format' })
  if (url.protocol !== 'https:' && !(is_internal && isLoopbackHost(targetHost(url))))
    throw new ApiError('parameter_not_allowed', { path, rule: 'one_of', allowed: ['https'] })
}
