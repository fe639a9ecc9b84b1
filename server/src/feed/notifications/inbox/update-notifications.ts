import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { writeRoute } from '../../../platform/http/route.ts'
import { apiDate, hasZone, INSTANT_FORM, parseInstant } from '../../../platform/wire/dates.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { visibleEntriesCte } from './find-entries.ts'
import { MAX_THREAD_ENTRIES } from './find-threads.ts'

const DAY_MS = 86_400_000
const MAX_SNOOZE_DAYS = 365

export const updateNotifications = writeRoute({
  method: 'PATCH',
  path: '/notifications',
  operationId: 'updateNotifications',
  summary: 'Mark several entries of your inbox as read, or as unread, or snooze them.',
  description:
    'Marks the entries of a thread, or any others, and tells which of them have changed. Snoozed entries are unread and hidden from threads until their time has come. Every signed-in account, for itself. Entries of others are not touched. A time in the past or more than a year away is refused.',
  access: 'signed_in',
  action: null,
  body: Type.Object({
    ids: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: MAX_THREAD_ENTRIES, description: 'The entries.' }),
    is_read: Type.Optional(Type.Boolean()),
    snoozed_until: Type.Optional(
      nullable(Type.String(), 'Snoozes the entries until this time, with its zone; null: shows them again.'),
    ),
  }),
  answer: Type.Object(
    { changed: Type.Array(Type.Integer(), { description: 'The entries that are different now.' }) },
    { title: 'UpdatedNotifications' },
  ),
  status: 200,
  async handle({ context, viewer, body: { ids, is_read, snoozed_until: given } }, work) {
    const owner = { ...viewer, account_id: requireAccount(viewer) }
    if (is_read === undefined && given === undefined)
      throw new ApiError('parameter_required', { path: 'is_read', rule: 'required' })
    const now = context.clock.now()
    const snoozedUntil = typeof given === 'string' ? parseSnoozeEnd(given, now) : null
    // A snoozed entry becomes unread, so that it is noticed when it comes back.
    const isRead = snoozedUntil === null ? is_read : (is_read ?? false)
    const read = isRead === undefined ? sql`notification.is_read` : sql`${isRead}::boolean`
    const until = given === undefined ? sql`notification.snoozed_until` : sql`${snoozedUntil}::timestamptz`
    const isMeant = sql<boolean>`notification.id = any(${ids}::bigint[])
      and (notification.is_read, notification.snoozed_until) is distinct from (${read}, ${until})`
    const { rows } = await sql<{ id: number; was_read: boolean; was_snoozed_until: Date | null }>`
      with ${visibleEntriesCte(owner, now, isMeant)}
      update notification set is_read = ${read}, snoozed_until = ${until} from shown
      where notification.id = shown.id
      returning notification.id, shown.is_read as was_read, shown.snoozed_until as was_snoozed_until`.execute(work.tx)
    for (const { id, was_read, was_snoozed_until } of rows)
      await work.change({
        object: `notifications/${id}`,
        op: 'update',
        before: { is_read: was_read, snoozed_until: was_snoozed_until && apiDate(was_snoozed_until) },
        after: {
          is_read: isRead ?? was_read,
          snoozed_until: given === undefined ? was_snoozed_until && apiDate(was_snoozed_until) : given,
        },
      })
    return { body: { changed: rows.map(({ id }) => id).toSorted((one, other) => other - one) } }
  },
})

function parseSnoozeEnd(given: string, now: Date): Date {
  const path = 'snoozed_until'
  const date = hasZone(given) ? parseInstant(given, 'UTC') : undefined
  if (!date) throw new ApiError('parameter_invalid', { path, rule: 'format', cause: 'date_form', params: INSTANT_FORM })
  if (date <= now) throw new ApiError('date_in_past', { path, rule: 'minimum' })
  const latest = new Date(now.getTime() + MAX_SNOOZE_DAYS * DAY_MS)
  if (date > latest)
    throw new ApiError('parameter_out_of_range', { path, rule: 'maximum', allowed: { maximum: apiDate(latest) } })
  return date
}
