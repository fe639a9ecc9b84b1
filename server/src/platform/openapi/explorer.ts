import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../operation/config.ts'
import { matchesBytes } from '../wire/etag.ts'
import { describeApi } from './describe-api.ts'
import type { Route } from '../http/route.ts'
import { REASONS_PATH } from '../messages/problem-details.ts'
import { renderReasonsPage } from './reasons-page.ts'
import { toSwagger2 } from './swagger2.ts'

interface Document {
  type: string
  bytes: Buffer
  etag: string
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

const PAGE = new URL('../../../assets/explorer/', import.meta.url)
const FILES = new Map([
  ['explorer.js', { type: SCRIPT, file: new URL('explorer.js', PAGE) }],
  ['explorer.css', { type: STYLE, file: new URL('explorer.css', PAGE) }],
  ['icon.svg', { type: 'image/svg+xml', file: new URL('icon.svg', PAGE) }],
  [
    'swagger-ui-bundle.js',
    { type: SCRIPT, file: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')) },
  ],
  ['swagger-ui.css', { type: STYLE, file: new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')) }],
])

/** Forbids all other origins: neither the page nor a key typed into it can leave. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The paths of the page and its files: literal, public, and not part of the described API. */
export const EXPLORER = [
  '/openapi.json',
  ...['', '/errors', '/openapi.json', '/swagger.json', ...FILES.keys().map((name) => `/${name}`)].map(
    (path) => `/explorer${path}`,
  ),
].map((path) => ({ method: 'GET' as const, path }))

/** A page on which people read the API description and try calls. It works offline. */
export function serveExplorer(
  server: FastifyInstance,
  prefix: string,
  routes: readonly Route[],
  { WAYPOST_PUBLIC_URL }: Config,
): void {
  const page = once(async () => document(HTML, await readFile(new URL('explorer.html', PAGE))))
  const openapi = once(async () => document(JSON_TYPE, JSON.stringify(describeApi(routes))))
  const swagger = once(async () =>
    document(JSON_TYPE, JSON.stringify(toSwagger2(describeApi(routes), WAYPOST_PUBLIC_URL))),
  )

  server.get(`${prefix}/explorer`, async (request, reply) => {
    const [path = '', query] = request.url.split('?')
    // Without the slash, relative links of the page would not resolve.
    if (!path.endsWith('/')) return reply.redirect(`${path}/${query === undefined ? '' : `?${query}`}`, 301)
    return show(request, reply.header('content-security-policy', POLICY), await page())
  })
  const reasons = once(async () => document(HTML, renderReasonsPage()))
  server.get(`${prefix}${REASONS_PATH}`, async (request, reply) =>
    show(request, reply.header('content-security-policy', POLICY), await reasons()),
  )
  for (const path of ['/openapi.json', '/explorer/openapi.json'])
    server.get(prefix + path, async (request, reply) => show(request, reply, await openapi()))
  server.get(`${prefix}/explorer/swagger.json`, async (request, reply) => show(request, reply, await swagger()))
  for (const [name, { type, file }] of FILES) {
    const content = once(async () => document(type, await readFile(file)))
    server.get(`${prefix}/explorer/${name}`, async (request, reply) => show(request, reply, await content()))
  }
}

function show(request: FastifyRequest, reply: FastifyReply, { type, bytes, etag }: Document): FastifyReply {
  reply.header('etag', etag).header('cache-control', 'no-cache')
  if (matchesBytes(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send()
  return reply.header('content-type', type).send(bytes)
}

function document(type: string, content: string | Buffer): Document {
  const bytes = Buffer.from(content)
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** Lazy: created on first use, then cached. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
