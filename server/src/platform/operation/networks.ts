import { BlockList, isIP } from 'node:net'

/** Whether this is an address, or a network like `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** Whether an address lies in one of these networks. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (!network) throw new Error(`${text} is neither an address nor a network like 10.0.0.0/8.`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => {
    const family = isIP(address)
    // An IPv4 address that came over an IPv6 socket is looked up as the IPv4 address that it is.
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
