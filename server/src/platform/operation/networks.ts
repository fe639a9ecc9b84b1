import { BlockList, isIP, isIPv6 } from 'node:net'

/** Whether this is an address or a network like `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** Returns the check whether an address is in one of these networks. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (!network) throw new Error(`${text} is neither an address nor a network like 10.0.0.0/8.`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => {
    const family = isIP(address)
    // `BlockList` checks IPv4-mapped IPv6 addresses as IPv4.
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

interface Network {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || address.includes('%')) return undefined
  const longest = family === 4 ? 32 : 128
  const prefix = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= longest ? { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' } : undefined
}

/** The network for rate limits: the /64 of an IPv6 client; an IPv4 address as it is, also if IPv4-mapped. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const groups = expandIPv6(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff) {
    const [high = 0, low = 0] = groups.slice(6)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight groups of a valid IPv6 address. */
function expandIPv6(address: string): number[] {
  const [text = ''] = address.split('%')
  const [before = '', after] = text.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').flatMap(parseGroup))
  const [head, tail] = [parse(before), parse(after ?? '')]
  return after === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** One group, or the two groups of an embedded IPv4 address. */
function parseGroup(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)]
  const [first = 0, second = 0, third = 0, fourth = 0] = text.split('.').map(Number)
  return [first * 256 + second, third * 256 + fourth]
}
