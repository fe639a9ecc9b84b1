import { createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from '../../platform/operation/secrets.ts'
import { ApiError } from '../../platform/messages/errors.ts'

const PURPOSE = 'webhook'
const MAX_SECRET_BYTES = 256

/** The encrypted secrets of a hook as stored. */
export interface LockedSecrets {
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

export function newSecret(given: string | undefined): string {
  if (given === undefined) return randomBytes(32).toString('hex')
  if (Buffer.byteLength(given) > MAX_SECRET_BYTES)
    throw new ApiError('parameter_out_of_range', {
      path: 'secret',
      rule: 'max_length',
      allowed: { maximum: MAX_SECRET_BYTES },
    })
  return given
}

export function lockSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.encrypt(PURPOSE, secret)
}

/** Undefined: the first key decrypts it already. */
export function relockSecret(secrets: Secrets, locked: Buffer): Buffer | undefined {
  return secrets.reencrypt(PURPOSE, locked)
}

/** `t=<seconds>,v1=<hex>`: signs time and body, to prevent replay. */
export function signBody(secrets: Secrets, stored: LockedSecrets, body: string, now: Date): string {
  const { secret, old_secret, old_secret_until } = stored
  const moment = Math.floor(now.getTime() / 1000)
  const keys = [secret, ...(old_secret && old_secret_until && old_secret_until > now ? [old_secret] : [])]
  const marks = keys.map((key) => {
    return `v1=${createHmac('sha256', secrets.decrypt(PURPOSE, key)).update(`${moment}.${body}`).digest('hex')}`
  })
  return [`t=${moment}`, ...marks].join(',')
}
