import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../platform/operation/config.ts'

interface CookieOptions {
  /** Lifetime in the browser; 0 removes the cookie. */
  readonly seconds: number
  readonly sameSite: 'Lax' | 'Strict'
}

export function makeCookie(config: Config, name: string, value: string, { seconds, sameSite }: CookieOptions): string {
  const secure = isSecure(config) ? '; Secure' : ''
  return `${fullName(config, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}`
}

export function readCookie({ cookie = '' }: IncomingHttpHeaders, config: Config, name: string): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([given]) => given === fullName(config, name))?.[1]
}

/** Over HTTPS with the `__Host-` prefix, which browsers accept from this exact host only. */
function fullName(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name
}

function isSecure({ WAYPOST_PUBLIC_URL }: Config): boolean {
  return WAYPOST_PUBLIC_URL.protocol === 'https:'
}
