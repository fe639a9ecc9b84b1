import { createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from '../../platform/operation/secrets.ts'
import { ApiError } from '../../platform/messages/errors.ts'

const PURPOSE = 'webhook'
const MAX_SECRET_BYTES = 256
const STANDARD_PREFIX = 'whsec_'
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** The encrypted secrets of a hook as stored. */
export interface LockedSecrets {
  readonly secret: Buffer
  readonly old_secret: Buffer | null
  readonly old_secret_until: Date | null
}

/** A random secret has the form that Standard Webhooks libraries take. */
export function newSecret(given: string | undefined): string {
  if (given === undefined) return `${STANDARD_PREFIX}${randomBytes(32).toString('base64')}`
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

/** The signatures of one request; both sign the time, to prevent replay. */
export interface Signatures {
  /** `X-Waypost-Signature`: `t=<seconds>,v1=<hex>`. */
  readonly own: string
  /** The headers of Standard Webhooks (standardwebhooks.com). */
  readonly standard: StandardHeaders
}

interface StandardHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** `message` is the same on every attempt, and contains no dot, which separates the signed parts. */
export function signBody(
  secrets: Secrets,
  stored: LockedSecrets,
  { message, body }: { readonly message: string; readonly body: string },
  now: Date,
): Signatures {
  const { secret, old_secret, old_secret_until } = stored
  const moment = String(Math.floor(now.getTime() / 1000))
  const keys = [secret, ...(old_secret && old_secret_until && old_secret_until > now ? [old_secret] : [])].map((key) =>
    secrets.decrypt(PURPOSE, key),
  )
  const marks = keys.map((key) => `v1=${createHmac('sha256', key).update(`${moment}.${body}`).digest('hex')}`)
  const standardMarks = keys.map(
    (key) => `v1,${createHmac('sha256', standardKey(key)).update(`${message}.${moment}.${body}`).digest('base64')}`,
  )
  return {
    own: [`t=${moment}`, ...marks].join(','),
    standard: {
      'webhook-id': message,
      'webhook-timestamp': moment,
      'webhook-signature': standardMarks.join(' '),
    },
  }
}

/** Signatures are not stored in the log of deliveries. */
export function maskSignature(header: string): string {
  return header.replaceAll(/v1([=,])[\w+/=]+/g, 'v1$1…')
}

/** `whsec_<base64>` encodes the bytes of the key; any other secret is the key itself. */
function standardKey(secret: string): Buffer {
  const [, encoded] = STANDARD_SECRET.exec(secret) ?? []
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64')
}
