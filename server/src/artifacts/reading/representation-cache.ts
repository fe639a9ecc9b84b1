import { LRUCache } from 'lru-cache'
import type { StoredReply } from '../../platform/http/route-call.ts'
import type { Db } from '../../platform/database/db.ts'
import { MAX_ROW_VERSION_AGE_MS } from '../../platform/database/row-version.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { MeasuredCache } from '../../platform/operation/metrics.ts'
import type { SettingValues } from '../../platform/operation/settings.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { IncomingReferences } from '../links/incoming-references.ts'
import { compileRowVersions, type RowExtent, type RowVersionsStatements, type StampedTracker } from './row-versions.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly representations: RepresentationCache
  }
}

/** The state that a representation was made of; it is valid while all of this is the same. */
export interface Basis {
  /** `RowVersions.text`. */
  readonly versions: string
  /** The rights of its viewers in all trackers concerned. */
  readonly rights: string
  readonly extent: RowExtent
  readonly settings: SettingValues
  /** The trackers concerned, in the access versions of `versions`. */
  readonly trackers: readonly StampedTracker[]
}

/** A stored representation; its body may have been evicted. */
export interface CachedRepresentation extends Basis, StoredReply {
  /** The last state of the database in which `versions` were compared; changed by each comparison. */
  readonly valid: { snapshot: string }
}

/** The representations of one artifact in one form, by the rights of the viewer in its tracker. */
interface Slot {
  readonly tracker_id: TrackerId
  /** `requested`: once until now. Rarely read artifacts are not worth reading their row versions. */
  readonly answers: ReadonlyMap<string, 'requested' | Omit<CachedRepresentation, 'body'>>
}

export interface RepresentationCache extends MeasuredCache {
  readonly isOn: boolean
  readonly statements: RowVersionsStatements
  /** The tracker in which the artifact was last seen. */
  findTracker(key: string): TrackerId | undefined
  find(key: string, own: string): 'requested' | CachedRepresentation | undefined
  noteRequest(key: string, own: string, tracker: TrackerId): void
  store(key: string, own: string, tracker: TrackerId, answer: CachedRepresentation): void
  count(result: 'hit' | 'miss'): void
}

/** The share of the memory for slots: ETags and row versions, which stay longer than bodies. */
const SLOT_SHARE = 1 / 4
/** Estimates of what an entry takes beside its texts. */
const SLOT_OVERHEAD_BYTES = 500
const ANSWER_OVERHEAD_BYTES = 600
const BODY_OVERHEAD_BYTES = 400
const MAX_ANSWERS_PER_SLOT = 50

/** Representations as they were sent, bounded by bytes. Entries may be evicted at any time. */
export function createRepresentationCache(
  { WAYPOST_CACHE_MIB }: Pick<Config, 'WAYPOST_CACHE_MIB'>,
  db: Db,
  elsewhere: readonly IncomingReferences[],
): RepresentationCache {
  const bytes = WAYPOST_CACHE_MIB * 1024 * 1024
  const slotBytes = Math.max(1, Math.floor(bytes * SLOT_SHARE))
  const slots = new LRUCache<string, Slot>({
    maxSize: slotBytes,
    sizeCalculation: sizeOfSlot,
    ttl: MAX_ROW_VERSION_AGE_MS,
    noUpdateTTL: true, // A new answer must not prolong the life of the others.
  })
  const bodies = new LRUCache<string, Buffer>({
    maxSize: Math.max(1, bytes - slotBytes),
    sizeCalculation: (body, key) => body.length + 2 * key.length + BODY_OVERHEAD_BYTES,
  })
  let hits = 0
  let misses = 0
  const put = (key: string, own: string, tracker_id: TrackerId, answer: 'requested' | CachedRepresentation) => {
    const slot = slots.get(key)
    // In another tracker after a move: its groups are others.
    const known = slot?.tracker_id === tracker_id ? [...slot.answers].filter(([each]) => each !== own) : []
    const kept = known.slice(1 - MAX_ANSWERS_PER_SLOT)
    slots.set(key, { tracker_id, answers: new Map([...kept, [own, withoutBody(answer)]]) })
  }
  return {
    isOn: bytes > 0,
    statements: compileRowVersions(db, elsewhere),
    findTracker: (key) => slots.get(key)?.tracker_id,
    find(key, own) {
      const answer = slots.get(key)?.answers.get(own)
      if (answer === undefined || answer === 'requested') return answer
      const body = bodies.get(bodyKey(key, own, answer))
      return body ? { ...answer, body } : answer
    },
    noteRequest(key, own, tracker) {
      if (slots.get(key)?.answers.get(own) === undefined) put(key, own, tracker, 'requested')
    },
    store(key, own, tracker, answer) {
      put(key, own, tracker, answer)
      if (answer.body) bodies.set(bodyKey(key, own, answer), answer.body)
    },
    count(result) {
      if (result === 'hit') hits++
      else misses++
    },
    state: () => ({ hits, misses, bytes: slots.calculatedSize + bodies.calculatedSize }),
  }
}

/** The ETag names the bytes: a body is never taken for that of another version. */
function bodyKey(key: string, own: string, { etag }: Pick<StoredReply, 'etag'>): string {
  return `${key} ${own} ${etag}`
}

function withoutBody(answer: 'requested' | CachedRepresentation): 'requested' | Omit<CachedRepresentation, 'body'> {
  if (answer === 'requested') return answer
  const { body: _, ...kept } = answer
  return kept
}

function sizeOfSlot({ answers }: Slot, key: string): number {
  let size = SLOT_OVERHEAD_BYTES + 2 * key.length
  for (const [own, answer] of answers) size += 2 * own.length + sizeOfAnswer(answer)
  return size
}

function sizeOfAnswer(answer: 'requested' | Omit<CachedRepresentation, 'body'>): number {
  if (answer === 'requested') return 0
  return ANSWER_OVERHEAD_BYTES + answer.versions.length + 2 * answer.rights.length
}
