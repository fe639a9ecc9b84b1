import { isIP } from 'node:net'
import { createTargetCheck } from '../../platform/http/ssrf-guard.ts'
import type { Context } from '../../platform/operation/context.ts'
import { createNetworkCheck } from '../../platform/operation/networks.ts'

/** Addresses that no provider has: link-local with the metadata of cloud machines, unspecified, multicast. */
const isNeverProvider = createNetworkCheck([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
])

/** The addresses of a host; `unknown`: its name does not resolve; `private`: this platform may not call it. */
export async function findReachableAddresses(
  context: Context,
  host: string,
  isInternal: boolean,
): Promise<readonly string[] | 'unknown' | 'private'> {
  const addresses = isIP(host) === 0 ? await context.addressesOf(host).catch(() => 'unknown' as const) : [host]
  if (addresses === 'unknown') return addresses
  const isPublic = createTargetCheck(context.settings.current.webhook_private_targets)
  const mayReach = (address: string) => isPublic(address) || (isInternal && !isNeverProvider(address))
  return addresses.length > 0 && addresses.every(mayReach) ? addresses : 'private'
}
