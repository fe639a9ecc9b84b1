import { isIP } from 'node:net'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseTarget, targetHost } from '../../platform/http/ssrf-guard.ts'
import type { Context } from '../../platform/operation/context.ts'
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

/** Each mapped group exists and has members that can be set. */
export async function requireMappedGroups(context: Context, { group_mappings }: ProviderSettings): Promise<void> {
  const groups = [...new Set(group_mappings.map(({ user_group }) => user_group))]
  const unknown = await context.identityGroups.findUnknown(context.db, groups)
  const index = group_mappings.findIndex(({ user_group }) => unknown.includes(user_group))
  if (index >= 0)
    throw new ApiError('reference_unknown', { path: `group_mappings[${index}].user_group`, rule: 'exists' })
}
