import { isDeepStrictEqual } from 'node:util'

/** The members that differ, for the audit log. */
export function differenceOfSettings(before: object, after: object) {
  const old = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, old.get(name)])),
    after: Object.fromEntries(changed),
  }
}
