import type { TrackerAccess } from '../../../trackers/tracker-access.ts'
import type { FeedEvent } from '../../feed-event.ts'
import type { NotificationReason } from '../notification-reasons.ts'

/** The kinds of news, each with an icon and a word. `other`: a change of a tracker or project. */
export const NOTIFICATION_KINDS = [
  'mention',
  'assigned',
  'closed',
  'reopened',
  'commented',
  'changed',
  'created',
  'deleted',
  'restored',
  'moved',
  'other',
] as const
type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

const KINDS_OF_EVENTS: Readonly<Record<string, NotificationKind>> = {
  'artifact.created': 'created',
  'artifact.deleted': 'deleted',
  'artifact.restored': 'restored',
  'artifact.moved': 'moved',
}

/** `access`: to the tracker of the artifact; undefined if the artifact cannot be read. */
export function notificationKind(
  event: FeedEvent,
  why: NotificationReason,
  access: TrackerAccess | undefined,
): NotificationKind {
  if (why === 'mention') return 'mention'
  if (why === 'assigned' && changesAssignee(event, access)) return 'assigned'
  if (event.type !== 'artifact.updated') return KINDS_OF_EVENTS[event.type] ?? 'other'
  return changeOfStatus(event, access) ?? (event.has_comment ? 'commented' : 'changed')
}

function changesAssignee({ type, changed }: FeedEvent, access: TrackerAccess | undefined): boolean {
  const contributor = access?.readable.find(({ id }) => id === access.tracker.semantics.contributor)
  return contributor !== undefined && (type === 'artifact.created' || changed.includes(contributor.name))
}

function changeOfStatus(
  { transition }: FeedEvent,
  access: TrackerAccess | undefined,
): 'closed' | 'reopened' | undefined {
  const open = access?.tracker.semantics.status?.open
  if (!transition || !open) return undefined
  const isOpen = (value: number | null) => open.some((each) => each === value)
  if (isOpen(transition.from) === isOpen(transition.to)) return undefined
  return isOpen(transition.to) ? 'reopened' : 'closed'
}
