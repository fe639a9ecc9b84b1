import type { NotificationThread } from '@waypost/sdk/api'
import type { AvatarPerson } from '../design/marks.tsx'
import { text } from '../messages/text.ts'
import { describeEvent } from './describe-event.ts'

export type ThreadKind = NotificationThread['latest']['kind'] | 'bulk'

export interface DescribedThread {
  readonly kind: ThreadKind
  readonly title: string
  /** The address of its page; undefined: there is none any more. */
  readonly href: string | undefined
  /** Undefined: it has been deleted, or there are several. */
  readonly artifact: number | undefined
  /** The author of the newest entry. */
  readonly person: AvatarPerson
  /** The author and their deed, up to the colon before the excerpt. */
  readonly what: string
  readonly excerpt: string
  /** The status before and after, if that says more than the excerpt. */
  readonly change: NotificationThread['latest']['status_change']
  /** The other authors. */
  readonly others: readonly AvatarPerson[]
}

/** Kinds whose changed fields say no more than the kind. */
const PLAIN_KINDS: readonly ThreadKind[] = ['closed', 'reopened', 'assigned']

export function describeThread(thread: NotificationThread): DescribedThread {
  const { latest, why, object_count: count } = thread
  const { event, excerpt } = latest
  const isBulk = count > 1
  const kind = isBulk ? 'bulk' : why === 'mention' ? 'mention' : latest.kind
  const author = thread.people.find(({ id }) => id === event.actor?.id)
  const name = author?.real_name ?? event.actor?.username ?? text('inbox.somebody')
  // The excerpt of a change without a comment is the names of the fields.
  const fields = latest.kind === 'changed' && !isBulk && !event.has_comment ? excerpt : ''
  const change = isBulk || event.has_comment ? null : latest.status_change
  // The status is the last one, because its values follow.
  const named = change ? [...fields.split(', ').filter((label) => label !== change.label), change.label] : [fields]
  const isQuiet = fields !== '' || (PLAIN_KINDS.includes(latest.kind) && !event.has_comment)
  return {
    kind,
    title: isBulk ? text('inbox.bulk', { count }) : titleOf(thread),
    href: isBulk ? bulkAddress(thread) : addressOf(thread),
    artifact: isBulk || kind === 'deleted' ? undefined : artifactId(latest.object),
    person: { id: event.actor?.id ?? null, name, avatar_url: author?.avatar_url },
    what: isBulk
      ? text('inbox.by', { who: name, what: text('event.bulk') })
      : fields === ''
        ? describeEvent(name, latest)
        : text('inbox.changed', { who: name, fields: named.join(', ') }),
    excerpt: isQuiet ? '' : excerpt,
    change,
    others: thread.people
      .filter((person) => person !== author)
      .map(({ id, real_name, username, avatar_url }) => ({ id, name: real_name ?? username ?? '?', avatar_url })),
  }
}

/** A deleted artifact has only its number. */
function titleOf({ latest: { title, xref, object, event } }: NotificationThread): string {
  if (title !== null || xref !== null) return title ?? xref ?? ''
  const artifact = artifactId(object)
  return artifact === undefined ? (object ?? event.type) : text('inbox.artifact', { id: artifact })
}

function addressOf({ latest: { object, kind, event } }: NotificationThread): string | undefined {
  const artifact = artifactId(object)
  if (artifact === undefined || kind === 'deleted') return undefined
  return `/artifacts/${artifact}${event.version === null ? '' : `#v${event.version}`}`
}

/** The table of the artifacts of a bulk write. */
function bulkAddress({ objects, latest: { event } }: NotificationThread): string | undefined {
  const query = objects.flatMap((object) => artifactId(object) ?? []).map((id) => `@id = ${id}`)
  return event.tracker ? `/trackers/${event.tracker.id}?q=${encodeURIComponent(query.join(' OR '))}` : undefined
}

function artifactId(object: string | null): number | undefined {
  const [, id] = /^artifacts\/(\d+)$/.exec(object ?? '') ?? []
  return id === undefined ? undefined : Number(id)
}
