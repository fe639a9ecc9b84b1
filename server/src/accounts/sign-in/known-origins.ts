import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { Context } from '../../platform/operation/context.ts'
import { clientNetwork } from '../../platform/operation/networks.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { makeCookie, readCookie } from './cookies.ts'

const DAY_MS = 86_400_000
/** Browsers limit cookies to this. */
const DEVICE_LIFE_MS = 400 * DAY_MS
const NETWORK_LIFE_MS = 90 * DAY_MS
const NETWORK_RESOLUTION_MS = DAY_MS
const MAX_ORIGINS_PER_ACCOUNT = 50
const COOKIE = 'waypost-device'

/** The device cookie of a request, if it is well formed. */
export function readDeviceCookie(headers: IncomingHttpHeaders, config: Config): string | undefined {
  const value = readCookie(headers, config, COOKIE)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

export function deviceDigest(device: string): Buffer {
  return sha256(Buffer.from(device, 'base64url'))
}

export function networkDigest({ secrets }: Context, address: string): Buffer {
  return secrets.keyedHash('network', clientNetwork(address))
}

/** Whether the account has signed in from this device before. */
export async function isKnownDevice(db: Db | Tx, account: AccountId, device: string): Promise<boolean> {
  const { rows } = await sql`select from known_origin where account_id = ${account} and kind = 'device'
    and digest = ${deviceDigest(device)}`.execute(db)
  return rows.length > 0
}

/** SQL expression: when the account last signed in from this network. */
export function knownNetworkSince(account: AccountId | undefined, digest: Buffer): RawBuilder<Date | null> {
  return sql`(select known_origin.last_used_on from known_origin where known_origin.account_id = ${account ?? null}
    and known_origin.kind = 'network' and known_origin.digest = ${digest})`
}

/** Written at most once a day: Basic signs in with every request. */
export async function rememberNetwork(
  context: Context,
  account: AccountId,
  digest: Buffer,
  since: Date | null,
): Promise<void> {
  const now = context.clock.now()
  if (since && now.getTime() - since.getTime() < NETWORK_RESOLUTION_MS) return
  await remember(context.db, account, 'network', digest, now)
}

/**
 * Remembers the device after a sign-in and returns its cookie. A value issued by this server is kept, so that several
 * accounts can share a browser; any other value is replaced.
 */
export async function rememberDevice(
  tx: Tx,
  { config, clock }: Context,
  account: AccountId,
  headers: IncomingHttpHeaders,
): Promise<string> {
  const given = readDeviceCookie(headers, config)
  const device = given !== undefined && (await wasIssued(tx, given)) ? given : randomBytes(32).toString('base64url')
  await remember(tx, account, 'device', deviceDigest(device), clock.now())
  return makeCookie(config, COOKIE, device, { seconds: DEVICE_LIFE_MS / 1000, sameSite: 'Strict' })
}

/**
 * Forgets known origins of an account, except the device `asking`: they may belong to a person who knew the old
 * password.
 */
export async function forgetOrigins(tx: Tx, account: AccountId, asking?: string): Promise<void> {
  const kept = asking === undefined ? sql`false` : sql`(kind = 'device' and digest = ${deviceDigest(asking)})`
  await sql`delete from known_origin where account_id = ${account} and not ${kept}`.execute(tx)
}

export async function removeOldOrigins(tx: Tx, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await sql`delete from known_origin where last_used_on < ${before(DEVICE_LIFE_MS)}
    or (kind = 'network' and last_used_on < ${before(NETWORK_LIFE_MS)})`.execute(tx)
}

async function wasIssued(tx: Tx, device: string): Promise<boolean> {
  const { rows } = await sql`select from known_origin where kind = 'device' and digest = ${deviceDigest(device)}
    limit 1`.execute(tx)
  return rows.length > 0
}

async function remember(
  db: Db | Tx,
  account: AccountId,
  kind: 'device' | 'network',
  digest: Buffer,
  now: Date,
): Promise<void> {
  await sql`insert into known_origin (account_id, kind, digest, last_used_on) values (${account}, ${kind}, ${digest}, ${now})
    on conflict (account_id, kind, digest) do update set last_used_on = excluded.last_used_on`.execute(db)
  await sql`delete from known_origin where account_id = ${account} and kind = ${kind} and digest in (
    select each.digest from known_origin each where each.account_id = ${account} and each.kind = ${kind}
    order by each.last_used_on desc, each.digest offset ${MAX_ORIGINS_PER_ACCOUNT})`.execute(db)
}
