import { type ActivePerson, findActivePeople } from '../../../accounts/users/find-active-people.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Event } from '../../../platform/database/events.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { untilUnchanged } from '../../../platform/operation/until-unchanged.ts'
import { sightOf } from '../../../trackers/sight.ts'
import { representEvents } from '../../represent-events.ts'
import { findSeenEvents } from '../seen-events.ts'
import { DEFAULTS, findSettings, type NotificationSettings } from '../settings/settings.ts'
import type { WatchedKind } from '../watching/watched-object.ts'
import type { Why } from '../why.ts'
import { findOccasions } from './find-occasions.ts'
import type { Occasion } from './occasion.ts'
import { mayBeMailed, whyTold } from './why-told.ts'

/** Somebody who is to be told of an event. */
export interface Notice {
  readonly event: Event
  readonly person: ActivePerson
  readonly settings: NotificationSettings
  readonly why: Why
  readonly watched?: WatchedKind | 'account'
  readonly isMailed: boolean
}

/**
 * Who is told of these events, by the rights of this moment. As many statements as there are people, however many events
 * there are; nothing is written.
 */
export async function planNotices(
  context: Context,
  db: Db | Tx,
  epoch: string,
  events: readonly Event[],
): Promise<Notice[]> {
  const occasions = await findOccasions(context, db, events)
  const concerned = new Map(occasions.map((occasion) => [occasion.event.id, peopleOf(occasion)]))
  const accounts = [...new Set([...concerned.values()].flatMap((people) => [...people]))]
  const people = await findActivePeople(db, accounts)
  const settings = await findSettings(db, accounts)
  const notices: Notice[] = []
  for (const [account, person] of people) {
    const own = settings.get(account) ?? DEFAULTS
    const his = occasions.filter(
      ({ event }) => concerned.get(event.id)?.has(account) && (own.own_changes || event.actor_id !== account),
    )
    if (his.length > 0) notices.push(...(await planFor({ context, db, epoch }, person, own, his)))
  }
  return notices.toSorted((one, other) => one.event.id - other.event.id)
}

function peopleOf(occasion: Occasion): ReadonlySet<AccountId> {
  const { watchers, eager, mentioned, assigned, listed, submitter, commentedBefore } = occasion
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

interface World {
  readonly context: Context
  readonly db: Db | Tx
  readonly epoch: string
}

function planFor(
  { context, db, epoch }: World,
  person: ActivePerson,
  settings: NotificationSettings,
  occasions: readonly Occasion[],
): Promise<Notice[]> {
  const { viewer } = person
  const byId = new Map(occasions.map((occasion) => [occasion.event.id, occasion]))
  return untilUnchanged(async () => {
    const seen = await findSeenEvents(db, viewer, [...byId.keys()])
    const shown = await representEvents(context, viewer, epoch, seen)
    if (!shown) return undefined
    const notices: Notice[] = []
    for (const [at, { id, tracker_id, stamp }] of seen.entries()) {
      const [occasion, event] = [byId.get(id), shown[at]]
      if (!occasion || !event) continue
      const tracker = tracker_id && stamp ? await context.trackers.at(db, tracker_id, stamp) : undefined
      const sight = tracker && (await sightOf(db, tracker, viewer))
      const told = whyTold(occasion, { account: viewer.account_id, settings, sight, shown: event })
      const isMailed = settings.mail !== 'off' && person.email !== null && mayBeMailed(occasion, event)
      if (told) notices.push({ event: occasion.event, person, settings, isMailed, ...told })
    }
    return notices
  })
}
