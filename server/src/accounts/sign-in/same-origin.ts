import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/words/errors.ts'

/**
 * A cookie travels with requests that other sites make the browser send, so it counts only where the browser says
 * that the request is our own page's. The platform's address is the configured one, never the `Host` header.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, config: Config): void {
  if (!isSameOrigin(headers, config)) throw new ApiError('cross_site_cookie')
}

/** A sign-in that carries none of a browser's headers comes from no browser, and no page can forge it. */
export function requireNotCrossSite(headers: IncomingHttpHeaders, config: Config): void {
  const { origin, referer, 'sec-fetch-site': site } = headers
  if (origin === undefined && referer === undefined && site === undefined) return
  requireSameOrigin(headers, config)
}

/** On pages links lead, so the browser may also navigate, and load images; a link of another site is not our own. */
export function isOwnVisit(headers: IncomingHttpHeaders, config: Config): boolean {
  const { origin, referer, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return (origin === undefined && referer === undefined) || isSameOrigin(headers, config)
}

function isSameOrigin(headers: IncomingHttpHeaders, { WAYPOST_PUBLIC_URL }: Config): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer } = headers
  if (site !== undefined) return site === 'same-origin' && (mode === 'cors' || mode === 'same-origin')
  const from = origin ?? referer
  return from !== undefined && URL.canParse(from) && new URL(from).origin === WAYPOST_PUBLIC_URL.origin
}
