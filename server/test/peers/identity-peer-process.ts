import { createServer } from 'node:http'
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
  UnsecuredJWT,
  decodeJwt,
  decodeProtectedHeader,
} from 'jose'
import { type OidcContext, Provider } from 'oidc-provider'

// A provider of OpenID Connect in a separate process: `oidc-provider` with people, keys that can be replaced, and tokens
// that can be spoiled on their way out.

interface Configuration {
  readonly clients: object[]
  readonly people: Record<string, Record<string, unknown>>
}

// oxlint-disable-next-line no-console -- The package prints hints for production.
console.warn = () => {}

let configuration: Configuration = { clients: [], people: {} }
let key: JWK = {}
let strangersKey: JWK = {}
let provider: Provider | undefined
let spoiling: string | undefined
let origin = ''
let answered = 0
let isDown = false

const server = createServer((request, response) => {
  answered++
  if (isDown || !provider) {
    response.writeHead(503).end()
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', origin)
  const [, what, uid, step] = pathname.split('/')
  if (what === 'interaction' && provider) {
    const task = step === 'login' ? login(searchParams.get('person') ?? '') : showPeople(uid ?? '')
    void task.catch((error: unknown) => response.writeHead(500).end(String(error)))
  } else provider.callback()(request, response)

  async function login(accountId: string): Promise<void> {
    await provider?.interactionFinished(request, response, { login: { accountId, remember: true } })
  }

  async function showPeople(interaction: string): Promise<void> {
    const links = Object.keys(configuration.people).map(
      (person) => `<p><a href="/interaction/${interaction}/login?person=${person}">${person}</a></p>`,
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Company</title><h1>Company sign-in</h1>${links.join('')}`)
  }
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  process.send?.({ origin })
})

process.on('message', (order: Record<string, unknown>) => void obey(order))
process.once('disconnect', () => process.exit())

async function obey(order: Record<string, unknown>): Promise<void> {
  try {
    process.send?.({ result: await run(order) })
  } catch (error) {
    process.send?.({ failed: String(error) })
  }
}

async function run(order: Record<string, unknown>): Promise<unknown> {
  switch (order['do']) {
    case 'configure':
      configuration = readConfiguration(order)
      spoiling = undefined
      isDown = false
      await replaceKey(order['kid'])
      return undefined
    case 'rotate':
      return replaceKey(order['kid'])
    case 'people':
      configuration = { ...configuration, people: readConfiguration(order).people }
      return undefined
    case 'spoil':
      spoiling = textIn(order['how'])
      return undefined
    case 'down':
      isDown = order['is'] === true
      return undefined
    case 'logout': {
      const client = await provider?.Client.find('waypost')
      return client?.backchannelLogout(String(order['subject']), textIn(order['sid']))
    }
    case 'sign':
      return signToken(isRecord(order['claims']) ? order['claims'] : {}, textIn(order['typ']) ?? 'logout+jwt')
    case 'answered':
      return answered
    default:
      throw new Error(`Unknown order ${JSON.stringify(order)}`)
  }
}

function readConfiguration(order: Record<string, unknown>): Configuration {
  const clients = Array.isArray(order['clients']) ? order['clients'].filter(isRecord) : []
  const people: Configuration['people'] = {}
  if (isRecord(order['people']))
    for (const [name, claims] of Object.entries(order['people'])) if (isRecord(claims)) people[name] = claims
  return { clients, people }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** New keys begin with a new provider; sessions, codes and grants stay. */
async function replaceKey(kid: unknown): Promise<void> {
  key = { ...(await newKey()), kid: textIn(kid) ?? `key-${Date.now()}` }
  strangersKey = { ...(await newKey()), kid: key.kid ?? '' }
  provider = createProvider()
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }
}

function createProvider(): Provider {
  const made = new Provider(origin, {
    clients: configuration.clients,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [key] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: { keys: ['a key of the tests'] },
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // The provider does not call loopback addresses, unless it is told how.
    fetch: (address: string, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) =>
      globalThis.fetch(address, options),
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 3600, Grant: 3600 },
    findAccount: (_: unknown, accountId: string) => {
      const claims = configuration.people[accountId]
      return claims && { accountId, claims: () => ({ sub: accountId, ...claims }) }
    },
    async loadExistingGrant(ctx: OidcContext) {
      const clientId = ctx.oidc.client?.clientId ?? ''
      const grant = new made.Grant({ clientId, accountId: ctx.oidc.session.accountId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  made.use(async (ctx, next) => {
    await next()
    if (
      ctx.path === '/token' &&
      spoiling !== undefined &&
      isRecord(ctx.body) &&
      typeof ctx.body['id_token'] === 'string'
    )
      ctx.body = { ...ctx.body, id_token: await spoil(ctx.body['id_token'], spoiling) }
  })
  return made
}

/** The ID token as an attacker, or a broken provider, would send it. */
async function spoil(token: string, how: string): Promise<string> {
  const claims = decodeJwt(token)
  const { alg = 'ES256' } = decodeProtectedHeader(token)
  const now = Math.floor(Date.now() / 1000)
  const changes: Record<string, Record<string, unknown>> = {
    audience: { aud: 'another client' },
    audiences: { aud: ['waypost', 'another client'], azp: 'another client' },
    issuer: { iss: 'https://another.example' },
    expired: { exp: now - 3600, iat: now - 7200 },
    future: { iat: now + 3600, nbf: now + 3600 },
    nonce: { nonce: 'the nonce of another sign-in' },
    no_nonce: { nonce: undefined },
    no_subject: { sub: undefined },
    long_subject: { sub: 's'.repeat(300) },
    nul_subject: { sub: 'a\0b' },
  }
  const changed = JSON.parse(JSON.stringify({ ...claims, ...changes[how] }))
  if (how === 'none') return new UnsecuredJWT(changed).encode()
  if (how === 'unsigned') return `${token.split('.').slice(0, 2).join('.')}.`
  if (how === 'secret')
    return new SignJWT(changed)
      .setProtectedHeader({ alg: 'HS256', kid: key.kid ?? '' })
      .sign(Buffer.from(JSON.stringify(publicPart(key))))
  if (how === 'strangers_key') return sign(changed, strangersKey, alg)
  if (how === 'signature') return `${token.slice(0, -6)}AAAAAA`
  return sign(changed, key, alg)
}

function publicPart({ d: _private, ...rest }: JWK): JWK {
  return rest
}

async function sign(claims: Record<string, unknown>, by: JWK, alg: string, typ?: string): Promise<string> {
  const header = { alg, kid: by.kid ?? '', ...(typ !== undefined && { typ }) }
  return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(by, alg))
}

function signToken(claims: Record<string, unknown>, typ: string): Promise<string> {
  return sign(claims, claims['by_stranger'] === true ? strangersKey : key, 'ES256', typ)
}
