import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TObject, Type } from 'typebox'
import { type FeedState, readFeedState } from '../platform/database/events.ts'
import { type Id, isId } from '../platform/database/ids.ts'
import { readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { findTracker } from '../trackers/find-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { readTypes } from './event-types.ts'
import { type Place, readPlace, requireKept, writePlace } from './place.ts'
import { readPage } from './read-page.ts'
import type { Reader } from './read-stretch.ts'
import { FeedEvent } from './represent-events.ts'
import { STREAM_LIMITS } from './stream-limits.ts'

const query = {
  after: Type.Optional(
    Type.String({
      description: 'A place: what comes after it. `now`: nothing yet, but a place. Absent: from the oldest.',
    }),
  ),
  types: Type.Optional(Type.String({ description: 'Separated by commas; `artifact.*` is all that begin so.' })),
  project: Type.Optional(Type.Integer()),
  tracker: Type.Optional(Type.Integer()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Events of a page.' })),
}
type Query = Static<TObject<typeof query>>

export const listEvents = readRoute({
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  summary:
    'The change feed: what happened, in one order, as far as the caller may know of it. `text/event-stream` goes on.',
  access: 'everyone',
  query,
  answer: Type.Object(
    {
      events: Type.Array(FeedEvent),
      next: Type.String({ description: 'Where to go on: `after` of the next page.' }),
      has_more: Type.Boolean({ description: 'There is more already.' }),
    },
    { title: 'EventPage' },
  ),
  async handle({ context, viewer, query: asked }) {
    const { after, limit = 100 } = asked
    const from = after === undefined || after === 'now' ? undefined : readPlace(after, 'after')
    const reader = await readerOf(context, viewer, asked)
    if (after === 'now') {
      const next = writePlace(horizonOf(await readFeedState(context.db)))
      return { body: { events: [], next, has_more: false } }
    }
    const { events, next, has_more } = await readPage(context, reader, from ?? 'oldest', limit)
    return { body: { events: [...events], next: writePlace(next), has_more } }
  },
  stream: {
    limits: STREAM_LIMITS,
    async open({ context, viewer, query: asked, headers }) {
      const from = startOf(headers, asked.after)
      const reader = await readerOf(context, viewer, asked)
      const state = await readFeedState(context.db)
      if (from) requireKept(state, from)
      const following = { reader, guest: { viewer, headers }, place: from ?? horizonOf(state) }
      return (stream) => context.feed.follow(context, stream, following)
    },
  },
})

function startOf({ 'last-event-id': last }: IncomingHttpHeaders, after: string | undefined): Place | undefined {
  if (last !== undefined && last !== '') return readPlace(String(last), 'Last-Event-ID')
  return after === undefined || after === 'now' ? undefined : readPlace(after, 'after')
}

function horizonOf({ epoch, horizon }: FeedState): Place {
  return { epoch, ...horizon }
}

/** What the caller wants. A project or tracker that is absent or hidden is an unknown reference. */
async function readerOf(context: Context, viewer: Viewer, { types, project, tracker }: Query): Promise<Reader> {
  const reader: Reader = { viewer, types: readTypes(types) }
  const findIt = {
    project: (id: ProjectId) => findProject(context.db, viewer, id),
    tracker: (id: TrackerId) => findTracker(context, context.db, viewer, id),
  }
  return {
    ...reader,
    ...(project !== undefined && { project: await requireSeen('project', project, findIt.project) }),
    ...(tracker !== undefined && { tracker: await requireSeen('tracker', tracker, findIt.tracker) }),
  }
}

async function requireSeen<T extends Id<string>>(
  path: string,
  given: number,
  find: (id: T) => Promise<unknown>,
): Promise<T> {
  const unknown = new ApiError('reference_unknown', { path, rule: 'exists' })
  if (!isId<T>(given)) throw unknown
  await find(given).catch((error: unknown) => {
    throw error instanceof ApiError && error.status < 500 ? unknown : error
  })
  return given
}
