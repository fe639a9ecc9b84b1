import { LRUCache } from 'lru-cache'
import { MAX_ROW_VERSION_AGE_MS } from '../../platform/database/row-version.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { MeasuredCache } from '../../platform/operation/metrics.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { EntryVersions } from './entry-versions.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly listEntries: EntryCache
  }
}

/** A list entry as it was sent, valid while tracker, artifact and people are unchanged. */
export interface ListEntry {
  readonly tracker: LoadedTracker
  readonly version: string
  readonly people: readonly (readonly [id: number, version: string | undefined])[]
  readonly bytes: Buffer
}

export interface EntryCache extends MeasuredCache {
  /** The entry, if these are the versions that it was made of. `form` names everything else that it depends on. */
  find(form: string, id: ArtifactId, tracker: LoadedTracker, versions: EntryVersions): Buffer | undefined
  store(form: string, id: ArtifactId, entry: ListEntry): void
}

/** Estimates of what an entry takes beside its bytes. */
const ENTRY_OVERHEAD_BYTES = 400
const PERSON_BYTES = 150

/** Bounded by bytes. Entries may be evicted at any time. */
export function createEntryCache({ WAYPOST_CACHE_MIB }: Pick<Config, 'WAYPOST_CACHE_MIB'>): EntryCache {
  const maxSize = Math.floor(WAYPOST_CACHE_MIB * 1024 * 1024)
  const entries = new LRUCache<string, ListEntry>({
    maxSize: Math.max(1, maxSize),
    sizeCalculation: ({ bytes, people }) => bytes.length + people.length * PERSON_BYTES + ENTRY_OVERHEAD_BYTES,
    ttl: MAX_ROW_VERSION_AGE_MS,
  })
  let hits = 0
  let misses = 0
  return {
    find(form, id, tracker, versions) {
      const known = entries.get(`${id} ${form}`)
      const isValid = known && known.tracker === tracker && isCurrent(known, versions.artifacts.get(id), versions)
      if (isValid) hits++
      else misses++
      return isValid ? known.bytes : undefined
    },
    store(form, id, entry) {
      entries.set(`${id} ${form}`, entry)
    },
    state: () => ({ hits, misses, bytes: entries.calculatedSize }),
  }
}

function isCurrent({ version, people }: ListEntry, now: string | undefined, versions: EntryVersions): boolean {
  return version === now && people.every(([id, known]) => known !== undefined && versions.people.get(id) === known)
}
