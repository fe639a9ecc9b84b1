import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../operation/config.ts'
import { ApiError } from '../messages/errors.ts'

/** Whether a request came to the host that serves only files. Proxies must pass `Host` on. */
export function isFilesHostRequest(
  { headers: { host = '' } }: Pick<FastifyRequest, 'headers'>,
  config: Config,
): boolean {
  return config.WAYPOST_FILES_URL?.host === host.toLowerCase()
}

/** The files host serves nothing else and ignores cookies: a file that runs in a browser has no session. */
export function restrictFilesHost(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  if (!isFilesHostRequest(request, config)) return
  // Our own pages embed images from here; redirects back to the main host are subject to the same check.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  delete request.headers.cookie
  if (!/^\/files\//i.test(request.exchange.path)) throw new ApiError('route_not_found')
}

/** A shared host would serve nothing but files. */
export function requireSeparateFilesHost({ WAYPOST_FILES_URL, WAYPOST_PUBLIC_URL }: Config): void {
  if (WAYPOST_FILES_URL?.host === WAYPOST_PUBLIC_URL.host)
    throw new Error('WAYPOST_FILES_URL must be on another host than WAYPOST_PUBLIC_URL.')
}
