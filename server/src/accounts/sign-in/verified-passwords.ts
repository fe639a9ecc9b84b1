import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AccountId } from '../../platform/http/viewer.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly verifiedPasswords: VerifiedPasswords
  }
}

interface VerifiedAccount {
  readonly account_id: AccountId
  /** The state that the check has read: another stamp needs another check. */
  readonly password_stamp: string
  /** Null: the password is kept here. */
  readonly directory: string | null
}

/** The last verified password of each account, as a keyed digest. */
export interface VerifiedPasswords {
  /**
   * At an account of a directory, a wrong password also forgets the right one: it would answer guesses that the throttle
   * has stopped.
   */
  isVerified(account: VerifiedAccount, password: string, now: Date): boolean
  remember(account: VerifiedAccount, password: string, now: Date): void
}

const MAX_ACCOUNTS = 1000
/** A directory does not say when a password changes there. */
const DIRECTORY_TTL_MS = 60_000
const PEPPER = randomBytes(32)

export function createVerifiedPasswords(): VerifiedPasswords {
  const known = new LRUCache<number, { stamp: string; digest: Buffer; from: number; until: number }>({
    max: MAX_ACCOUNTS,
  })
  return {
    isVerified({ account_id, password_stamp, directory }, password, now) {
      const found = known.get(account_id)
      if (!found) return false
      const isCurrent = found.stamp === password_stamp && now.getTime() >= found.from && now.getTime() < found.until
      if (isCurrent && timingSafeEqual(found.digest, digestOf(password))) return true
      if (directory !== null) known.delete(account_id)
      return false
    },
    remember({ account_id, password_stamp, directory }, password, now) {
      const from = now.getTime()
      const until = directory === null ? Number.POSITIVE_INFINITY : from + DIRECTORY_TTL_MS
      known.set(account_id, { stamp: password_stamp, digest: digestOf(password), from, until })
    },
  }
}

function digestOf(password: string): Buffer {
  return createHmac('sha256', PEPPER).update(password).digest()
}
