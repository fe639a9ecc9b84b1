import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  None,
  type ServerMetadata,
} from 'openid-client'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { createProviderFetch, PROVIDER_TIMEOUT_MS } from './provider-requests.ts'
import { readIdentitySecret } from './identity-secret.ts'

const DOCUMENT_TTL_MS = 600_000
/** Signatures by a public key only. A shared secret, or none, would let the client sign for the provider. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** How the provider describes itself, as of the last minutes. */
export async function loadProviderMetadata(context: Context, provider: IdentityProvider): Promise<ServerMetadata> {
  const document = await context.identityMemory.load(metadataKey(provider), DOCUMENT_TTL_MS, () =>
    discoverProvider(context, provider),
  )
  return { ...document, issuer: provider.settings.issuer }
}

/** Not by name: a provider that is made again under the same name may be another one. */
function metadataKey({ settings: { issuer, is_internal } }: IdentityProvider): string {
  return `${is_internal} ${issuer}`
}

export async function discoverProvider(context: Context, { settings }: IdentityProvider): Promise<ServerMetadata> {
  const { issuer, client_id } = settings
  const found = await discovery(new URL(issuer), client_id, undefined, None(), {
    timeout: PROVIDER_TIMEOUT_MS / 1000,
    [customFetch]: createProviderFetch(context, settings),
    ...(isPlain(issuer) && { execute: [allowInsecureRequests] }),
  })
  return { ...found.serverMetadata() }
}

/** The client of this platform at the provider, with its secret, by our clock. */
export async function createProviderClient(context: Context, provider: IdentityProvider): Promise<Configuration> {
  const { issuer, client_id, client_authentication, clock_tolerance_seconds } = provider.settings
  const metadata = await loadProviderMetadata(context, provider)
  const skew = Math.round((context.clock.now().getTime() - Date.now()) / 1000)
  const client = new Configuration(
    metadata,
    client_id,
    { [clockSkew]: skew, [clockTolerance]: clock_tolerance_seconds },
    toClientAuth(
      client_authentication,
      await readIdentitySecret(context, 'identity_provider', {
        secret: provider.secret,
        file: provider.settings.client_secret_file,
      }),
    ),
  )
  client[customFetch] = createProviderFetch(context, provider.settings)
  client.timeout = PROVIDER_TIMEOUT_MS / 1000
  if (isPlain(issuer)) allowInsecureRequests(client)
  return client
}

function toClientAuth(
  method: IdentityProvider['settings']['client_authentication'],
  secret: string | undefined,
): ClientAuth {
  if (method === 'none') return None()
  if (secret === undefined) throw new Error('The secret of the client is missing.')
  return method === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret)
}

/** Allowed for a provider on this machine only; `requireProviderRules` and each request check it. */
function isPlain(issuer: string): boolean {
  return issuer.startsWith('http:')
}

/**
 * The claims of a token that the provider has signed for this client. If the key is unknown, the keys are loaded again,
 * if `mayRefresh` allows it: anonymous callers must not make this server call the provider at will.
 */
export async function verifyProviderToken(
  context: Context,
  provider: IdentityProvider,
  token: string,
  { mayRefresh, ...options }: JWTVerifyOptions & { readonly mayRefresh: () => boolean },
): Promise<JWTPayload> {
  const { issuer, client_id, clock_tolerance_seconds } = provider.settings
  const verify = async (maxAgeMs: number) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(await loadKeys(context, provider, maxAgeMs)), {
      ...options,
      issuer,
      audience: client_id,
      algorithms: ALGORITHMS,
      clockTolerance: clock_tolerance_seconds,
      currentDate: context.clock.now(),
    })
    return payload
  }
  try {
    return await verify(DOCUMENT_TTL_MS)
  } catch (error) {
    // A key may also be replaced under the same id.
    const mayBeOld = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
    if (!mayBeOld || !mayRefresh()) throw error
    return verify(0)
  }
}

async function loadKeys(context: Context, provider: IdentityProvider, maxAgeMs: number): Promise<JSONWebKeySet> {
  const { jwks_uri } = await loadProviderMetadata(context, provider)
  if (jwks_uri === undefined) throw new Error('The provider names no `jwks_uri`.')
  const document = await context.identityMemory.load(`${metadataKey(provider)} ${jwks_uri}`, maxAgeMs, () =>
    fetchKeys(context, provider, jwks_uri),
  )
  return isKeySet(document) ? document : { keys: [] }
}

export async function fetchKeys(
  context: Context,
  { settings }: IdentityProvider,
  address: string,
): Promise<JSONWebKeySet> {
  const fetchOne = createProviderFetch(context, settings)
  const answer = await fetchOne(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: null,
    redirect: 'manual',
  })
  const document: unknown = answer.status === 200 ? await answer.json() : undefined
  if (!isKeySet(document)) throw new Error(`The keys of the provider (${address}) are not a list of JSON web keys.`)
  return document
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isRecord(value) && Array.isArray(value['keys']) && value['keys'].every(isRecord)
}
