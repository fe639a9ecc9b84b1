/** The router parses numeric parameters as numbers; convert them back to text. */
export function readSearchWord(name: string, word: unknown): Record<string, string> {
  return typeof word === 'string' || typeof word === 'number' ? { [name]: String(word) } : {}
}

/** The revision in the address; absent: the newest. */
export function readRevisionSearch({ rev }: { rev?: unknown }): { rev?: number } {
  return typeof rev === 'number' && Number.isSafeInteger(rev) && rev >= 0 ? { rev } : {}
}

export function readLogSearch({ author, text, ...search }: Record<string, unknown>): {
  rev?: number
  author?: string
  text?: string
} {
  return { ...readRevisionSearch(search), ...readSearchWord('author', author), ...readSearchWord('text', text) }
}
