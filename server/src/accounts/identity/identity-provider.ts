import type { Static } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Config } from '../../platform/operation/config.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import { identityNameParam } from './identity-name.ts'
import type { ProviderAnswer, ProviderSettings } from './provider-settings.ts'

/** A row of `identity_provider`. */
export interface IdentityProvider {
  readonly name: string
  readonly settings: ProviderSettings
  /** Encrypted. */
  readonly secret: Buffer | null
  readonly version: number
}

export const providerParam = identityNameParam('The name of the provider.')

export async function loadProviders(db: Db | Tx): Promise<IdentityProvider[]> {
  return db.selectFrom('identity_provider').select(COLUMNS).orderBy('name').execute()
}

export async function findProvider(db: Db | Tx, name: string): Promise<IdentityProvider | undefined> {
  return db.selectFrom('identity_provider').select(COLUMNS).where('name', '=', name).executeTakeFirst()
}

/** Locks the row, so that changes do not overwrite each other. */
export async function lockProvider(tx: Tx, name: string): Promise<IdentityProvider> {
  const query = tx.selectFrom('identity_provider').select(COLUMNS).where('name', '=', name)
  const found = await query.forUpdate().executeTakeFirst()
  if (!found) throw new ApiError('not_found')
  return found
}

const COLUMNS = ['name', 'settings', 'secret', 'version'] as const

export function providerVersion({ name, version }: Pick<IdentityProvider, 'name' | 'version'>): ResourceVersion {
  return { kind: 'identity_provider', id: name, version }
}

/** The addresses of this platform that the provider has to know. */
export function providerAddresses({ WAYPOST_PUBLIC_URL: base }: Config, name: string) {
  return {
    redirect_uri: new URL(`/sign-in/oidc/${name}/callback`, base).href,
    backchannel_logout_uri: new URL(`/api/identity_providers/${name}/logout`, base).href,
    post_logout_redirect_uri: new URL('/sign-in', base).href,
  }
}

export function representProvider(
  config: Config,
  { name, settings, secret }: IdentityProvider,
): Static<typeof ProviderAnswer> {
  return {
    name,
    uri: `identity_providers/${name}`,
    ...settings,
    client_secret_file: settings.client_secret_file ?? null,
    has_client_secret: secret !== null,
    ...providerAddresses(config, name),
  }
}
