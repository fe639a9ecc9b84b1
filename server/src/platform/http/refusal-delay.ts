import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../messages/errors.ts'
import { clientKey, type RateLimits, type RatePolicy } from './rate-limit.ts'

const UNDELAYED_REFUSALS: RatePolicy = { name: 'refusals', quota: 20, windowSeconds: 10 }
const DELAY_MS = 800
const MAX_DELAYED = 1000

/** Delays the responses to clients that are refused again and again: a client that waits sends less. */
export interface RefusalDelay {
  /** Undefined: no delay. */
  delay(request: FastifyRequest, error: ApiError): Promise<void> | undefined
}

export function createRefusalDelay(rateLimits: RateLimits, delayMs = DELAY_MS): RefusalDelay {
  let delayed = 0
  return {
    delay(request, { status }) {
      // A body that was too long: the connection is about to end, and has no address any more.
      if (request.raw.destroyed) return undefined
      const { exchange, ip } = request
      const { account_id } = exchange?.viewer ?? {}
      // Programs with an account may test by 404 or 412 what exists.
      const isCounted = account_id === undefined ? status >= 400 && status < 500 : status === 429
      if (!isCounted || delayed >= MAX_DELAYED || hasQuota(rateLimits, clientKey({ account_id }, ip))) return undefined
      delayed++
      return pause(delayMs, undefined, { ref: false }).finally(() => {
        delayed--
      })
    },
  }
}

function hasQuota(rateLimits: RateLimits, client: string): boolean {
  try {
    rateLimits.consume(UNDELAYED_REFUSALS, client)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
