import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { NamedObject, ObjectKindName } from '../../../artifacts/object-kinds.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import type { Event } from '../../../platform/database/events.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { LoadedTracker } from '../../../trackers/load-tracker.ts'
import type { FieldId } from '../../../trackers/tracker.ts'
import type { Level } from '../level.ts'

/** The field with the mention; 0: the comment. */
export type MentionLocation = FieldId | 0

/** An event with all involved people, regardless of their permissions. */
export interface NotificationContext {
  readonly event: Event
  /** Only for events of an artifact. */
  readonly tracker?: LoadedTracker
  /** The level chosen for the nearest object, and the kind of that object. */
  readonly watchers: ReadonlyMap<AccountId, ChosenLevel>
  /** Members of the project whose default level is above `mentions`. */
  readonly eager: ReadonlySet<AccountId>
  readonly mentioned: ReadonlyMap<AccountId, readonly MentionLocation[]>
  /** `isNew`: not assigned before. */
  readonly assigned: ReadonlyMap<AccountId, { readonly isNew: boolean }>
  /** Members of people fields whose tracker setting notifies them. */
  readonly listed: ReadonlyMap<AccountId, readonly FieldId[]>
  readonly submitter: AccountId | null
  readonly commentedBefore: ReadonlySet<AccountId>
}

export interface ChosenLevel {
  readonly level: Level
  readonly kind: ObjectKindName
}

const Payload = Type.Object({
  version: Type.Optional(Type.Integer()),
  tracker_id: Type.Optional(Type.Integer()),
  silent: Type.Optional(Type.Boolean()),
  from: Type.Optional(Type.Object({ tracker_id: Type.Integer(), project_id: Type.Integer() })),
})

/** Other events notify no one: they are internal, or their object is gone. */
const NOTIFIED_EVENT_TYPES = [
  'artifact.created',
  'artifact.updated',
  'artifact.deleted',
  'artifact.restored',
  'artifact.moved',
  'tracker.created',
  'tracker.changed',
  'tracker.deleted',
  'tracker.restored',
  'project.changed',
  'member.added',
  'member.removed',
]
/** A comment belongs to a version, which has an event of its own: one change, one notice. */
const VERSION_EVENT_TYPES = ['artifact.created', 'artifact.updated', 'artifact.restored']

export interface EventOutline {
  readonly event: Event
  /** The object and its containers, nearest first. */
  readonly around: readonly NamedObject[]
  readonly artifact?: { readonly id: ArtifactId; readonly version: number; readonly writes: boolean }
}

/** The subject of an event; undefined: the event notifies no one. */
export function toEventOutline(event: Event): EventOutline | undefined {
  const { type, object, project_id } = event
  const payload = Check(Payload, event.payload) ? event.payload : {}
  if (!NOTIFIED_EVENT_TYPES.includes(type) || payload.silent || object === null) return undefined
  const { tracker_id, from, version } = payload
  const around: NamedObject[] = [
    ...(tracker_id === undefined ? [] : [{ kind: 'tracker' as const, id: tracker_id }]),
    ...(from ? [{ kind: 'tracker' as const, id: from.tracker_id }] : []),
    ...(project_id === null ? [] : [{ kind: 'project' as const, id: project_id }]),
    ...(from ? [{ kind: 'project' as const, id: from.project_id }] : []),
  ]
  if (!type.startsWith('artifact.')) return { event, around }
  const id = toId<ArtifactId>(Number(object.split('/')[1]))
  return {
    event,
    around: [{ kind: 'artifact', id }, ...around],
    ...(version !== undefined && { artifact: { id, version, writes: VERSION_EVENT_TYPES.includes(type) } }),
  }
}
