import type { IncomingHttpHeaders } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { EXPLORER } from '../../../src/platform/openapi/explorer.ts'
import { readWebUi } from '../../../src/platform/http/web-ui.ts'
import { WELL_KNOWN_PAGES } from '../../../src/platform/http/well-known.ts'
import type { MadeTracker } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ONE_PIXEL } from '../../fixtures/one-pixel.ts'
import { TOM } from '../../fixtures/people.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attach, callBytes, makeFileTracker, uploadTestFile } from '../../fixtures/uploads.ts'
import { targetAddress, usualOptions, targetPath, TARGETS } from './inputs.ts'
import { exchangeRaw } from './raw-socket.ts'

const FILES_HOST = 'https://files.example'
const folder = await mkdtemp(join(tmpdir(), 'waypost-pages-'))
afterAll(() => rm(folder, { recursive: true }))
await writeFile(join(folder, 'index.html'), '<!doctype html><title>Waypost</title>')
const webUi = await readWebUi(folder)
const { api, context } = await startWorld({
  seedOnce: true,
  environment: { WAYPOST_FILES_URL: FILES_HOST },
  ...(webUi && { webUi }),
})
await seedTestArtifacts(context.db)

/** Lists the responses that lack one of the two headers. */
function policies(headers: IncomingHttpHeaders | Headers, name: string): string {
  const get = (header: string) => String(headers instanceof Headers ? headers.get(header) : headers[header])
  return `${name}: ${get('cross-origin-resource-policy')}, ${get('cross-origin-opener-policy')}`
}

const CLOSED = 'same-origin, same-origin'
const EMBEDDABLE = 'cross-origin, same-origin'

describe('Cross-Origin-Resource-Policy and Cross-Origin-Opener-Policy', () => {
  test('B01 are on the responses of every route: allowed, anonymous, OPTIONS and HEAD', async () => {
    const open: string[] = []
    for (const target of TARGETS) {
      const { method } = target.route
      const answers = await Promise.all([
        api.request(method, targetAddress(target), usualOptions(target)),
        api.request(method, targetPath(target)),
        api.request('OPTIONS', targetPath(target)),
        ...(method === 'GET' ? [api.request('HEAD', targetAddress(target), usualOptions(target))] : []),
      ])
      for (const { status, headers } of answers) {
        const found = policies(headers, `${target.name} ${status}`)
        if (!found.endsWith(`: ${CLOSED}`)) open.push(found)
      }
    }
    expect(open).toEqual([])
  })

  test.each([
    '/',
    '/sign-in',
    '/api',
    '/api/nothing',
    '/nothing',
    '/api/projects/%zz',
    '/healthz',
    '/readyz',
    '/metrics',
    '/users/tom',
    '/goto?key=art&val=1',
    '/uploads/1',
    ...WELL_KNOWN_PAGES.map(({ path }) => path),
    ...EXPLORER.map(({ path }) => `/api${path}`),
  ])('B01/pages are on %s, and on its 304', async (path) => {
    const fresh = await fetch(api.origin + path, { redirect: 'manual' })
    expect(policies(fresh.headers, path)).toBe(`${path}: ${CLOSED}`)
    const etag = fresh.headers.get('etag')
    if (etag === null) return
    const kept = await fetch(api.origin + path, { headers: { 'if-none-match': etag } })
    expect(kept.status).toBe(304)
    expect(policies(kept.headers, path)).toBe(`${path}: ${CLOSED}`)
  })

  test.each(['NONSENSE\r\n\r\n', `GET /api HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`])(
    'B01/socket are on the error for bytes that are not HTTP',
    async (bytes) => {
      const { answers } = await exchangeRaw(api.origin, bytes)
      expect(policies(answers[0]?.headers ?? {}, 'socket')).toBe(`socket: ${CLOSED}`)
      expect(answers[0]?.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    },
  )

  test('B01/files let pages embed images of the files host and avatars, and nothing else', async () => {
    const parcels: MadeTracker = await makeFileTracker(api)
    const id = await uploadTestFile(api, parcels.field('papers'), 'a paper', { as: TOM, name: 'paper.txt' })
    await attach(api, parcels, [id], { as: TOM, field: 'papers' })
    const path = `/files/${id}/paper.txt`
    const host = new URL(FILES_HOST).host

    const direct = await callBytes(api, path, { headers: { 'x-auth-accesskey': TOM.key } })
    expect(policies(direct.headers, `${direct.status}`)).toBe(`200: ${CLOSED}`)
    const led = await callBytes(api, path)
    expect(policies(led.headers, `${led.status}`)).toBe(`302: ${CLOSED}`)
    const ticketed = String(led.headers.get('location')).replace(FILES_HOST, '')
    const shown = await callBytes(api, ticketed, { headers: { host } })
    expect(policies(shown.headers, `${shown.status}`)).toBe(`200: ${EMBEDDABLE}`)
    const kept = await callBytes(api, ticketed, { headers: { host, 'if-none-match': shown.headers.get('etag') ?? '' } })
    expect(policies(kept.headers, `${kept.status}`)).toBe(`304: ${EMBEDDABLE}`)
    const expired = await callBytes(api, path, { headers: { host } })
    expect(policies(expired.headers, `${expired.status}`)).toBe(`302: ${EMBEDDABLE}`)
    const avatar = await callBytes(api, '/users/tom/avatar.png')
    expect(policies(avatar.headers, `${avatar.status}`)).toBe(`200: ${EMBEDDABLE}`)
    await api.put('/users/self/avatar', { as: TOM, body: { content: ONE_PIXEL } })
    const { json } = await api.get('/users/self', { as: TOM })
    const picture = await callBytes(api, new URL(json.avatar_url).pathname)
    expect(policies(picture.headers, `${picture.status}`)).toBe(`200: ${EMBEDDABLE}`)
  })
})
