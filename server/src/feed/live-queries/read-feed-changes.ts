import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type Event, type FeedState, readEventsAfter } from '../../platform/database/events.ts'
import { isId } from '../../platform/database/ids.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { FeedCursor } from '../feed-cursor.ts'

/** The changes of an artifact since the last poll. */
export interface ArtifactChange {
  /** The trackers that it is in or was in, according to the events. */
  readonly trackers: ReadonlySet<number>
  readonly isCreated: boolean
  /** The first new version. */
  readonly version: number | null
}

export interface FeedChanges {
  readonly changed: ReadonlyMap<ArtifactId, ArtifactChange>
  /** A tracker, project, membership or permission has changed. */
  readonly changesRights: boolean
  readonly next: FeedCursor
  readonly has_more: boolean
}

const EVENT_BATCH_SIZE = 2000

/** All changes after the cursor, up to the horizon of `state`. */
export async function readFeedChanges(tx: Tx, cursor: FeedCursor, { epoch, horizon }: FeedState): Promise<FeedChanges> {
  const events = await readEventsAfter(tx, cursor, EVENT_BATCH_SIZE)
  const has_more = events.length === EVENT_BATCH_SIZE
  const last = events.at(-1)
  const changed = new Map<ArtifactId, ArtifactChange>()
  for (const event of events) {
    const id = eventArtifactId(event)
    if (id !== undefined) changed.set(id, mergeEvent(changed.get(id), event))
  }
  return {
    changed,
    changesRights: events.some(({ type }) => RIGHTS_EVENT_TYPE.test(type)),
    next: has_more && last ? { epoch, position: last.position } : { epoch, ...horizon },
    has_more,
  }
}

const RIGHTS_EVENT_TYPE = /^(tracker|project|member|rights)\./
const ARTIFACT_OBJECT = /^artifacts\/(\d+)$/

function eventArtifactId({ type, object }: Event): ArtifactId | undefined {
  if (!type.startsWith('artifact.') && !type.startsWith('comment.')) return undefined
  const id = Number(ARTIFACT_OBJECT.exec(object ?? '')?.[1])
  return isId<ArtifactId>(id) ? id : undefined
}

const Payload = Type.Object({
  tracker_id: Type.Optional(Type.Integer()),
  from: Type.Optional(Type.Object({ tracker_id: Type.Optional(Type.Integer()) })),
  version: Type.Optional(Type.Integer()),
})

function mergeEvent(before: ArtifactChange | undefined, { type, payload }: Event): ArtifactChange {
  const parsed = Check(Payload, payload) ? payload : {}
  const trackers = [parsed.tracker_id, parsed.from?.tracker_id].filter((id) => id !== undefined)
  return {
    trackers: new Set([...(before?.trackers ?? []), ...trackers]),
    isCreated: before?.isCreated === true || type === 'artifact.created',
    version: before?.version ?? parsed.version ?? null,
  }
}

/** The changed artifacts that are or were in this tracker. */
export function changedArtifactsOf({ changed }: FeedChanges, tracker: TrackerId): ArtifactId[] {
  return [...changed].flatMap(([id, { trackers }]) => (trackers.has(tracker) ? [id] : []))
}
