import type { AccountId } from '../../platform/http/viewer.ts'
import { isId } from '../../platform/database/ids.ts'
import type { Structure, Tracker, TrackerId } from '../tracker.ts'
import type { ElementDocument, TrackerDefinition } from './schemas.ts'

/** The references of a document to other trackers and accounts, by name. */
export function referencedNames(document: TrackerDefinition): { trackers: string[]; logins: string[] } {
  const elements = [...(document.elements ?? []), ...(document.unused_elements ?? [])].flatMap(withContent)
  const { timeframe } = document.semantics ?? {}
  return {
    trackers: [
      ...(document.hierarchy?.parent == null ? [] : [document.hierarchy.parent]),
      ...(document.triggers ?? []).flatMap(({ when }) => when.map(({ tracker }) => tracker)),
      ...(timeframe && 'implied_from' in timeframe ? [timeframe.implied_from] : []),
      ...elements.flatMap(({ shared_from }) => (shared_from == null ? [] : [splitShared(shared_from).tracker])),
    ],
    logins: elements.flatMap(({ bind }) => (bind?.type === 'users' ? (bind.default ?? []) : [])),
  }
}

/** The references of a tracker to other trackers and accounts, by id. */
export function referencedIds(tracker: Structure & Partial<Pick<Tracker, 'parent_id'>>): {
  trackers: TrackerId[]
  accounts: AccountId[]
  shared: number[]
} {
  const { timeframe } = tracker.semantics
  return {
    trackers: [
      ...(tracker.parent_id == null ? [] : [tracker.parent_id]),
      ...tracker.triggers.flatMap(({ when }) => when.map(({ tracker_id }) => tracker_id)),
      ...(timeframe && 'implied_from' in timeframe ? [timeframe.implied_from] : []),
    ],
    accounts: tracker.elements.flatMap(({ bind, default: initial }) =>
      bind?.type === 'users' && Array.isArray(initial) ? initial.filter(isAccountId) : [],
    ),
    shared: tracker.elements.flatMap(({ shared_from }) => shared_from ?? []),
  }
}

/** `orchard/bug.status`: the field follows the last dot; names contain no dots. */
export function splitShared(shared: string): { tracker: string; field: string } {
  const at = shared.lastIndexOf('.')
  return { tracker: shared.slice(0, Math.max(at, 0)), field: shared.slice(at + 1) }
}

function withContent(element: ElementDocument): ElementDocument[] {
  return [element, ...(element.content ?? []).flatMap(withContent)]
}

function isAccountId(value: unknown): value is AccountId {
  return typeof value === 'number' && isId<AccountId>(value)
}
