/** Readers for JSON without a type: kept drafts, details of refusals, parts of the structure. */
export function isJsonRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

export function jsonObjects(given: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(given) ? given.filter(isJsonRecord) : []
}

export function jsonText(given: unknown): string {
  if (typeof given === 'string') return given
  return typeof given === 'number' ? String(given) : ''
}

export function jsonNumber(given: unknown): number | undefined {
  return typeof given === 'number' ? given : undefined
}

/** Stored text; undefined if it is not JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
