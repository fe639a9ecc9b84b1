import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { ADA } from '../../../test/fixtures/people.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { contentSecurityPolicy, readWebUi } from './web-ui.ts'

const folder = await mkdtemp(join(tmpdir(), 'waypost-ui-'))
afterAll(() => rm(folder, { recursive: true }))
const PAGE = '<!doctype html><html lang="en"><title>Waypost</title>'
const SCRIPT = 'export const answer = 42'
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'index.html'), PAGE)
await writeFile(join(folder, 'assets', 'index-Bq1.js'), SCRIPT)
await writeFile(join(folder, 'assets', 'index-Bq1.js.br'), brotliCompressSync(SCRIPT))
await writeFile(join(folder, 'assets', 'notes.txt'), 'not for the public')
await mkdir(join(folder, 'icons'))
await writeFile(join(folder, 'icons', 'icon-192.png'), 'PNG')
await writeFile(join(folder, 'manifest.webmanifest'), '{}')
await writeFile(join(folder, 'service-worker.js'), SCRIPT)
const webUi = await readWebUi(folder)
const { api } = await startWorld({ seedOnce: true, ...(webUi && { webUi }) })
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${api.origin}${path}`, { headers })

describe('the built pages', () => {
  test.each([
    '/',
    '/sign-in',
    '/account/keys-tokens',
    '/projects',
    '/projects/orchard',
    '/projects/orchard/repositories/garden/file/a%2541.ts',
    '/trackers/7/board',
    '/trackers/7/charts',
    '/trackers/7/new',
    '/artifacts/12',
    '/administration/users',
    '/trackers/7',
    '/trackers/7/new',
    '/artifacts/12',
    '/trackers/101/administration/workflow',
  ])('are one document, also at %s, for everyone and with any credentials', async (path) => {
    const answer = await get(path, { 'x-auth-accesskey': 'nonsense', cookie: 'waypost=nonsense' })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.has('set-cookie')).toBe(false)
    expect(await answer.text()).toBe(PAGE)
  })

  test('name the language that the browser asks for, else that of the site', async () => {
    const languageOf = async (accepted: string) => {
      const answer = await get('/projects', { 'accept-language': accepted })
      expect(answer.headers.get('vary')).toBe('Accept-Encoding, Accept-Language')
      return [answer.headers.get('content-language'), /lang="(\w+)"/.exec(await answer.text())?.[1]]
    }
    expect(await languageOf('fr, de-CH;q=0.8, en;q=0.5')).toEqual(['de', 'de'])
    expect(await languageOf('fr')).toEqual(['en', 'en'])
    expect((await api.patch('/settings', { as: ADA, body: { language: 'de' } })).status).toBe(200)
    // A process takes over settings with its next request to the API.
    await api.get('/settings', { as: ADA })
    expect(await languageOf('fr')).toEqual(['de', 'de'])
    expect(await languageOf('en-GB')).toEqual(['en', 'en'])
    const [german, english] = [await get('/', { 'accept-language': 'de' }), await get('/', { 'accept-language': 'en' })]
    expect(german.headers.get('etag')).not.toBe(english.headers.get('etag'))
    expect((await api.patch('/settings', { as: ADA, body: { language: 'en' } })).status).toBe(200)
  })

  test('run only scripts of this server, and send nothing elsewhere', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''

    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]),
    )
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["base-uri 'none'", "frame-ancestors 'none'"]))
    expect(policy).not.toContain('unsafe')
  })

  test.each([
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/icons/icon-192.png', 'image/png'],
    ['/service-worker.js', 'text/javascript; charset=utf-8'],
  ])('can be installed: %s', async (path, type) => {
    const answer = await get(path)
    const policy = (await get('/')).headers.get('content-security-policy') ?? ''

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["manifest-src 'self'", "worker-src 'self'"]))
  })

  test('let the service worker, and no other script, send requests', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy')

    expect(await policyOf('/service-worker.js')).toContain("connect-src 'self'")
    expect(await policyOf('/assets/index-Bq1.js')).not.toContain('connect-src')
  })

  test('show images from the files host', () => {
    const files = new URL('https://files.waypost.example/')
    expect(contentSecurityPolicy({ WAYPOST_FILES_URL: null })).toContain("img-src 'self' data:;")
    expect(contentSecurityPolicy({ WAYPOST_FILES_URL: files })).toContain(
      "img-src 'self' data: https://files.waypost.example;",
    )
  })

  test('are cached for ever if named by content hash, and revalidated otherwise', async () => {
    const answer = await get('/assets/index-Bq1.js', { 'accept-encoding': 'identity' })
    const page = await get('/')
    const again = await get('/', { 'if-none-match': page.headers.get('etag') ?? '' })

    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(again.status).toBe(304)
  })

  test.each([
    ['gzip, br', 'br'],
    ['br;q=1.0', 'br'],
    ['gzip', null],
    ['br;q=0, gzip', null],
    ['identity', null],
  ])('are sent to clients that accept %s as %s', async (accepted, encoding) => {
    const answer = await get('/assets/index-Bq1.js', { 'accept-encoding': accepted })

    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(await answer.text()).toBe(SCRIPT)
  })

  test.each([
    '/assets/notes.txt',
    '/assets/index-Bq1.js.br',
    '/index.html',
    '/assets/..%2findex.html',
    '/assets',
    '/assets/',
    '/.git/config',
    '/.svn/entries',
    '/nothing',
  ])('include no other files: %s', async (path) => {
    const answer = await get(path)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { reason: 'route_not_found' } })
  })

  test('are absent if they are not built', async () => {
    expect(await readWebUi(join(folder, 'assets'))).toBeUndefined()
  })
})
