import type { FastifyRequest } from 'fastify'
import type { Config } from '../operation/config.ts'
import { ApiError } from '../words/errors.ts'

/** Whether a request came to the address that serves nothing but files. Proxies pass `Host` on. */
export function isApart({ headers: { host = '' } }: Pick<FastifyRequest, 'headers'>, config: Config): boolean {
  return config.WAYPOST_FILES_URL?.host === host.toLowerCase()
}

/** There, nothing else is served and no cookie counts: whatever a file does in a browser, it finds nobody signed in. */
export function keepApart(request: FastifyRequest, config: Config): void {
  if (!isApart(request, config)) return
  delete request.headers.cookie
  if (!/^\/files\//i.test(request.exchange.path)) throw new ApiError('route_not_found')
}

/** One host for both would serve nothing but files. */
export function requireTwoHosts({ WAYPOST_FILES_URL, WAYPOST_PUBLIC_URL }: Config): void {
  if (WAYPOST_FILES_URL?.host === WAYPOST_PUBLIC_URL.host)
    throw new Error('WAYPOST_FILES_URL must be on another host than WAYPOST_PUBLIC_URL.')
}
