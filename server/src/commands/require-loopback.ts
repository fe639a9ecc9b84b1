import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** `WAYPOST_HOST` is a host; the other two are `host:port`. */
const ADDRESSES = ['WAYPOST_HOST', 'WAYPOST_SVN_LISTEN', 'WAYPOST_SVN_SIGN_IN']

/** `npm run dev` prints the passwords of demo accounts, so other machines may reach it only by an explicit option. */
export function requireLoopback(environment: NodeJS.ProcessEnv): void {
  for (const name of ADDRESSES) {
    const address = environment[name]
    if (address === undefined || isLoopback(name === 'WAYPOST_HOST' ? address : address.replace(/:\d+$/, ''))) continue
    throw new Error(
      `${name}=${address} lets other machines reach the demo accounts. Unset it, or add --expose to allow that.`,
    )
  }
}

/** A name other than localhost may resolve to any address; a path is a Unix socket. */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.includes('/')) return true
  const family = isIP(host)
  return family !== 0 && LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
