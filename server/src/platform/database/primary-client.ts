import { Client, type ClientConfig, type PoolClient } from 'pg'
import { ApiError } from '../words/errors.ts'

/** PostgreSQL says by itself whether it is a standby: when a connection begins, and when it is promoted. */
export class PrimaryClient extends Client {
  isOnStandby = false

  constructor(config?: string | ClientConfig) {
    super(config)
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.isOnStandby = parameterValue === 'on'
    })
  }
}

/**
 * For a pool. A primary that has lost its place comes back as a standby before everybody knows: whoever still leads to it
 * would show what was true before writes that another one has acknowledged.
 */
export function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  if (client instanceof PrimaryClient && client.isOnStandby) done(new ApiError('unavailable'))
  else done()
}
