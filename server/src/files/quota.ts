import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'

/** How many bytes somebody holds in files that nothing has yet; what was announced counts as if it had come. */
export async function usageOf(db: Db | Tx, now: Date, account: AccountId): Promise<number> {
  const { rows } = await sql<{ usage: number }>`
    select coalesce(sum(size), 0)::bigint as usage from file
    where uploader_id = ${account} and not is_attached and expires_on > ${now}`.execute(db)
  return rows[0]?.usage ?? 0
}

/** Makes sure that there is room for so many more, until the transaction ends. Returns what he holds with them. */
export async function reserve(
  tx: Tx,
  context: Pick<Context, 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<number> {
  // One after the other: two who look at the same moment would both find the same room.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`upload quota ${account}`}, 0))`.execute(tx)
  return fit(tx, context, account, bytes)
}

/** A look before bytes are stored that would be refused anyway; it promises nothing. */
export async function requireRoom(
  context: Pick<Context, 'db' | 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<void> {
  await fit(context.db, context, account, bytes)
}

async function fit(
  db: Db | Tx,
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  account: AccountId,
  bytes: number,
): Promise<number> {
  const usage = (await usageOf(db, clock.now(), account)) + bytes
  const { upload_quota: maximum } = settings.current
  if (bytes > 0 && usage > maximum)
    throw new ApiError('rule_violated', { cause: 'quota_exceeded', allowed: { maximum } })
  return usage
}
