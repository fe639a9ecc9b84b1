import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { rateLimitHeaders } from '../../platform/http/rate-limit.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Artifact } from '../artifact.ts'

const DAY_MS = 86_400_000

/**
 * Counts one deletion of this person against the limit of the last 24 hours. Concurrent deletions by one person are
 * serialized, so together they never exceed it. Returns the rate limit headers.
 */
export async function spendDeletion(
  tx: Tx,
  limit: number,
  account: AccountId,
  { id, project_id }: Pick<Artifact, 'id' | 'project_id'>,
  now: Date,
): Promise<Record<string, string>> {
  if (limit === 0) throw new ApiError('deletion_disabled').with(toRateLimitHeaders(0, 0))
  await sql`select pg_advisory_xact_lock(hashtextextended(${`artifact deletions ${account}`}, 0))`.execute(tx)
  const { rows } = await sql<{ spent: number; oldest: Date | null }>`
    select count(*) as spent, min(deleted_on) as oldest from (
      select deleted_on from artifact_deletion
      where account_id = ${account} and deleted_on > ${new Date(now.getTime() - DAY_MS)} order by deleted_on desc limit ${limit}
    ) counted`.execute(tx)
  const { spent = 0, oldest = null } = rows[0] ?? {}
  if (spent >= limit) {
    const wait = Math.max(1, Math.ceil(((oldest ?? now).getTime() + DAY_MS - now.getTime()) / 1000))
    const policy = { name: 'artifact-deletions', quota: limit, windowSeconds: DAY_MS / 1000 }
    throw new ApiError('deletion_limit_reached').with({
      ...toRateLimitHeaders(limit, 0),
      ...rateLimitHeaders(policy, wait),
    })
  }
  await tx
    .insertInto('artifact_deletion')
    .values({ project_id, artifact_id: id, account_id: account, deleted_on: now })
    .execute()
  return toRateLimitHeaders(limit, limit - spent - 1)
}

function toRateLimitHeaders(limit: number, remaining: number): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
}
