import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Sight } from '../../../trackers/sight.ts'
import type { FeedEvent } from '../../represent-events.ts'
import type { Level } from '../level.ts'
import type { NotificationSettings } from '../settings/settings.ts'
import type { WatchedKind } from '../watching/watched-object.ts'
import type { Why } from '../why.ts'
import type { Occasion } from './occasion.ts'

/** Somebody who may know of an event, with what he sees of it. */
export interface Reader {
  readonly account: AccountId
  readonly settings: NotificationSettings
  /** Of the artifact's tracker. */
  readonly sight: Sight | undefined
  readonly shown: FeedEvent
}

interface Told {
  readonly why: Why
  /** What is watched, where that is why. */
  readonly watched?: WatchedKind | 'account'
}

/** Why this person is told of the event; undefined: he is not. Only what he may read himself counts. */
export function whyTold(occasion: Occasion, reader: Reader): Told | undefined {
  const { account, settings, shown } = reader
  const watch = occasion.watchers.get(account)
  const level = watch?.level ?? settings.default_level
  const isMuted = level === 'none'
  if (isMentioned(occasion, reader) && !(isMuted && settings.mute_mentions)) return { why: 'mention' }
  if (isMuted || !showsSomething(shown)) return undefined
  const role = roleOf(occasion, reader)
  const fits = fitsLevel(level, occasion, reader)
  // Who has chosen nothing nearer is told of all that happens to what is his.
  if (role && (fits || !watch)) return { why: role }
  if (!fits) return undefined
  const isEager = occasion.eager.has(account) || isReply(occasion, reader)
  return watch || isEager ? { why: 'watch', watched: watch?.kind ?? 'account' } : undefined
}

/** A version that holds nothing for him is none. */
function showsSomething({ type, changed, has_comment }: FeedEvent): boolean {
  return type !== 'artifact.updated' || changed.length > 0 || has_comment
}

function isMentioned({ mentioned }: Occasion, { account, sight, shown }: Reader): boolean {
  const places = mentioned.get(account) ?? []
  return places.some((where) => (where === 0 ? shown.has_comment : mayReadField(sight, where)))
}

function mayReadField(sight: Sight | undefined, field: number | null): boolean {
  return sight?.readable.some(({ id }) => id === field) ?? false
}

function roleOf(
  occasion: Occasion,
  { account, settings, sight }: Reader,
): 'assigned' | 'submitted' | 'list' | undefined {
  const contributor = occasion.tracker?.semantics.contributor ?? null
  if (settings.assigned && occasion.assigned.has(account) && mayReadField(sight, contributor)) return 'assigned'
  if (settings.submitted && occasion.submitter === account) return 'submitted'
  const lists = occasion.listed.get(account) ?? []
  return lists.some((field) => mayReadField(sight, field)) ? 'list' : undefined
}

function fitsLevel(level: Level, occasion: Occasion, reader: Reader): boolean {
  const { type, transition, has_comment } = reader.shown
  const isForHim = isNewlyAssigned(occasion, reader) || isReply(occasion, reader)
  const fits: Record<Level, boolean> = {
    all: true,
    status: type === 'artifact.created' || transition !== undefined || has_comment || isForHim,
    mentions: isForHim,
    none: false,
  }
  return fits[level]
}

function isNewlyAssigned(occasion: Occasion, reader: Reader): boolean {
  const isNew = occasion.assigned.get(reader.account)?.isNew ?? false
  return isNew && roleOf(occasion, reader) === 'assigned'
}

/** A comment on what he has submitted or commented on himself. */
function isReply({ submitter, commentedBefore }: Occasion, { account, settings, shown }: Reader): boolean {
  return shown.has_comment && (commentedBefore.has(account) || (submitter === account && settings.submitted))
}

const IN_THE_INBOX_ALONE = ['artifact.deleted', 'artifact.restored']

/** Whether the contract and the tracker let mails of this go out at all; the inbox has it anyway. */
export function mayBeMailed({ tracker }: Occasion, { type, transition }: FeedEvent): boolean {
  if (IN_THE_INBOX_ALONE.includes(type)) return false
  const level = tracker?.settings.notifications_level ?? 'all'
  return level === 'all' || (level === 'status_change' && (type === 'artifact.created' || transition !== undefined))
}
