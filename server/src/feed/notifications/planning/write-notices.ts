import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/db.ts'
import { type Cursor, eventsByIdSql } from '../../../platform/database/events.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { enqueueJobs, type NewJob } from '../../../platform/jobs/jobs.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { nextHour, nextTimeOfDay } from '../mailing/digest-times.ts'
import { moveNoticeCursor, type NoticeCursor } from './notice-cursor.ts'
import type { Notice } from './plan-notices.ts'

const HOUR_MS = 3_600_000
/** Mails above this limit go into a digest. */
export const MAX_MAILS_PER_HOUR = 200

interface PlannedBatch {
  readonly epoch: string
  readonly from: NoticeCursor
  readonly to: Cursor
  /** Purged artifacts, whose watches are deleted. */
  readonly gone: readonly number[]
  /** Jobs that workflows start on other servers. */
  readonly runs: readonly NewJob[]
}

/**
 * Stores notices, enqueues mails and jobs, and advances the cursor, in one transaction. The cursor is a
 * compare-and-swap, so that after a crash or with two workers each notice is written exactly once.
 */
export async function writeNotices(
  tx: Tx,
  context: Context,
  { epoch, from, to, gone, runs }: PlannedBatch,
  notices: readonly Notice[],
): Promise<void> {
  if (!(await moveNoticeCursor(tx, from, to))) return
  await deleteWatches(tx, gone)
  await enqueueJobs(tx, runs)
  if (notices.length === 0) return
  const now = context.clock.now()
  await sql`
    insert into notified_event (position, id, xid, type, "on", object, project_id, actor_id, request_id, client_uuid, payload, epoch)
    select candidate.*, ${epoch} from (${eventsByIdSql(notices.map(({ event }) => event.id))}) candidate
    on conflict do nothing`.execute(tx)
  await sql`
    insert into notification (account_id, event_id, why, "on")
    select account_id, event_id, why, ${now}
    from unnest(${recipientIds(notices)}::bigint[], ${notices.map(({ event }) => event.id)}::bigint[],
      ${notices.map(({ why }) => why)}::text[], ${notices.map(({ event }) => event.position)}::bigint[])
      as come (account_id, event_id, why, position)
    order by position, account_id on conflict do nothing`.execute(tx)
  if (context.config.WAYPOST_SMTP_URL !== '')
    await enqueueMails(
      tx,
      context,
      notices.filter(({ isMailed }) => isMailed),
      now,
    )
}

async function deleteWatches(tx: Tx, artifacts: readonly number[]): Promise<void> {
  if (artifacts.length > 0)
    await tx.deleteFrom('watch').where('kind', '=', 'artifact').where('object_id', 'in', artifacts).execute()
}

function recipientIds(notices: readonly Notice[]): AccountId[] {
  return notices.map(({ person }) => person.viewer.account_id)
}

async function enqueueMails(tx: Tx, context: Context, notices: readonly Notice[], now: Date): Promise<void> {
  if (notices.length === 0) return
  const sent = await countMails(tx, recipientIds(notices), now)
  const planned = notices.map((notice) => {
    const account = notice.person.viewer.account_id
    const digest_on = digestTime(context, notice, now)
    if (digest_on) return { notice, digest_on }
    const count = sent.get(account) ?? 0
    sent.set(account, count + 1)
    return { notice, digest_on: count < MAX_MAILS_PER_HOUR ? null : nextHour(now) }
  })
  const digests = await findNewDigests(tx, planned)
  const { rows } = await sql<{ id: number; account_id: AccountId; event_id: number; digest_on: Date | null }>`
    insert into notice_mail (account_id, event_id, why, planned_on, digest_on)
    select account_id, event_id, why, ${now}, digest_on
    from unnest(${recipientIds(planned.map(({ notice }) => notice))}::bigint[],
      ${planned.map(({ notice }) => notice.event.id)}::bigint[], ${planned.map(({ notice }) => notice.why)}::text[],
      ${planned.map(({ digest_on }) => digest_on)}::timestamptz[],
      ${planned.map(({ notice }) => notice.event.position)}::bigint[]) as come (account_id, event_id, why, digest_on, position)
    order by position, account_id on conflict do nothing returning id, account_id, event_id, digest_on`.execute(tx)
  const objects = new Map(notices.map(({ event }) => [event.id, event.object]))
  const single = rows
    .filter(({ digest_on }) => digest_on === null)
    .map(({ id, account_id, event_id }) => ({
      type: 'mail',
      payload: { template: 'notice', account_id, params: { mail_id: id } },
      object: objects.get(event_id) ?? `users/${account_id}`,
    }))
  const together = digests.map(({ account_id, digest_on }) => ({
    type: 'mail',
    payload: { template: 'notice_digest', account_id, params: {} },
    object: `users/${account_id}`,
    run_after: digest_on,
  }))
  await enqueueJobs(tx, [...single, ...together])
}

/** Immediate mails of each account within the last hour. */
async function countMails(tx: Tx, accounts: readonly AccountId[], now: Date): Promise<Map<AccountId, number>> {
  const { rows } = await sql<{ account_id: AccountId; count: number }>`
    select account_id, count(*) from notice_mail
    where account_id = any(${accounts}::bigint[]) and planned_on > ${new Date(now.getTime() - HOUR_MS)}
      and digest_on is null
    group by account_id`.execute(tx)
  return new Map(rows.map(({ account_id, count }) => [account_id, count]))
}

function digestTime({ settings: platform }: Context, { settings, person }: Notice, now: Date): Date | null {
  if (settings.mail === 'hourly') return nextHour(now)
  const zone = person.viewer.time_zone ?? platform.current.time_zone
  return settings.mail === 'daily' ? nextTimeOfDay(now, zone, settings.digest_hour) : null
}

interface Digest {
  readonly account_id: AccountId
  readonly digest_on: Date
}

/** Digests without earlier planned mails: they need a job. */
async function findNewDigests(
  tx: Tx,
  planned: readonly { notice: Notice; digest_on: Date | null }[],
): Promise<readonly Digest[]> {
  const wanted = new Map<string, Digest>()
  for (const { notice, digest_on } of planned) {
    const { account_id } = notice.person.viewer
    if (digest_on) wanted.set(`${account_id} ${digest_on.getTime()}`, { account_id, digest_on })
  }
  if (wanted.size === 0) return []
  const digests = [...wanted.values()]
  const { rows } = await sql<Digest>`
    select given.account_id, given.digest_on
    from unnest(${digests.map(({ account_id }) => account_id)}::bigint[],
      ${digests.map(({ digest_on }) => digest_on)}::timestamptz[]) as given (account_id, digest_on)
    where not exists (select from notice_mail where notice_mail.account_id = given.account_id
      and notice_mail.digest_on = given.digest_on and notice_mail.handed_over_on is null)`.execute(tx)
  return rows
}
