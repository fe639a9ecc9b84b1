import { request } from 'node:http'
import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { attach, type BytesAnswer, callBytes, makeFileTracker, uploadTestFile } from '../../../test/fixtures/uploads.ts'

const { api, context } = await startWorld({ seedOnce: true })
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  callBytes(api, path, { as: OLGA, headers, method })
const attached = async (bytes: Buffer | string, name = 'letters.txt', type = 'text/plain', field = 'papers') => {
  const as = field === 'papers' ? TOM : MARA
  const id = await uploadTestFile(api, parcels.field(field), bytes, { name, type, as })
  const artifact = await attach(api, parcels, [id], { as, field })
  return { id, artifact, path: `/files/${id}/${encodeURIComponent(name)}` }
}
const reasonOf = ({ status, text }: BytesAnswer) => `${status} ${JSON.parse(text).error.reason}`

describe('GET /files/{id}/{name}', () => {
  test('sends the bytes with protective headers', async () => {
    const { path } = await attached(LETTERS)
    const { status, headers, text } = await get(path)

    expect([status, text]).toEqual([200, LETTERS])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'content-disposition': `inline; filename="letters.txt"; filename*=UTF-8''letters.txt`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: '"71c480df93d6ae2f1efad1447c66c9525e316218cf51fc8d9ed832f2daf18b73"',
      'last-modified': 'Sun, 01 Mar 2026 09:30:00 GMT',
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('sends an empty file', async () => {
    const { path } = await attached('')
    const answer = await get(path)

    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([200, '', '0'])
    expect((await get(path, { range: 'bytes=0-' })).status).toBe(416)
  })

  test('redirects another name to the right one', async () => {
    const { id, path } = await attached(LETTERS, 'Plän #1.txt')
    for (const other of [`/files/${id}/x`, `/files/${id}`, `/files/${id}/`, `/files/${id}/a/b`]) {
      const { status, headers } = await get(other)
      expect([status, headers.get('location')]).toEqual([302, path])
    }
    expect((await get(path)).status).toBe(200)
  })

  test.each([
    ['41-engine.png', '/files/41/engine.png'],
    ['41', '/files/41/'],
    ['preview/41-engine.png', '/files/41/preview'],
    ['41-a%0d%0ab%2f%2fc.png', '/files/41/a%0D%0Ab%2F%2Fc.png'],
  ])('is the target of /plugins/tracker/attachments/%s', async (old, now) => {
    const { status, headers } = await get(`/plugins/tracker/attachments/${old}`)
    expect([status, headers.get('location')]).toEqual([302, now])
  })

  test('is for viewers who see the artifact and may read the field', async () => {
    const { path } = await attached(LETTERS)
    const secret = await attached('for few', 'secret.txt', 'text/plain', 'secrets')

    expect((await callBytes(api, path)).text).toBe(LETTERS)
    expect((await callBytes(api, secret.path, { as: MARA })).text).toBe('for few')
    expect(reasonOf(await callBytes(api, secret.path, { as: TOM }))).toBe('404 not_found')
    expect(reasonOf(await callBytes(api, secret.path))).toBe('401 authentication_required')
    expect(reasonOf(await callBytes(api, `/files/${secret.id}/wrong`, { as: TOM }))).toBe('404 not_found')
    expect(reasonOf(await callBytes(api, '/files/999999/x', { as: TOM }))).toBe('404 not_found')
    expect(reasonOf(await callBytes(api, '/files/nonsense/x', { as: TOM }))).toBe('400 id_malformed')
  })

  test('shows a free file to its uploader only', async () => {
    const id = await uploadTestFile(api, parcels.field('papers'), LETTERS, { name: 'free.txt' })

    expect((await callBytes(api, `/files/${id}/free.txt`, { as: TOM })).text).toBe(LETTERS)
    expect((await callBytes(api, `/files/${id}/free.txt`, { as: MARA })).status).toBe(404)
    expect((await callBytes(api, `/files/${id}/free.txt`)).status).toBe(401)
  })

  test('ignores a cookie on a cross-site request, and offers people the link again', async () => {
    const { path } = await attached('for few', 'se"cret<b>.txt', 'text/plain', 'secrets')
    const { cookie } = await signInWithCookie(api, MARA)
    const visit = (headers: Record<string, string>) => callBytes(api, path, { headers: { cookie, ...headers } })

    expect((await visit({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).text).toBe('for few')
    expect((await visit({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' })).text).toBe('for few')
    expect((await visit(SAME_ORIGIN_HEADERS)).text).toBe('for few')
    const image = await visit({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })
    expect(reasonOf(image)).toBe('403 cross_site_cookie')
    const link = await visit({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
    expect([link.status, link.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(link.text).toContain(`<a href="${path}">`)
    const free = await attached(LETTERS)
    const open = await callBytes(api, free.path, {
      headers: { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    })
    expect(open.text).toBe(LETTERS)
  })

  test('fails visibly when bytes are missing', async () => {
    const { path } = await attached(`${LETTERS}!`)
    await sql`update file set size = 40, received = 40 where name = 'letters.txt'
      and digest in (select digest from file_content where size = 27)`.execute(context.db)
    const outgoing = request(new URL(path, api.origin), { headers: { 'x-auth-accesskey': OLGA.key } })
    outgoing.end()
    const [incoming] = await once(outgoing, 'response')
    incoming.resume()

    await expect(once(incoming, 'end')).rejects.toThrow(/aborted/)
  })
})

describe('a range of a file', () => {
  let path = ''
  let etag = ''
  beforeAll(async () => {
    ;({ path } = await attached(LETTERS))
    etag = String((await get(path)).headers.get('etag'))
  })

  test.each([
    ['bytes=0-0', 206, 'a', 'bytes 0-0/26'],
    ['bytes=2-4', 206, 'cde', 'bytes 2-4/26'],
    ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=20-9999', 206, 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 206, 'xyz', 'bytes 23-25/26'],
    ['bytes=-100', 206, LETTERS, 'bytes 0-25/26'],
    ['BYTES=0-1', 206, 'ab', 'bytes 0-1/26'],
    ['bytes=0-1,3-4', 200, LETTERS, null],
    ['bytes=4-2', 200, LETTERS, null],
    ['bytes=-', 200, LETTERS, null],
    ['bytes=a-b', 200, LETTERS, null],
    ['lines=0-1', 200, LETTERS, null],
    [`bytes=${Array.from({ length: 1000 }, (_, at) => `0-${at}`).join(',')}`, 200, LETTERS, null],
  ])('I35 %.30s', async (range, status, text, part) => {
    const answer = await get(path, { range })

    expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([status, text, part])
    expect(answer.headers.get('content-length')).toBe(String(text.length))
  })

  test.each(['bytes=26-', 'bytes=999-1000', 'bytes=-0'])('I35 %s is not satisfiable', async (range) => {
    const answer = await get(path, { range })

    expect(reasonOf(answer)).toBe('416 range_not_satisfiable')
    expect(answer.headers.get('content-range')).toBe('bytes */26')
  })

  test('depends on the version that the reader has', async () => {
    const asked = async (unless: string) => (await get(path, { range: 'bytes=0-1', 'if-range': unless })).status

    expect(await asked(etag)).toBe(206)
    expect(await asked('Sun, 01 Mar 2026 09:30:00 GMT')).toBe(206)
    for (const other of [`W/${etag}`, '"other"', 'Sun, 01 Mar 2026 09:30:01 GMT', 'nonsense', etag.slice(1, -1)])
      expect(await asked(other)).toBe(200)
  })

  test('of many bytes is correct at any offset', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))
    const large = await attached(bytes, 'large.bin', 'application/octet-stream')
    for (const [first, last] of [
      [0, 65_535],
      [65_535, 65_536],
      [131_071, 199_999],
      [199_999, 199_999],
    ] as const) {
      const { bytes: part } = await get(large.path, { range: `bytes=${first}-${last}` })
      expect(part.equals(bytes.subarray(first, last + 1))).toBe(true)
    }
  })
})

describe('a reader who has the file in the cache', () => {
  test('gets 304', async () => {
    const { path } = await attached(LETTERS)
    const etag = String((await get(path)).headers.get('etag'))
    const summarize = async (headers: Record<string, string>, method = 'GET') => {
      const { status, text } = await get(path, headers, method)
      return [status, text.length]
    }

    for (const tags of [etag, `"x", ${etag}`, '*', `W/${etag}`])
      expect(await summarize({ 'if-none-match': tags })).toEqual([304, 0])
    expect(await summarize({ 'if-none-match': etag }, 'HEAD')).toEqual([304, 0])
    expect(await summarize({ 'if-none-match': '"x"' })).toEqual([200, 26])
    expect(await summarize({ 'if-modified-since': 'Sun, 01 Mar 2026 09:30:00 GMT' })).toEqual([304, 0])
    expect(await summarize({ 'if-modified-since': 'Sun, 01 Mar 2026 09:29:59 GMT' })).toEqual([200, 26])
    expect(await summarize({ 'if-modified-since': 'nonsense' })).toEqual([200, 26])
    const both = { 'if-none-match': '"x"', 'if-modified-since': 'Sun, 01 Mar 2026 09:30:00 GMT' }
    expect(await summarize(both)).toEqual([200, 26])
    const { headers } = await get(path, { 'if-none-match': etag })
    expect(Object.fromEntries(headers)).toMatchObject({ etag, 'cache-control': 'private, no-cache' })
    expect(headers.get('content-length')).toBeNull()
  })

  test('gets the same refusal as everyone once they may no longer read it', async () => {
    const { path } = await attached('for few', 'secret.txt', 'text/plain', 'secrets')
    const etag = String((await callBytes(api, path, { as: MARA })).headers.get('etag'))

    expect((await callBytes(api, path, { as: MARA, headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await callBytes(api, path, { as: TOM, headers: { 'if-none-match': etag } })).status).toBe(404)
  })
})

describe('HEAD of a file', () => {
  test('answers like GET, without the bytes', async () => {
    const { path } = await attached(LETTERS)
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')]
    const summarize = ({ status, headers }: BytesAnswer) => {
      const { date: _, 'x-request-id': __, connection: ___, 'keep-alive': ____, ...rest } = Object.fromEntries(headers)
      return { status, ...rest }
    }

    expect(summarize(head)).toEqual(summarize(whole))
    expect(head.text).toBe('')
    expect((await get(path, { range: 'bytes=0-1' }, 'HEAD')).status).toBe(200)
  })
})

describe('the content headers for browsers', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

  test.each([
    ['a picture', PNG, 'image/png', 'image/png', 'inline'],
    ['a picture, said in capitals', PNG, 'IMAGE/PNG; x=y', 'image/png', 'inline'],
    ['a GIF', GIF, 'image/gif', 'image/gif', 'inline'],
    ['text', 'hello', 'text/plain', 'text/plain; charset=utf-8', 'inline'],
    ['PDF', '%PDF-1.7\n%äöü\n', 'application/pdf', 'application/pdf', 'inline'],
    ['a picture that is said to be something else', PNG, 'image/gif', 'image/png', 'attachment'],
    ['a picture that is said to be a page', PNG, 'text/html', 'image/png', 'attachment'],
    ['SVG', SVG, 'image/svg+xml', 'application/octet-stream', 'attachment'],
    ['SVG that is said to be a picture', SVG, 'image/png', 'application/octet-stream', 'attachment'],
    ['SVG that is said to be text', SVG, 'text/plain', 'application/octet-stream', 'attachment'],
    ['a page', '<!doctype html><script>1</script>', 'text/html', 'application/octet-stream', 'attachment'],
    ['a page that is said to be text', '<html>hi', 'text/plain', 'application/octet-stream', 'attachment'],
    ['text that is said to be a page', 'hello', 'text/html', 'text/plain; charset=utf-8', 'attachment'],
    ['XML', '<?xml version="1.0"?><a/>', 'text/xml', 'application/octet-stream', 'attachment'],
    [
      'a GIF with a script in it',
      Buffer.concat([GIF, Buffer.from('<script>1</script>')]),
      'image/gif',
      'application/octet-stream',
      'attachment',
    ],
    [
      'PDF behind a picture',
      Buffer.concat([PNG, Buffer.from('%PDF-1.7')]),
      'image/png',
      'application/octet-stream',
      'attachment',
    ],
    ['anything', Buffer.from([0, 1, 2, 3]), 'application/pdf', 'application/octet-stream', 'attachment'],
  ])('%s', async (_, bytes, said, type, how) => {
    const { path } = await attached(bytes, 'thing', said)
    const { headers } = await get(path)

    expect([headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]).toEqual([type, how])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each([
    ['"; filename=evil.exe', `"_; filename=evil.exe"`, '%22%3B%20filename%3Devil.exe'],
    ['naïve €.txt', '"na_ve _.txt"', 'na%C3%AFve%20%E2%82%AC.txt'],
    ["it's (1)*.txt", `"it's (1)_.txt"`, 'it%27s%20%281%29%2A.txt'],
    ['%2e%2e%2fx', '"_2e_2e_2fx"', '%252e%252e%252fx'],
    ['-rf', '"-rf"', '-rf'],
    ['CON', '"CON"', 'CON'],
    ['\u{1F34F}.txt', '"__.txt"', '%F0%9F%8D%8F.txt'],
    ['a\u200Fb.txt', '"a_b.txt"', 'a%E2%80%8Fb.txt'],
  ])('I23 the name %s is one parameter of one header', async (name, plain, encoded) => {
    const { path } = await attached(LETTERS, name)
    const { status, headers } = await get(path)

    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe(`inline; filename=${plain}; filename*=UTF-8''${encoded}`)
  })

  test('I37 addresses are decoded once', async () => {
    const { id } = await attached(LETTERS, '%2e%2e')

    expect((await get(`/files/${id}/%252e%252e`)).status).toBe(200)
    expect((await get(`/files/${id}/%252525`)).headers.get('location')).toBe(`/files/${id}/%252e%252e`)
  })

  test('names of maximum length have an address', async () => {
    const { path } = await attached(LETTERS, '\u{1F34F}'.repeat(127))

    expect((await get(path)).status).toBe(200)
  })
})
