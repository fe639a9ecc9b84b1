import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'

/** The bytes of an account's unattached files; announced files count with their full size. */
export async function getUploadUsage(db: Db | Tx, now: Date, account: AccountId): Promise<number> {
  const { rows } = await sql<{ usage: number }>`
    select coalesce(sum(size), 0)::bigint as usage from file
    where uploader_id = ${account} and not is_attached and expires_on > ${now}`.execute(db)
  return rows[0]?.usage ?? 0
}

/** Reserves quota until the transaction ends. Returns the usage including the new bytes. */
export async function reserveQuota(
  tx: Tx,
  context: Pick<Context, 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<number> {
  // Serializes reservations of an account, so that concurrent ones cannot use the same remaining quota.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`upload quota ${account}`}, 0))`.execute(tx)
  return assertFits(tx, context, account, bytes)
}

/** An early check before bytes are stored; reserves nothing. */
export async function assertQuota(
  context: Pick<Context, 'db' | 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<void> {
  await assertFits(context.db, context, account, bytes)
}

async function assertFits(
  db: Db | Tx,
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<number> {
  const usage = (await getUploadUsage(db, clock.now(), account)) + bytes
  const { upload_quota: maximum } = settings.current
  if (bytes > 0 && usage > maximum)
    throw new ApiError('rule_violated', { cause: 'quota_exceeded', allowed: { maximum } })
  return usage
}
