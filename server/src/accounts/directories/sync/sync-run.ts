import { isDeepStrictEqual } from 'node:util'
import type { Origin } from '../../../platform/database/audit.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import type { Directory } from '../directory.ts'
import { emptyCounts, type SyncCounts } from '../directory-settings.ts'

/** The state and the counters of one run of the sync. */
export interface SyncRun {
  readonly context: Context
  readonly directory: Directory
  readonly origin: Origin
  readonly counts: SyncCounts
  /** Parts that were left out, for administrators. */
  readonly notes: string[]
  /** The ids of all entries that were read. */
  readonly seen: Set<string>
  /** Accounts of the entries that were read, by DN and by login, if groups need them. */
  readonly members: Map<string, AccountId> | undefined
}

/** The sync is nobody: its changes have no actor in the audit log. */
const SYNC_VIEWER: Viewer = { is_site_admin: true, language: null, time_zone: null }

export function createSyncRun(context: Context, directory: Directory): SyncRun {
  const { groups_base, group_mappings } = directory.settings
  return {
    context,
    directory,
    origin: { viewer: SYNC_VIEWER, request_id: null, address: null, isSilent: true },
    counts: emptyCounts(),
    notes: [],
    seen: new Set(),
    members: groups_base !== null && group_mappings.length > 0 ? new Map() : undefined,
  }
}

/** The members of `after` that differ. */
export function findChangedValues<T extends object>(before: T, after: T): object | undefined {
  const old = new Map<string, unknown>(Object.entries(before))
  const names = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
  return names.length === 0 ? undefined : Object.fromEntries(names)
}
