import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedLanguages, languages, selectCatalogue } from '../messages/catalogue.ts'
import type { Config } from '../operation/config.ts'
import { matchesBytes } from '../wire/etag.ts'

/** The built pages for people, in memory: they are small. */
export interface WebUi {
  readonly index: Asset
  readonly files: ReadonlyMap<string, Asset>
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly compressed: Buffer | undefined
  readonly etag: string
}

const MEDIA_TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webmanifest', 'application/manifest+json'],
  ['.woff2', 'font/woff2'],
])

/** The output folder of the web build. */
export const WEB_UI_FOLDER = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

const SERVICE_WORKER = '/service-worker.js'

/** All pages are the same public document; their data comes from the API. */
const PAGE_PATHS = [
  '/',
  '/sign-in',
  '/inbox',
  '/my-work',
  '/report',
  '/search',
  '/help',
  '/help/:topic',
  '/dashboard',
  '/account',
  '/account/*',
  '/projects',
  '/projects/:shortname',
  '/trackers/:id',
  '/trackers/:id/board',
  '/trackers/:id/charts',
  '/trackers/:id/new',
  '/trackers/:id/administration',
  '/trackers/:id/administration/*',
  '/artifacts/:id',
  '/projects/:shortname/*',
  '/administration',
  '/administration/*',
]

/** Forbids other origins, except images from the files host. */
export function contentSecurityPolicy({ WAYPOST_FILES_URL: files }: Pick<Config, 'WAYPOST_FILES_URL'>): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${files ? ` ${files.origin}` : ''}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Undefined: they are not built. */
export async function readWebUi(folder: string): Promise<WebUi | undefined> {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const names = await readdir(folder, { recursive: true })
  const files = new Map<string, Asset>()
  for (const name of names) {
    const type = MEDIA_TYPES.get(extname(name))
    if (type !== undefined) files.set(`/${name}`, await readAsset(join(folder, name), type))
  }
  const index = files.get('/index.html')
  if (!index) return undefined
  files.delete('/index.html')
  return { index, files }
}

/** `language` is that of the site, for visitors whose languages the pages do not have. */
export function serveWebUi(
  server: FastifyInstance,
  { index, files }: WebUi,
  config: Config,
  language: () => string,
): void {
  const policy = contentSecurityPolicy(config)
  const documents = new Map(languages().map((tag) => [tag, inLanguage(index, tag)]))
  for (const address of PAGE_PATHS)
    server.get(address, (request, reply) => {
      const accepted = acceptedLanguages(request.headers['accept-language'])
      const { tag } = selectCatalogue([...accepted, language()])
      reply.headers({ 'content-security-policy': policy, 'content-language': tag })
      return sendAsset(request, reply, documents.get(tag) ?? index, 'no-cache')
    })
  for (const [name, asset] of files) {
    // Files named by content hash never change.
    const cacheControl = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    server.get(name, (request, reply) => {
      // The policy of its script is that of a worker; the default would forbid it every request.
      if (name === SERVICE_WORKER) reply.header('content-security-policy', policy)
      return sendAsset(request, reply, asset, cacheControl)
    })
  }
}

/** The document with this language on its root, where the pages read it. */
function inLanguage(index: Asset, tag: string): Asset {
  const html = index.bytes.toString()
  const bytes = Buffer.from(html.replace('<html lang="en">', `<html lang="${tag}">`))
  if (bytes.equals(index.bytes)) return index
  return { type: index.type, bytes, compressed: brotliCompressSync(bytes), etag: etagOf(bytes) }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, cacheControl: string): FastifyReply {
  const { type, bytes, compressed, etag } = asset
  reply.headers({
    'cache-control': cacheControl,
    etag,
    vary: reply.hasHeader('content-language') ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding',
  })
  if (matchesBytes(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('content-type', type)
  const isTaken = takesBrotli(request.headers['accept-encoding']?.toString() ?? '')
  return compressed && isTaken ? reply.header('content-encoding', 'br').send(compressed) : reply.send(bytes)
}

function takesBrotli(accepted: string): boolean {
  return accepted.split(',').some((each) => {
    const [coding, ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'br' && !parameters.some((part) => part.startsWith('q=') && Number(part.slice(2)) === 0)
  })
}

async function readAsset(file: string, type: string): Promise<Asset> {
  const bytes = await readFile(file)
  const compressed = existsSync(`${file}.br`) ? await readFile(`${file}.br`) : undefined
  return { type, bytes, compressed, etag: etagOf(bytes) }
}
