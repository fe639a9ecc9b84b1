import { Client, type ClientConfig, type PoolClient } from 'pg'
import { ApiError } from '../messages/errors.ts'

/** Tracks whether the server is a standby. PostgreSQL reports it at connection start and on promotion. */
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
 * For a pool. A former primary may come back as a standby before all clients know; reads from it would miss writes that
 * the new primary has acknowledged.
 */
export function refuseStandby(client: PoolClient, done: (error?: Error) => void): void {
  if (client instanceof PrimaryClient && client.isOnStandby) done(new ApiError('unavailable'))
  else done()
}
