import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type Event, type FeedState, readEvents } from '../../platform/database/events.ts'
import { isId } from '../../platform/database/ids.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Place } from '../place.ts'

/** What has happened to an artifact since somebody last looked. */
export interface Change {
  /** Where it is told to be, and where it was before. */
  readonly trackers: ReadonlySet<number>
  readonly isCreated: boolean
  /** The first that is new. */
  readonly version: number | null
}

export interface News {
  readonly changed: ReadonlyMap<ArtifactId, Change>
  /** Somebody may see or name something else than before, somewhere. */
  readonly isOfRights: boolean
  readonly next: Place
  readonly has_more: boolean
}

const AT_ONCE = 2000

/** Everything behind the place; of the moment of `state`. */
export async function readNews(tx: Tx, place: Place, { epoch, horizon }: FeedState): Promise<News> {
  const events = await readEvents(tx, place, AT_ONCE)
  const has_more = events.length === AT_ONCE
  const last = events.at(-1)
  const changed = new Map<ArtifactId, Change>()
  for (const event of events) {
    const id = artifactIn(event)
    if (id !== undefined) changed.set(id, withEvent(changed.get(id), event))
  }
  return {
    changed,
    isOfRights: events.some(({ type }) => RIGHTS.test(type)),
    next: has_more && last ? { epoch, xid: last.xid, id: last.id } : { epoch, ...horizon },
    has_more,
  }
}

const RIGHTS = /^(tracker|project|member|rights)\./
const ARTIFACT = /^artifacts\/(\d+)$/

function artifactIn({ type, object }: Event): ArtifactId | undefined {
  if (!type.startsWith('artifact.') && !type.startsWith('comment.')) return undefined
  const id = Number(ARTIFACT.exec(object ?? '')?.[1])
  return isId<ArtifactId>(id) ? id : undefined
}

const Payload = Type.Object({
  tracker_id: Type.Optional(Type.Integer()),
  from: Type.Optional(Type.Object({ tracker_id: Type.Optional(Type.Integer()) })),
  version: Type.Optional(Type.Integer()),
})

function withEvent(before: Change | undefined, { type, payload }: Event): Change {
  const told = Check(Payload, payload) ? payload : {}
  const trackers = [told.tracker_id, told.from?.tracker_id].filter((id) => id !== undefined)
  return {
    trackers: new Set([...(before?.trackers ?? []), ...trackers]),
    isCreated: before?.isCreated === true || type === 'artifact.created',
    version: before?.version ?? told.version ?? null,
  }
}

/** Those that may be in this tracker, or were. */
export function changedIn({ changed }: News, tracker: TrackerId): ArtifactId[] {
  return [...changed].flatMap(([id, { trackers }]) => (trackers.has(tracker) ? [id] : []))
}
