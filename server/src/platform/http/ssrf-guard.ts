import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import type { Context } from '../operation/context.ts'
import { createNetworkCheck } from '../operation/networks.ts'
import { ApiError } from '../messages/errors.ts'

declare module '../operation/context.ts' {
  interface Context {
    /** All addresses of a host, as the system resolves them; throws if there is none. */
    readonly addressesOf: (name: string) => Promise<readonly string[]>
  }
}

export async function resolveHost(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/** IPv4 networks that are not on the public internet. */
const PRIVATE_V4_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Global IPv6 networks that lead elsewhere: tunnels that embed an IPv4 address, and documentation ranges. */
const PRIVATE_V6_NETWORKS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isPrivateV4 = createNetworkCheck(PRIVATE_V4_NETWORKS)
const isPrivateV6 = createNetworkCheck(PRIVATE_V6_NETWORKS)
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6') // Excludes loopback, link-local, unique local, mapped, NAT64 and multicast addresses.

/** Ports of text protocols that an HTTP request can be made to resemble. */
const REFUSED_PORTS = new Set([
  1433, 1521, 2049, 2375, 2379, 3306, 3389, 5432, 5672, 5984, 6000, 6379, 9042, 9200, 11211, 27017,
])
const MIN_UNPRIVILEGED_PORT = 1024

/** Returns the check whether an address may be reached: it is public, or the platform allows its network. */
export function createTargetCheck(allowed: readonly string[]): (address: string) => boolean {
  const isAllowed = createNetworkCheck(allowed)
  return (given) => {
    const address = normalizeAddress(given)
    if (isIP(address) === 0) return false
    if (isAllowed(address)) return true
    return isIPv4(address) ? !isPrivateV4(address) : globalV6.check(address, 'ipv6') && !isPrivateV6(address)
  }
}

/** IPv4-mapped IPv6 addresses are checked as IPv4. */
function normalizeAddress(address: string): string {
  return URL.parse(`http://[${address}]/`) ? fromMapped(new URL(`http://[${address}]/`).hostname.slice(1, -1)) : address
}

function fromMapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

/** The host of a URL as used for connecting: `[::1]` without brackets, `example.org.` without the last dot. */
export function targetHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Checks everything but DNS: protocol, credentials and port. URL parsing normalizes odd notations of addresses. */
export function parseTarget(given: string): URL | undefined {
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || targetHost(url) === '') return undefined
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  if (port !== 80 && port !== 443 && isRefusedPort(port)) return undefined
  return url
}

/** Ports that nothing which an administrator names may be called at, except the usual ones of its protocol. */
export function isRefusedPort(port: number): boolean {
  return port < MIN_UNPRIVILEGED_PORT || REFUSED_PORTS.has(port)
}

const DNS_TIMEOUT_MS = 3000
const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i

/**
 * The error for an address that is to be saved; undefined: valid as far as is known. A name that does not resolve is
 * accepted, because each delivery checks it again.
 */
export async function checkTarget(context: Context, given: string, path = 'url'): Promise<ApiError | undefined> {
  const refused = refusedTarget(path)
  if (!URL.canParse(given)) return new ApiError('parameter_invalid', { path, rule: 'format' })
  const url = parseTarget(given)
  if (!url) return refused
  const host = targetHost(url)
  const mayReach = createTargetCheck(context.settings.current.webhook_private_targets)
  if (isIP(host) !== 0) return mayReach(host) ? undefined : refused
  const addresses = await withDnsTimeout(context.addressesOf(host))
  if (!addresses) return PRIVATE_NAME.test(host) ? refused : undefined
  return addresses.every(mayReach) ? undefined : refused
}

/** The same without DNS lookups. */
export function checkTargetWithoutDns(
  { settings }: Pick<Context, 'settings'>,
  given: string,
  path: string,
): ApiError | undefined {
  const url = parseTarget(given)
  if (!url) return refusedTarget(path)
  const host = targetHost(url)
  const mayReach = createTargetCheck(settings.current.webhook_private_targets)
  const isInner = isIP(host) === 0 ? /(?:^|\.)localhost$/i.test(host) && !mayReach('127.0.0.1') : !mayReach(host)
  return isInner ? refusedTarget(path) : undefined
}

function refusedTarget(path: string): ApiError {
  return new ApiError('parameter_not_allowed', { path, rule: 'one_of', cause: 'target' })
}

/** Undefined: the name does not resolve, or not in time. */
async function withDnsTimeout(looking: Promise<readonly string[]>): Promise<readonly string[] | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), DNS_TIMEOUT_MS)
  try {
    return await Promise.race([looking.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Connects to addresses that were checked, without a second DNS lookup (DNS rebinding). */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }
}
