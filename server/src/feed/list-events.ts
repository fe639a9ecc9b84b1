import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TObject, Type } from 'typebox'
import { type FeedState, readFeedEnd } from '../platform/database/events.ts'
import { type Id, isId } from '../platform/database/ids.ts'
import { readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { findTracker } from '../trackers/find-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { parseEventTypes } from './event-types.ts'
import {
  assertCursorRetained,
  type FeedCursor,
  formatFeedCursor,
  parseFeedCursor,
  resolveFeedCursor,
} from './feed-cursor.ts'
import { readFeedPage } from './read-feed-page.ts'
import type { FeedReader } from './scan-events.ts'
import { FeedEvent } from './feed-event.ts'
import { STREAM_LIMITS } from './stream-limits.ts'

const query = {
  after: Type.Optional(
    Type.String({
      description:
        'A cursor: events after it. `now`: no events, only the current cursor. Absent: from the oldest event.',
    }),
  ),
  types: Type.Optional(
    Type.String({ description: 'Separated by commas; `artifact.*` stands for all types with that prefix.' }),
  ),
  project: Type.Optional(Type.Integer()),
  tracker: Type.Optional(Type.Integer()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Events per page.' })),
}
type Query = Static<TObject<typeof query>>

export const listEvents = readRoute({
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  summary: 'The change feed: all events that the caller may read, in one order. `text/event-stream` follows it.',
  description:
    'Lets programs follow all changes without polling objects: read on from `next`. Everyone; each caller gets the events that they may read now. A cursor that is older than the kept events is 410: read everything again.',
  access: 'everyone',
  query,
  answer: Type.Object(
    {
      events: Type.Array(FeedEvent),
      next: Type.String({ description: 'The cursor for `after` of the next page.' }),
      has_more: Type.Boolean({ description: 'More events are available now.' }),
    },
    { title: 'EventPage' },
  ),
  async handle({ context, viewer, query: asked }) {
    const { after, limit = 100 } = asked
    const from = after === undefined || after === 'now' ? undefined : parseFeedCursor(after, 'after')
    const reader = await resolveFeedReader(context, viewer, asked)
    if (after === 'now') {
      const next = formatFeedCursor(horizonCursor(await readFeedEnd(context.db)))
      return { body: { events: [], next, has_more: false } }
    }
    const { events, next, has_more } = await readFeedPage(
      context,
      reader,
      from ? await resolveFeedCursor(context.db, from) : 'oldest',
      limit,
    )
    return { body: { events: [...events], next: formatFeedCursor(next), has_more } }
  },
  formats: {
    stream: {
      limits: STREAM_LIMITS,
      async open({ context, viewer, query: asked, headers }) {
        const from = startCursor(headers, asked.after)
        const reader = await resolveFeedReader(context, viewer, asked)
        const resumed = from && (await resolveFeedCursor(context.db, from))
        const state = await readFeedEnd(context.db) // After the cursor, which it must not be behind.
        const place = resumed ?? horizonCursor(state)
        assertCursorRetained(state, place)
        const subscription = { reader, guest: { viewer, headers }, place }
        return (stream) => context.feed.subscribe(context, stream, subscription)
      },
    },
  },
})

function startCursor(
  { 'last-event-id': last }: IncomingHttpHeaders,
  after: string | undefined,
): ReturnType<typeof parseFeedCursor> | undefined {
  if (last !== undefined && last !== '') return parseFeedCursor(String(last), 'Last-Event-ID')
  return after === undefined || after === 'now' ? undefined : parseFeedCursor(after, 'after')
}

function horizonCursor({ epoch, horizon }: FeedState): FeedCursor {
  return { epoch, ...horizon }
}

/** The filters and viewer of a request. A project or tracker that is absent or hidden is an unknown reference. */
async function resolveFeedReader(
  context: Context,
  viewer: Viewer,
  { types, project, tracker }: Query,
): Promise<FeedReader> {
  const reader: FeedReader = { viewer, types: parseEventTypes(types) }
  const findIt = {
    project: (id: ProjectId) => findProject(context.db, viewer, id),
    tracker: (id: TrackerId) => findTracker(context, context.db, viewer, id),
  }
  return {
    ...reader,
    ...(project !== undefined && { project: await assertReferenceVisible('project', project, findIt.project) }),
    ...(tracker !== undefined && { tracker: await assertReferenceVisible('tracker', tracker, findIt.tracker) }),
  }
}

async function assertReferenceVisible<T extends Id<string>>(
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
