import { isJsonRecord, parseJson } from '../json.ts'

const STORAGE_KEY = 'waypost.collapsed'

/** The parts of pages that a person has collapsed or expanded, by name; kept on the device. */
export function loadCollapsed(): ReadonlyMap<string, boolean> {
  const stored = parseJson(localStorage.getItem(STORAGE_KEY))
  const chosen = new Map<string, boolean>()
  for (const [name, value] of Object.entries(isJsonRecord(stored) ? stored : {}))
    if (typeof value === 'boolean') chosen.set(name, value)
  return chosen
}

/** Returns all parts, with this one changed. */
export function storeCollapsed(name: string, isCollapsed: boolean): ReadonlyMap<string, boolean> {
  const next = new Map(loadCollapsed()).set(name, isCollapsed)
  localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(next)))
  return next
}

/** The ids tell what a person works with, so signing out deletes them. */
export function deleteCollapsedParts(): void {
  localStorage.removeItem(STORAGE_KEY)
}
