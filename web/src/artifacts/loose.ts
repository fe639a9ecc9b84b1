/** The API leaves open what values hold, because each type of field holds something else: it is looked at before it is used. */
export function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

export function listIn(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : []
}

export function recordsIn(given: unknown): readonly Record<string, unknown>[] {
  return listIn(given).filter(isRecord)
}

export function textIn(given: unknown): string {
  if (typeof given === 'string') return given
  return typeof given === 'number' ? String(given) : ''
}

export function keyIn(given: unknown): number | string | undefined {
  return typeof given === 'number' || typeof given === 'string' ? given : undefined
}

export function numberIn(given: unknown): number | undefined {
  return typeof given === 'number' ? given : undefined
}
