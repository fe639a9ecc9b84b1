import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from '../database/db.ts'
import type { Mailer } from '../jobs/mail.ts'
import type { Secrets } from './secrets.ts'
import type { PlatformSettings } from './settings.ts'

/** The time, so that tests can turn it. */
export interface Clock {
  now(): Date
}

/** What a request, a job or a command may use: built once, passed on. Rooms declare their ports here. */
export interface Context {
  readonly db: Db
  readonly config: Config
  readonly settings: PlatformSettings
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Logger
  readonly mailer: Mailer
}

/** The zone of dates that name none, for callers who chose none either. */
export function platformZone({ config, settings }: Pick<Context, 'config' | 'settings'>): string {
  return config.WAYPOST_TIME_ZONE ?? settings.current.time_zone
}
