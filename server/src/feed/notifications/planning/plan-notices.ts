import type { ObjectKindName } from '../../../artifacts/object-kinds.ts'
import { type ActivePerson, findActivePeople } from '../../../accounts/users/find-active-people.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Event } from '../../../platform/database/events.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { retryOnConflict } from '../../../platform/operation/retry-on-conflict.ts'
import { getTrackerAccess } from '../../../trackers/tracker-access.ts'
import { representEvents } from '../../represent-events.ts'
import { findVisibleEvents } from '../visible-events.ts'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  findNotificationSettings,
  type NotificationSettings,
} from '../settings/settings.ts'
import type { NotificationReason } from '../notification-reasons.ts'
import { loadNotificationContexts } from './load-notification-contexts.ts'
import type { NotificationContext } from './notification-context.ts'
import { mayBeMailed, notificationReason } from './notification-reason.ts'

/** A notification of one person about one event. */
export interface Notice {
  readonly event: Event
  readonly person: ActivePerson
  readonly settings: NotificationSettings
  readonly why: NotificationReason
  readonly watched?: ObjectKindName | 'account'
  readonly isMailed: boolean
}

/**
 * The notices for these events, by current permissions. Runs one statement per person, however many events there are;
 * writes nothing.
 */
export async function planNotices(
  context: Context,
  db: Db | Tx,
  epoch: string,
  events: readonly Event[],
): Promise<Notice[]> {
  const notificationContexts = await loadNotificationContexts(context, db, events)
  const concerned = new Map(
    notificationContexts.map((notificationContext) => [
      notificationContext.event.id,
      concernedAccounts(notificationContext),
    ]),
  )
  const accounts = [...new Set([...concerned.values()].flatMap((people) => [...people]))]
  const people = await findActivePeople(db, accounts)
  const settings = await findNotificationSettings(db, accounts)
  const notices: Notice[] = []
  for (const [account, person] of people) {
    const own = settings.get(account) ?? DEFAULT_NOTIFICATION_SETTINGS
    const relevant = notificationContexts.filter(
      ({ event }) => concerned.get(event.id)?.has(account) && (own.own_changes || event.actor_id !== account),
    )
    if (relevant.length > 0) notices.push(...(await planForPerson({ context, db, epoch }, person, own, relevant)))
  }
  return notices.toSorted((one, other) => one.event.position - other.event.position)
}

function concernedAccounts(notificationContext: NotificationContext): ReadonlySet<AccountId> {
  const { watchers, eager, mentioned, assigned, listed, submitter, commentedBefore } = notificationContext
  return new Set([
    ...watchers.keys(),
    ...eager,
    ...mentioned.keys(),
    ...assigned.keys(),
    ...listed.keys(),
    ...(submitter === null ? [] : [submitter]),
    ...commentedBefore,
  ])
}

interface PlanningScope {
  readonly context: Context
  readonly db: Db | Tx
  readonly epoch: string
}

function planForPerson(
  { context, db, epoch }: PlanningScope,
  person: ActivePerson,
  settings: NotificationSettings,
  notificationContexts: readonly NotificationContext[],
): Promise<Notice[]> {
  const { viewer } = person
  const byId = new Map(
    notificationContexts.map((notificationContext) => [notificationContext.event.id, notificationContext]),
  )
  return retryOnConflict(async () => {
    const seen = await findVisibleEvents(db, viewer, [...byId.keys()])
    const shown = await representEvents(context, viewer, epoch, seen)
    if (!shown) return undefined
    const notices: Notice[] = []
    for (const [at, { id, tracker_id, stamp }] of seen.entries()) {
      const [notificationContext, event] = [byId.get(id), shown[at]]
      if (!notificationContext || !event) continue
      const tracker = tracker_id && stamp ? await context.trackers.at(db, tracker_id, stamp) : undefined
      const access = tracker && (await getTrackerAccess(db, tracker, viewer))
      const reason = notificationReason(notificationContext, {
        account: viewer.account_id,
        settings,
        access,
        shown: event,
      })
      const isMailed = settings.mail !== 'off' && person.email !== null && mayBeMailed(notificationContext, event)
      if (reason) notices.push({ event: notificationContext.event, person, settings, isMailed, ...reason })
    }
    return notices
  })
}
