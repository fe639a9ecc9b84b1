import { ApiError } from '../../platform/messages/errors.ts'

/**
 * Scopes of keys: API write and read, Subversion write and read, and sensitive changes (together with `write:rest`).
 */
const SCOPES = ['write:rest', 'read:rest', 'write:svn', 'read:svn', 'write:account'] as const

/** Scopes that are included in another one. */
const INCLUDED_IN: ReadonlyMap<string, string> = new Map([
  ['read:rest', 'write:rest'],
  ['read:svn', 'write:svn'],
])

/** Drops unknown scopes: clients of older servers may send scopes without meaning here. */
export function readScopes(given: readonly string[] | undefined): string[] {
  if (given === undefined) return ['write:rest']
  const malformed = given.findIndex((scope) => !/^[^\s:]+:[^\s:]+$/.test(scope))
  if (malformed !== -1)
    throw new ApiError('scope_invalid', { path: `scopes[${malformed}]`, rule: 'pattern', allowed: SCOPES })
  const known = SCOPES.filter((scope) => given.includes(scope))
  if (known.length === 0) throw new ApiError('scope_invalid', { path: 'scopes', rule: 'one_of', allowed: SCOPES })
  return known
}

/** Refuses scopes that the key of the caller neither has nor includes. */
export function requireScopesWithin(wanted: readonly string[], own: readonly string[]): void {
  const has = (scope: string) => own.includes(scope) || own.includes(INCLUDED_IN.get(scope) ?? '')
  if (wanted.every(has)) return
  throw new ApiError('scope_invalid', { path: 'scopes', rule: 'one_of', allowed: SCOPES.filter(has) })
}
