import { createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from '../../platform/operation/secrets.ts'
import { ApiError } from '../../platform/words/errors.ts'

const PURPOSE = 'webhook'
const LONGEST = 256

/** The secrets of a hook as they are stored. */
export interface LockedSecrets {
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

export function newSecret(given: string | undefined): string {
  if (given === undefined) return randomBytes(32).toString('hex')
  if (Buffer.byteLength(given) > LONGEST)
    throw new ApiError('parameter_out_of_range', { path: 'secret', rule: 'max_length', allowed: { maximum: LONGEST } })
  return given
}

export function lockSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.lock(PURPOSE, secret)
}

/** `t=<seconds>,v1=<hex>`: over the moment and the body, so that nobody can send it again later. */
export function signBody(secrets: Secrets, stored: LockedSecrets, body: string, now: Date): string {
  const { secret, old_secret, old_secret_until } = stored
  const moment = Math.floor(now.getTime() / 1000)
  const keys = [secret, ...(old_secret && old_secret_until && old_secret_until > now ? [old_secret] : [])]
  const marks = keys.map((key) => {
    return `v1=${createHmac('sha256', secrets.unlock(PURPOSE, key)).update(`${moment}.${body}`).digest('hex')}`
  })
  return [`t=${moment}`, ...marks].join(',')
}
