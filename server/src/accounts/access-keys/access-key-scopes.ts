import { ApiError } from '../../platform/words/errors.ts'

/** What a key may be good for: all of the API, reading it, Subversion over HTTP. */
const SCOPES = ['write:rest', 'read:rest', 'write:svn'] as const

/** The known ones among the scopes that were asked for; clients of older servers may name some that we have no use for. */
export function readScopes(given: readonly string[] | undefined): string[] {
  if (given === undefined) return ['write:rest']
  const malformed = given.findIndex((scope) => !/^[^\s:]+:[^\s:]+$/.test(scope))
  if (malformed !== -1)
    throw new ApiError('scope_invalid', { path: `scopes[${malformed}]`, rule: 'pattern', allowed: SCOPES })
  const known = SCOPES.filter((scope) => given.includes(scope))
  if (known.length === 0) throw new ApiError('scope_invalid', { path: 'scopes', rule: 'one_of', allowed: SCOPES })
  return known
}
