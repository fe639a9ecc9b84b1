import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { createNetworkCheck } from '../../platform/operation/networks.ts'
import { ApiError } from '../../platform/words/errors.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** All addresses of a host, as the machine knows them; it throws where there is none. */
    readonly addressesOf: (name: string) => Promise<readonly string[]>
  }
}

export async function lookUpName(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/** Nothing on the open internet has one of these. */
const INNER_V4 = [
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
/** Of what is global, these lead elsewhere: tunnels that carry an address of IPv4, and examples. */
const INNER_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isInnerV4 = createNetworkCheck(INNER_V4)
const isInnerV6 = createNetworkCheck(INNER_V6)
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6') // Loopback, link-local, unique local, mapped, NAT64 and multicast are not in it.

/** Services that answer to lines of text, which a request can be made to look like. */
const REFUSED_PORTS = new Set([
  1433, 1521, 2049, 2375, 2379, 3306, 3389, 5432, 5672, 5984, 6000, 6379, 9042, 9200, 11211, 27017,
])
const LOWEST_FREE_PORT = 1024

/** Whether an address may be reached: it is on the open internet, or the platform allows its network. */
export function createTargetCheck(allowed: readonly string[]): (address: string) => boolean {
  const isAllowed = createNetworkCheck(allowed)
  return (given) => {
    const address = plain(given)
    if (isIP(address) === 0) return false
    if (isAllowed(address)) return true
    return isIPv4(address) ? !isInnerV4(address) : globalV6.check(address, 'ipv6') && !isInnerV6(address)
  }
}

/** An address of IPv4 in the clothes of IPv6 is looked at as what it is. */
function plain(address: string): string {
  return URL.parse(`http://[${address}]/`) ? fromMapped(new URL(`http://[${address}]/`).hostname.slice(1, -1)) : address
}

function fromMapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

/** The name or address in a URL as one connects to it: `[::1]` without brackets, `example.org.` without the last dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Whether this can be a target at all, wherever its name leads. Odd notations of addresses are plain ones here. */
export function parseTarget(given: string): URL | undefined {
  const url = URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  if (url.username !== '' || url.password !== '' || hostOf(url) === '') return undefined
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  if (port !== 80 && port !== 443 && (port < LOWEST_FREE_PORT || REFUSED_PORTS.has(port))) return undefined
  return url
}

const PATIENCE = 3000
const INNER_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i

/**
 * Says what is wrong with an address that is to be saved; undefined: nothing is, as far as one can know now. A name that
 * cannot be looked up may come to be; it is looked at again with each delivery.
 */
export async function judgeTarget(context: Context, given: string, path = 'url'): Promise<ApiError | undefined> {
  const refused = refusedTarget(path)
  if (!URL.canParse(given)) return new ApiError('parameter_invalid', { path, rule: 'format' })
  const url = parseTarget(given)
  if (!url) return refused
  const host = hostOf(url)
  const mayReach = createTargetCheck(context.settings.current.webhook_private_targets)
  if (isIP(host) !== 0) return mayReach(host) ? undefined : refused
  const addresses = await inTime(context.addressesOf(host))
  if (!addresses) return INNER_NAME.test(host) ? refused : undefined
  return addresses.every(mayReach) ? undefined : refused
}

/** The same without asking for names. */
export function judgeAddress(
  { settings }: Pick<Context, 'settings'>,
  given: string,
  path: string,
): ApiError | undefined {
  const url = parseTarget(given)
  if (!url) return refusedTarget(path)
  const host = hostOf(url)
  const mayReach = createTargetCheck(settings.current.webhook_private_targets)
  const isInner = isIP(host) === 0 ? /(?:^|\.)localhost$/i.test(host) && !mayReach('127.0.0.1') : !mayReach(host)
  return isInner ? refusedTarget(path) : undefined
}

function refusedTarget(path: string): ApiError {
  return new ApiError('parameter_not_allowed', { path, rule: 'one_of', cause: 'target' })
}

/** Undefined: there is no such name, or nobody says so in time. */
async function inTime(looking: Promise<readonly string[]>): Promise<readonly string[] | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), PATIENCE)
  try {
    return await Promise.race([looking.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
