import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import type { Event } from '../../../platform/database/events.ts'
import { toId } from '../../../platform/database/ids.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { LoadedTracker } from '../../../trackers/load-tracker.ts'
import type { FieldId } from '../../../trackers/tracker.ts'
import type { Level } from '../level.ts'
import type { WatchedKind, WatchedObject } from '../watching/watched-object.ts'

/** Where somebody is named; 0: in the comment. */
export type Named = FieldId | 0

/** An event, and everybody who has something to do with it, whatever each of them may know. */
export interface Occasion {
  readonly event: Event
  /** Of an event on an artifact. */
  readonly tracker?: LoadedTracker
  /** The nearest level that each has chosen, and for what. */
  readonly watchers: ReadonlyMap<AccountId, ChosenLevel>
  /** Members of the project who want more than mentions of everything there. */
  readonly eager: ReadonlySet<AccountId>
  readonly mentioned: ReadonlyMap<AccountId, readonly Named[]>
  /** Whether each was not before. */
  readonly assigned: ReadonlyMap<AccountId, { readonly isNew: boolean }>
  /** Those in the lists of people that the tracker tells of changes. */
  readonly listed: ReadonlyMap<AccountId, readonly FieldId[]>
  readonly submitter: AccountId | null
  readonly commentedBefore: ReadonlySet<AccountId>
}

export interface ChosenLevel {
  readonly level: Level
  readonly kind: WatchedKind
}

const Payload = Type.Object({
  version: Type.Optional(Type.Integer()),
  tracker_id: Type.Optional(Type.Integer()),
  silent: Type.Optional(Type.Boolean()),
  from: Type.Optional(Type.Object({ tracker_id: Type.Integer(), project_id: Type.Integer() })),
})

/** Nobody is told of the others: they only concern the server itself, or everything is over. */
const TOLD = [
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
/** A comment comes with a version, of which there is an event too: one change, one notice. */
const WRITES = ['artifact.created', 'artifact.updated', 'artifact.restored']

export interface Outline {
  readonly event: Event
  /** What it is about, and what that is in, the nearest first. */
  readonly around: readonly WatchedObject[]
  readonly artifact?: { readonly id: ArtifactId; readonly version: number; readonly writes: boolean }
}

/** What an event is about; undefined: nobody is told of it. */
export function outlineOf(event: Event): Outline | undefined {
  const { type, object, project_id } = event
  const payload = Check(Payload, event.payload) ? event.payload : {}
  if (!TOLD.includes(type) || payload.silent || object === null) return undefined
  const { tracker_id, from, version } = payload
  const around: WatchedObject[] = [
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
    ...(version !== undefined && { artifact: { id, version, writes: WRITES.includes(type) } }),
  }
}
