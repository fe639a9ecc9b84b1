import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { findVisibleUsers } from '../accounts/users/find-users-by.ts'
import { isId, toId } from '../platform/database/ids.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { apiDate } from '../platform/wire/dates.ts'
import type { RepositoryId } from '../repositories/repository.ts'
import { readableDirectories, type ReadableDirectories } from '../repositories/revisions/readable-directories.ts'
import { type TrackerAccess, getTrackerAccess, withAllFields } from '../trackers/tracker-access.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { formatFeedCursor } from './feed-cursor.ts'
import type { FeedEvent } from './feed-event.ts'
import type { VisibleEvent } from './scan-events.ts'

/** The payload members that may be shown; other members are internal. */
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
 * Events as the viewer may read them: hidden fields, comments and people are omitted. Undefined: a tracker has changed
 * since they were read, so the caller must read them again. `allFieldsOf`: all fields of this tracker are readable.
 */
export async function representEvents(
  context: Context,
  viewer: Viewer,
  epoch: string,
  events: readonly VisibleEvent[],
  allFieldsOf?: TrackerId,
): Promise<FeedEvent[] | undefined> {
  const accesses = await findTrackerAccesses(context, viewer, events, allFieldsOf)
  if (!accesses) return undefined
  const parsed = events.map((event) => ({ event, payload: parsePayload(event) }))
  const visibility = await findCommitVisibility(context, viewer, parsed)
  const people = new Set(parsed.flatMap(({ event, payload }) => [event.actor_id, payload.account_id].filter(isAccount)))
  const seen = await findVisibleUsers(context, context.db, viewer, [...people])
  const personOf = (id: number | null | undefined) => {
    const user = isAccount(id) ? seen.get(id) : undefined
    return user ? { id: user.id, username: user.login } : null
  }
  return parsed.map(({ event, payload }) => {
    const { type, on, object, project_id, tracker_id, actor_id } = event
    const access = tracker_id === null ? undefined : accesses.get(tracker_id)
    const member = personOf(payload.account_id)
    const { transition } = payload
    const commit = visibility.get(event.id)
    const isOwn = actor_id !== null && actor_id === viewer.account_id
    return {
      id: formatFeedCursor({ ...event, epoch }),
      type,
      on: apiDate(on),
      object: type === 'rights.changed' ? null : object,
      project: { id: project_id },
      tracker: tracker_id === null ? null : { id: tracker_id },
      actor: isAuthorHidden(payload, commit) ? null : personOf(actor_id),
      version: payload.version ?? null,
      changed: (payload.changed ?? []).flatMap((what) => changedFieldName(what, access) ?? []),
      has_comment: hasComment(payload, access),
      silent: payload.silent ?? false,
      ...(transition &&
        changedFieldName(transition.field_id, access) !== undefined && {
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

async function findTrackerAccesses(
  context: Context,
  viewer: Viewer,
  events: readonly VisibleEvent[],
  allFieldsOf: TrackerId | undefined,
): Promise<Map<TrackerId, TrackerAccess> | undefined> {
  const stamps = new Map(events.flatMap(({ tracker_id: id, stamp }) => (id && stamp ? [[id, stamp] as const] : [])))
  const accesses = new Map<TrackerId, TrackerAccess>()
  for (const [id, stamp] of stamps) {
    const tracker = await context.trackers.at(context.db, id, stamp)
    if (tracker?.stamp !== stamp) return undefined
    const access = await getTrackerAccess(context.db, tracker, viewer)
    accesses.set(id, id === allFieldsOf ? withAllFields(access) : access)
  }
  return accesses
}

interface EventWithPayload {
  readonly event: VisibleEvent
  readonly payload: Payload
}

/** The readable part of each commit, by event id. */
async function findCommitVisibility(
  context: Context,
  viewer: Viewer,
  parsed: readonly EventWithPayload[],
): Promise<ReadonlyMap<number, ReadableDirectories>> {
  const commits = parsed.flatMap(({ event: { id, object }, payload: { paths } }) => {
    const [, repository] = /^svn\/(\d+)$/.exec(object ?? '') ?? []
    return repository && paths ? [{ id, repository_id: toId<RepositoryId>(Number(repository)), paths }] : []
  })
  const seen = await readableDirectories(context, viewer, commits)
  return new Map(seen.map((visibility, at) => [commits[at]?.id ?? 0, visibility]))
}

/** The author of a commit without readable paths is hidden, as in the repository browser. */
function isAuthorHidden({ paths = [] }: Payload, commit: ReadableDirectories | undefined): boolean {
  return paths.length > 0 && commit?.is_seen !== true
}

function parsePayload({ payload }: VisibleEvent): Payload {
  return Check(Payload, payload) ? payload : {}
}

/** Payloads name fields by id and other members by name. */
function changedFieldName(what: number | string, access: TrackerAccess | undefined): string | undefined {
  if (typeof what === 'string') return what
  return access?.readable.find(({ id }) => id === what)?.name
}

function hasComment({ has_comment, comment_groups: groups }: Payload, access: TrackerAccess | undefined): boolean {
  if (!has_comment) return false
  return !groups || access?.administers === true || groups.some((group) => access?.groups.has(group))
}

function isAccount(id: number | null | undefined): id is AccountId {
  return typeof id === 'number' && isId<AccountId>(id)
}
