import { type Static, Type } from 'typebox'
import { findVisibleUsers } from '../../../accounts/users/find-users-by.ts'
import { UserMinimal } from '../../../accounts/users/schemas.ts'
import { representUserMinimal } from '../../../accounts/users/user.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { NOTIFICATION_REASONS } from '../notification-reasons.ts'
import type { InboxThread } from './find-threads.ts'
import { Notification, representInboxEntries } from './represent-entries.ts'

const MAX_THREAD_PEOPLE = 4

export const NotificationThread = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the newest entry.' }),
    why: Type.Enum([...NOTIFICATION_REASONS], { description: 'The strongest reason of its unread entries.' }),
    is_read: Type.Boolean({ description: 'All entries are read.' }),
    entries: Type.Array(Type.Integer(), { description: 'The ids of its notifications, newest first, at most 1,000.' }),
    objects: Type.Array(Type.String(), {
      description: 'Addresses below `/api`, at most 100. More than one: a bulk write.',
    }),
    object_count: Type.Integer(),
    people: Type.Array(UserMinimal, { description: 'Authors of its events, newest first, at most 4.' }),
    latest: Notification,
  },
  { title: 'NotificationThread' },
)
type NotificationThread = Static<typeof NotificationThread>

/** Threads as their owner may read them now. Undefined: a tracker has changed since they were read. */
export async function representInboxThreads(
  context: Context,
  viewer: Viewer,
  threads: readonly InboxThread[],
): Promise<NotificationThread[] | undefined> {
  const notifications = await representInboxEntries(
    context,
    viewer,
    threads.map(({ latest }) => latest),
  )
  if (!notifications) return undefined
  const newest = new Map(notifications.map((notification) => [notification.id, notification]))
  const people = new Map(threads.map(({ latest, actors }) => [latest.id, recentActors(actors)]))
  const seen = await findVisibleUsers(context, context.db, viewer, [...new Set([...people.values()].flat())])
  return threads.flatMap(({ latest: { id }, is_read, entries, reasons, objects, object_count }) => {
    const latest = newest.get(id)
    if (!latest) return []
    const authors = (people.get(id) ?? []).flatMap((author) => seen.get(author) ?? [])
    return [
      {
        id,
        why: NOTIFICATION_REASONS.find((reason) => reasons.includes(reason)) ?? latest.why,
        is_read,
        entries: [...entries],
        objects: [...objects],
        object_count,
        people: authors.map((author) => representUserMinimal(context, author)),
        latest,
      },
    ]
  })
}

function recentActors(actors: InboxThread['actors']): AccountId[] {
  return [...new Set(actors)].filter((actor) => actor !== null).slice(0, MAX_THREAD_PEOPLE)
}
