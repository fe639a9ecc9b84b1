import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'

/** A sign-in that the database has confirmed. */
export interface ConfirmedSignIn {
  readonly viewer: Viewer
  readonly kind: RecalledSignIn['kind']
  readonly id: string
  /** `keyStamp` or `sessionStamp`, as the statement of the sign-in has read it. */
  readonly stamp: string
  readonly valid: RecalledSignIn['valid']
  readonly from: Date
  /** From then on something has to be checked or stored: an expiry, the last use. */
  readonly until: Date
  /** The address that the last use is stored with; null: it is not stored. */
  readonly address: string | null
}

/**
 * Sign-ins of the last minute, by the hash of the credential. A recalled sign-in grants nothing by itself: the statement
 * that reads what the caller asks for also reads the present stamp, and `confirmSignIn` compares it.
 */
export interface SignInMemory {
  keep(credential: string, signIn: ConfirmedSignIn): void
  recall(kind: RecalledSignIn['kind'], credential: string, now: Date, address: string): RecalledSignIn | undefined
  /** Forgets the sign-ins of a kind, and returns their last uses, to be stored. */
  takeUses(kind: RecalledSignIn['kind']): CredentialUse[]
}

export interface CredentialUse {
  readonly id: string
  readonly usedOn: Date
}

const MAX_CREDENTIALS = 10_000
/** In one statement. */
const MAX_USES = 1000

export function createSignInMemory(): SignInMemory {
  const known = new LRUCache<string, ConfirmedSignIn>({ max: MAX_CREDENTIALS })
  return {
    keep(credential, signIn) {
      known.set(hashOf(signIn.kind, credential), signIn)
    },
    recall(kind, credential, now, address) {
      const found = known.get(hashOf(kind, credential))
      if (!found || now < found.from || now >= found.until) return undefined
      if (found.address !== null && found.address !== address) return undefined
      const { viewer, id, stamp, valid } = found
      return { viewer, kind, id, stamp, at: now, valid, isConfirmed: false }
    },
    takeUses(kind) {
      const uses: CredentialUse[] = []
      for (const [credential, signIn] of known.entries()) {
        if (signIn.kind !== kind || uses.length === MAX_USES) continue
        known.delete(credential)
        uses.push({ id: signIn.id, usedOn: signIn.valid.usedOn })
      }
      return uses
    },
  }
}

/** With the kind: a cookie must not be accepted as a key, which no page of another site can send. */
function hashOf(kind: RecalledSignIn['kind'], credential: string): string {
  return hash('sha256', `${kind} ${credential}`, 'base64')
}

/** The earliest of these moments. */
export function earliest(first: Date, ...others: readonly (Date | null)[]): Date {
  return others.reduce<Date>((least, each) => (each && each < least ? each : least), first)
}

// `xmin` changes with every write to a row; `docs/decisions/18-validated-cache.md` says why equal texts mean equal rows.
const stampOf = (credential: RawBuilder<unknown>) =>
  sql<string>`concat_ws('.', pg_postmaster_start_time(), ${credential}, account.xmin, ${settingsVersion})`
/** For statements that read `access_key` and `account`. */
export const keyStamp = stampOf(sql`access_key.xmin`)
/** For statements that read `session` and `account`. */
export const sessionStamp = stampOf(sql`session.xmin`)

/** Stands for the id of the credential in a compiled statement. */
export const CREDENTIAL_PLACEHOLDER = 'the credential'
const id = sql`${CREDENTIAL_PLACEHOLDER}`

/** For the select list of a compiled statement: the present stamp of a recalled sign-in; null if its credential is gone. */
export const PRESENT_STAMPS = {
  none: sql`null`,
  access_key: sql`(select ${keyStamp} from access_key join account on account.id = access_key.account_id
    where access_key.id = ${id}::bigint)`,
  session: sql`(select ${sessionStamp} from session join account on account.id = session.account_id
    where session.id = ${id})`,
} as const

/** Throws if the sign-in is no longer valid; the request then signs in by a statement. */
export function confirmSignIn(recalled: RecalledSignIn, presentStamp: string | null, snapshot?: string): void {
  if (presentStamp !== recalled.stamp) throw new Error('The sign-in has changed since it was read.')
  confirm(recalled)
  if (snapshot !== undefined) recalled.valid.snapshot = snapshot
}

/** Confirms it if its stamp was the same in this state of the database. */
export function confirmUnchanged(recalled: RecalledSignIn, snapshot: string): boolean {
  if (recalled.valid.snapshot !== snapshot) return false
  confirm(recalled)
  return true
}

function confirm(recalled: RecalledSignIn): void {
  recalled.isConfirmed = true
  recalled.valid.usedOn = recalled.at
}
