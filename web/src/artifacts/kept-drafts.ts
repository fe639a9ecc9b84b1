const PREFIX = 'waypost.draft.'

/** What somebody has begun and not sent, on this device: a closed tab or an expired session loses nothing. */
export function keepDraft(name: string, draft: unknown): void {
  if (draft === undefined) localStorage.removeItem(PREFIX + name)
  else localStorage.setItem(PREFIX + name, JSON.stringify(draft))
}

export function keptDraft(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null')
  } catch {
    return null
  }
}

/** Who signs out leaves nothing to the next. */
export function forgetDrafts(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
}
