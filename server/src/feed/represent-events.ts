import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { findSeenUsers } from '../accounts/users/find-users-by.ts'
import { isId, toId } from '../platform/database/ids.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { apiDate } from '../platform/wire/dates.ts'
import { nullable } from '../platform/wire/nullable.ts'
import type { RepositoryId } from '../repositories/repository.ts'
import { readableDirectories, type SeenPlaces } from '../repositories/revisions/readable-directories.ts'
import { type Sight, sightOf } from '../trackers/sight.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { writePlace } from './place.ts'
import type { SeenEvent } from './read-stretch.ts'

const Named = Type.Object({ id: Type.Integer() }, { title: 'Named' })
const Person = Type.Object({ id: Type.Integer(), username: Type.String() }, { title: 'PersonOfEvent' })

export const FeedEvent = Type.Object(
  {
    id: Type.String({ description: 'Its place in the feed: `after` and `Last-Event-ID` take it.' }),
    type: Type.String(),
    on: Type.String(),
    object: nullable(Type.String({ description: 'The address of what it is about, below `/api`.' })),
    project: nullable(Named),
    tracker: nullable(Named),
    actor: nullable(Person),
    version: nullable(Type.Integer()),
    changed: Type.Array(Type.String(), { description: 'What differs, of what the caller may read.' }),
    has_comment: Type.Boolean({ description: 'One that the caller may read.' }),
    silent: Type.Boolean({ description: 'Nobody is told of it by mail.' }),
    transition: Type.Optional(
      Type.Object(
        { from: nullable(Type.Integer()), to: nullable(Type.Integer()) },
        { title: 'TransitionOfEvent', description: 'Values of the status.' },
      ),
    ),
    member: Type.Optional(Person),
    revision: Type.Optional(Type.Integer({ description: 'Of a commit.' })),
    directories: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of the first 100 in which a commit has changed something, those that the caller may read.',
      }),
    ),
    client_uuid: nullable(Type.String({ description: "The tab that made the change, if it is one of the caller's." })),
    request_id: nullable(Type.String({ description: "The request that made the change, if it is the caller's." })),
  },
  { title: 'Event' },
)
export type FeedEvent = Static<typeof FeedEvent>

/** What the rooms tell; whatever else stands there is not for readers. */
const Payload = Type.Object({
  version: Type.Optional(Type.Integer()),
  changed: Type.Optional(Type.Array(Type.Union([Type.Integer(), Type.String()]))),
  has_comment: Type.Optional(Type.Boolean()),
  comment_groups: Type.Optional(Type.Array(Type.Integer())),
  silent: Type.Optional(Type.Boolean()),
  account_id: Type.Optional(Type.Integer()),
  revision: Type.Optional(Type.Integer()),
  paths: Type.Optional(Type.Array(Type.String())),
  transition: Type.Optional(
    Type.Object({
      field_id: Type.Integer(),
      from: Type.Union([Type.Integer(), Type.Null()]),
      to: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
})
type Payload = Static<typeof Payload>

/**
 * Events as the viewer may read them: fields, comments and people that are not for him are left out. Undefined: a tracker
 * was changed after they were read, so that they have to be read again.
 */
export async function representEvents(
  context: Context,
  viewer: Viewer,
  epoch: string,
  events: readonly SeenEvent[],
): Promise<FeedEvent[] | undefined> {
  const sights = await findSights(context, viewer, events)
  if (!sights) return undefined
  const told = events.map((event) => ({ event, payload: payloadOf(event) }))
  const places = await findPlaces(context, viewer, told)
  const people = new Set(told.flatMap(({ event, payload }) => [event.actor_id, payload.account_id].filter(isAccount)))
  const seen = await findSeenUsers(context, context.db, viewer, [...people])
  const personOf = (id: number | null | undefined) => {
    const user = isAccount(id) ? seen.get(id) : undefined
    return user ? { id: user.id, username: user.login } : null
  }
  return told.map(({ event, payload }) => {
    const { type, on, object, project_id, tracker_id, actor_id } = event
    const sight = tracker_id === null ? undefined : sights.get(tracker_id)
    const member = personOf(payload.account_id)
    const { transition } = payload
    const commit = places.get(event.id)
    const isOwn = actor_id !== null && actor_id === viewer.account_id
    return {
      id: writePlace({ ...event, epoch }),
      type,
      on: apiDate(on),
      object: type === 'rights.changed' ? null : object,
      project: { id: project_id },
      tracker: tracker_id === null ? null : { id: tracker_id },
      actor: isDark(payload, commit) ? null : personOf(actor_id),
      version: payload.version ?? null,
      changed: (payload.changed ?? []).flatMap((what) => nameOf(what, sight) ?? []),
      has_comment: hasComment(payload, sight),
      silent: payload.silent ?? false,
      ...(transition &&
        nameOf(transition.field_id, sight) !== undefined && {
          transition: { from: transition.from, to: transition.to },
        }),
      ...(member && { member }),
      ...(payload.revision !== undefined && { revision: payload.revision }),
      ...(commit && { directories: commit.directories }),
      client_uuid: isOwn ? event.client_uuid : null,
      request_id: isOwn ? event.request_id : null,
    }
  })
}

async function findSights(
  context: Context,
  viewer: Viewer,
  events: readonly SeenEvent[],
): Promise<Map<TrackerId, Sight> | undefined> {
  const stamps = new Map(events.flatMap(({ tracker_id: id, stamp }) => (id && stamp ? [[id, stamp] as const] : [])))
  const sights = new Map<TrackerId, Sight>()
  for (const [id, stamp] of stamps) {
    const tracker = await context.trackers.at(context.db, id, stamp)
    if (tracker?.stamp !== stamp) return undefined
    sights.set(id, await sightOf(context.db, tracker, viewer))
  }
  return sights
}

interface Told {
  readonly event: SeenEvent
  readonly payload: Payload
}

/** What the viewer may know of each commit, by the ids of the events. */
async function findPlaces(
  context: Context,
  viewer: Viewer,
  told: readonly Told[],
): Promise<ReadonlyMap<number, SeenPlaces>> {
  const commits = told.flatMap(({ event: { id, object }, payload: { paths } }) => {
    const [, repository] = /^svn\/(\d+)$/.exec(object ?? '') ?? []
    return repository && paths ? [{ id, repository_id: toId<RepositoryId>(Number(repository)), paths }] : []
  })
  const seen = await readableDirectories(context, viewer, commits)
  return new Map(seen.map((places, at) => [commits[at]?.id ?? 0, places]))
}

/** Who may read nothing of a commit is not told who made it, as when he browses. */
function isDark({ paths = [] }: Payload, commit: SeenPlaces | undefined): boolean {
  return paths.length > 0 && commit?.is_seen !== true
}

function payloadOf({ payload }: SeenEvent): Payload {
  return Check(Payload, payload) ? payload : {}
}

/** A field is told by its number, whatever else by its name. */
function nameOf(what: number | string, sight: Sight | undefined): string | undefined {
  if (typeof what === 'string') return what
  return sight?.readable.find(({ id }) => id === what)?.name
}

function hasComment({ has_comment, comment_groups: groups }: Payload, sight: Sight | undefined): boolean {
  if (!has_comment) return false
  return !groups || sight?.administers === true || groups.some((group) => sight?.groups.has(group))
}

function isAccount(id: number | null | undefined): id is AccountId {
  return typeof id === 'number' && isId<AccountId>(id)
}
