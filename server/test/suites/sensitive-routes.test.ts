import { expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { SITE_ADMIN } from '../fixtures/permission-rules.ts'
import { RIGHTS } from '../fixtures/rights.ts'

/** Changes of account credentials, and every write of site administration. */
const SENSITIVE = [
  'changePassword',
  'createAccessKey',
  'createDirectory',
  'createIdentityProvider',
  'createInvitationLink',
  'createUser',
  'deleteAccessKey',
  'deleteDirectory',
  'deleteIdentityProvider',
  'eraseUser',
  'giveUpJob',
  'requestExport',
  'retryJob',
  'updateDirectory',
  'updateIdentityProvider',
  'updateSettings',
  'updateUser',
]

/**
 * Requires a site administrator, but is not site administration: importers run with a key,
 * `who_may_invite` controls invitations, and link types are words for links that grant no permission.
 */
const NO_SITE_ADMINISTRATION = [
  'beginImport',
  'createInvitations',
  'restoreRepository',
  'createLinkType',
  'updateLinkType',
  'deleteLinkType',
]

test('K06 every change of credentials and every write of site administration is declared sensitive', () => {
  const declared = ROUTES.filter(({ sensitive }) => sensitive).map(({ operationId }) => operationId)
  expect(declared.toSorted()).toEqual(SENSITIVE)
  expect(undeclared(ROUTES)).toEqual([])
})

test('K06 an administrative write without the declaration is found', () => {
  const stripped = ROUTES.map((route) => {
    const { sensitive: _, ...others } = route
    return others
  })
  expect(undeclared(stripped)).toEqual([
    'createUser',
    'eraseUser',
    'createInvitationLink',
    'createIdentityProvider',
    'updateIdentityProvider',
    'deleteIdentityProvider',
    'createDirectory',
    'updateDirectory',
    'deleteDirectory',
    'updateSettings',
    'retryJob',
    'giveUpJob',
  ])
})

/** Writes for site administrators that are not declared sensitive, in the order of the list. */
function undeclared(routes: readonly Route[]): string[] {
  return routes
    .filter(({ writes, sensitive, operationId }) => writes && !sensitive && RIGHTS[operationId]?.right === SITE_ADMIN)
    .map(({ operationId }) => operationId)
    .filter((operationId) => !NO_SITE_ADMINISTRATION.includes(operationId))
}
