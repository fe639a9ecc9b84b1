import type { Route } from '../../platform/http/route.ts'
import { createIdentityProvider } from './create-identity-provider.ts'
import { deleteIdentityProvider } from './delete-identity-provider.ts'
import { endSessionsByProvider } from './end-sessions-by-provider.ts'
import { getIdentityProvider } from './get-identity-provider.ts'
import { getSignInOptions } from './get-sign-in-options.ts'
import { listIdentityProviders } from './list-identity-providers.ts'
import { testIdentityProvider } from './test-identity-provider.ts'
import { updateIdentityProvider } from './update-identity-provider.ts'

/** The routes of sign-in providers. */
export const IDENTITY_ROUTES: readonly Route[] = [
  getSignInOptions,
  listIdentityProviders,
  createIdentityProvider,
  getIdentityProvider,
  updateIdentityProvider,
  deleteIdentityProvider,
  testIdentityProvider,
  endSessionsByProvider,
]
