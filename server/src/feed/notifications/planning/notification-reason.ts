import type { ObjectKindName } from '../../../artifacts/object-kinds.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { TrackerAccess } from '../../../trackers/tracker-access.ts'
import type { FeedEvent } from '../../feed-event.ts'
import type { Level } from '../level.ts'
import type { NotificationSettings } from '../settings/settings.ts'
import type { NotificationReason } from '../notification-reasons.ts'
import type { NotificationContext } from './notification-context.ts'

/** A person who may read an event, with the event as they see it. */
export interface NoticeRecipient {
  readonly account: AccountId
  readonly settings: NotificationSettings
  /** Access to the tracker of the artifact. */
  readonly access: TrackerAccess | undefined
  readonly shown: FeedEvent
}

interface ReasonDetails {
  readonly why: NotificationReason
  /** The kind of the watched object, if watching is the reason. */
  readonly watched?: ObjectKindName | 'account'
}

/** Why this person is notified; undefined: they are not. Only data that they may read counts. */
export function notificationReason(
  notificationContext: NotificationContext,
  recipient: NoticeRecipient,
): ReasonDetails | undefined {
  const { account, settings, shown } = recipient
  const watch = notificationContext.watchers.get(account)
  const level = watch?.level ?? settings.default_level
  const isMuted = level === 'none'
  if (isMentioned(notificationContext, recipient) && !(isMuted && settings.mute_mentions)) return { why: 'mention' }
  if (isMuted || !hasVisibleChange(shown)) return undefined
  const role = personalReason(notificationContext, recipient)
  const fits = matchesLevel(level, notificationContext, recipient)
  // Without a nearer watch, assignees and submitters are notified of every change.
  if (role && (fits || !watch)) return { why: role }
  if (!fits) return undefined
  const isEager = notificationContext.eager.has(account) || isReply(notificationContext, recipient)
  return watch || isEager ? { why: 'watch', watched: watch?.kind ?? 'account' } : undefined
}

/** A version without visible changes is ignored. */
function hasVisibleChange({ type, changed, has_comment }: FeedEvent): boolean {
  return type !== 'artifact.updated' || changed.length > 0 || has_comment
}

function isMentioned({ mentioned }: NotificationContext, { account, access, shown }: NoticeRecipient): boolean {
  const places = mentioned.get(account) ?? []
  return places.some((where) => (where === 0 ? shown.has_comment : mayReadField(access, where)))
}

function mayReadField(access: TrackerAccess | undefined, field: number | null): boolean {
  return access?.readable.some(({ id }) => id === field) ?? false
}

function personalReason(
  notificationContext: NotificationContext,
  { account, settings, access }: NoticeRecipient,
): 'assigned' | 'submitted' | 'list' | undefined {
  const contributor = notificationContext.tracker?.semantics.contributor ?? null
  if (settings.assigned && notificationContext.assigned.has(account) && mayReadField(access, contributor))
    return 'assigned'
  if (settings.submitted && notificationContext.submitter === account) return 'submitted'
  const lists = notificationContext.listed.get(account) ?? []
  return lists.some((field) => mayReadField(access, field)) ? 'list' : undefined
}

function matchesLevel(level: Level, notificationContext: NotificationContext, recipient: NoticeRecipient): boolean {
  const { type, transition, has_comment } = recipient.shown
  const isPersonal = isNewlyAssigned(notificationContext, recipient) || isReply(notificationContext, recipient)
  const fits: Record<Level, boolean> = {
    all: true,
    status: type === 'artifact.created' || transition !== undefined || has_comment || isPersonal,
    mentions: isPersonal,
    none: false,
  }
  return fits[level]
}

function isNewlyAssigned(notificationContext: NotificationContext, recipient: NoticeRecipient): boolean {
  const isNew = notificationContext.assigned.get(recipient.account)?.isNew ?? false
  return isNew && personalReason(notificationContext, recipient) === 'assigned'
}

/** A comment on an artifact that the recipient has submitted or commented on. */
function isReply(
  { submitter, commentedBefore }: NotificationContext,
  { account, settings, shown }: NoticeRecipient,
): boolean {
  return shown.has_comment && (commentedBefore.has(account) || (submitter === account && settings.submitted))
}

const INBOX_ONLY_TYPES = ['artifact.deleted', 'artifact.restored']

/** Whether mails are allowed by event type and tracker; the inbox has the notification anyway. */
export function mayBeMailed({ tracker }: NotificationContext, { type, transition }: FeedEvent): boolean {
  if (INBOX_ONLY_TYPES.includes(type)) return false
  const level = tracker?.settings.notifications_level ?? 'all'
  return level === 'all' || (level === 'status_change' && (type === 'artifact.created' || transition !== undefined))
}
