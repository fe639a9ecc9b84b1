import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/messages/errors.ts'

/**
 * CSRF guard: a cookie counts only if the browser states that the request comes from our own page. The origin is the
 * configured one, never the `Host` header.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, config: Config): void {
  if (!isSameOrigin(headers, config)) throw new ApiError('cross_site_cookie')
}

/** A sign-in without any browser header does not come from a browser, and no page can forge that. */
export function requireNotCrossSite(headers: IncomingHttpHeaders, config: Config): void {
  const { origin, referer, 'sec-fetch-site': site } = headers
  if (origin === undefined && referer === undefined && site === undefined) return
  requireSameOrigin(headers, config)
}

/** For pages the browser may also navigate and load images, but not from another site. */
export function isOwnVisit(headers: IncomingHttpHeaders, config: Config): boolean {
  const { origin, referer, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return (origin === undefined && referer === undefined) || isSameOrigin(headers, config)
}

/** Whether a script of our own page has sent it. */
export function isSameOrigin(headers: IncomingHttpHeaders, { WAYPOST_PUBLIC_URL }: Config): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer } = headers
  if (site !== undefined) return site === 'same-origin' && (mode === 'cors' || mode === 'same-origin')
  const from = origin ?? referer
  return from !== undefined && URL.canParse(from) && new URL(from).origin === WAYPOST_PUBLIC_URL.origin
}
