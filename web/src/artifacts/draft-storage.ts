import { parseJson } from '../json.ts'

const PREFIX = 'waypost.draft.'

/** Keeps unsaved text on this device, so that a closed tab or an expired session loses nothing. */
export function storeDraft(name: string, draft: unknown): void {
  if (draft === undefined) localStorage.removeItem(PREFIX + name)
  else localStorage.setItem(PREFIX + name, JSON.stringify(draft))
}

export function loadDraft(name: string): unknown {
  return parseJson(localStorage.getItem(PREFIX + name))
}

/** Called on sign-out, so that the next person on this device finds no drafts. */
export function deleteDrafts(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
}
