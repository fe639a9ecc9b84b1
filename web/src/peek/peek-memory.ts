import { isJsonRecord, jsonNumber, parseJson } from '../json.ts'

const STORAGE_KEY = 'waypost.peek'

export const MIN_PEEK_WIDTH = 352
export const MAX_PEEK_WIDTH = 720
const USUAL_PEEK_WIDTH = 432

interface PeekMemory {
  /** A table opens with the panel. */
  readonly isOpen: boolean
  /** In pixels. */
  readonly width: number
}

/** Kept on the device. */
export function loadPeekMemory(): PeekMemory {
  const stored = parseJson(localStorage.getItem(STORAGE_KEY))
  if (!isJsonRecord(stored)) return { isOpen: false, width: USUAL_PEEK_WIDTH }
  return {
    isOpen: stored['isOpen'] === true,
    width: limitPeekWidth(jsonNumber(stored['width']) ?? USUAL_PEEK_WIDTH),
  }
}

export function storePeekMemory(change: Partial<PeekMemory>): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...loadPeekMemory(), ...change }))
}

/** Signing out deletes it with the other choices of a person. */
export function deletePeekMemory(): void {
  localStorage.removeItem(STORAGE_KEY)
}

export function limitPeekWidth(width: number): number {
  return Math.round(Math.max(MIN_PEEK_WIDTH, Math.min(MAX_PEEK_WIDTH, width)))
}
