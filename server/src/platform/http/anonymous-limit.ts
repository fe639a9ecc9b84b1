import type { FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../messages/errors.ts'
import { clientKey, type RatePolicy } from './rate-limit.ts'
import type { Viewer } from './viewer.ts'

const ANONYMOUS_REQUESTS: RatePolicy = { name: 'anonymous-requests', quota: 600, windowSeconds: 60 }

/**
 * Limits requests without valid credentials by address. A request without credentials is refused before any database
 * access; one with wrong credentials is counted after they were checked, so that it does not delay valid clients of the
 * same address.
 */
export async function limitAnonymous(
  { rateLimits }: Context,
  { ip }: FastifyRequest,
  hasCredentials: boolean,
  authenticate: () => Promise<Viewer>,
): Promise<Viewer> {
  const count = () => rateLimits.consume(ANONYMOUS_REQUESTS, clientKey({}, ip))
  if (!hasCredentials) {
    count()
    return authenticate()
  }
  try {
    const viewer = await authenticate()
    if (viewer.account_id === undefined) count()
    return viewer
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) count()
    throw error
  }
}
