import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from '../database/db.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import type { Pools } from '../database/pools.ts'
import type { Snapshots } from '../database/snapshots.ts'
import type { Mailer } from '../jobs/mailer.ts'
import type { RightsCheck } from './rights-check.ts'
import type { Secrets } from './secrets.ts'
import type { PlatformSettings } from './settings.ts'

/** The current time, which tests can change. */
export interface Clock {
  now(): Date
}

/** The services of a request, job or command: built once and passed on. Rooms declare their ports here. */
export interface Context {
  /** One of `pools`: that of requests, unless the context was made for another use (`onPool`). */
  readonly db: Db
  readonly pools: Pools
  readonly snapshots: Snapshots
  readonly config: Config
  readonly settings: PlatformSettings
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Logger
  readonly mailer: Mailer
  readonly rateLimits: RateLimits
  readonly rightsCheck: RightsCheck
}

/** The same context on another pool. Caches and limits are shared with the original. */
export function onPool(context: Context, pool: keyof Pools): Context {
  return { ...context, db: context.pools[pool] }
}

/** The default time zone, for dates and callers without one. */
export function platformZone({ config, settings }: Pick<Context, 'config' | 'settings'>): string {
  return config.WAYPOST_TIME_ZONE ?? settings.current.time_zone
}
