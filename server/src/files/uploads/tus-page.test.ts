import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { Upload } from 'tus-js-client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MadeTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import {
  announce,
  attach,
  callBytes,
  makeFileTracker,
  patchUpload,
  TUS,
  uploadTestFile,
} from '../../../test/fixtures/uploads.ts'

const { api, clock, context } = await startWorld({ seedOnce: true })
let papers: number
let parcels: MadeTracker
beforeAll(async () => {
  parcels = await makeFileTracker(api)
  papers = parcels.field('papers')
})

let count = 0
const begin = (size: number) => announce(api, papers, size, { name: `upload-${++count}.txt` })
const head = (id: number, as = TOM) => callBytes(api, `/uploads/${id}`, { as, method: 'HEAD', headers: TUS })
const offsetOf = async (id: number) => (await head(id)).headers.get('upload-offset')
const download = (id: number) => callBytes(api, `/files/${id}/upload-${count}.txt`, { as: TOM })
const reasonOf = ({ status, text }: { status: number; text: string }) =>
  text === '' ? String(status) : `${status} ${JSON.parse(text).error.reason}`

/** Waits until a request holds the lease on the file. */
async function untilLeased(id: number): Promise<void> {
  const leases = async () =>
    (await sql`select from file where id = ${id} and writer is not null`.execute(context.db)).rows.length
  await expect.poll(leases).toBe(1)
}

/** A PATCH whose body the test sends manually. */
function open(id: number, headers: Record<string, string | number> = {}) {
  const outgoing = request(new URL(`/uploads/${id}`, api.origin), {
    method: 'PATCH',
    headers: {
      'x-auth-accesskey': TOM.key,
      ...TUS,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  })
  outgoing.on('error', () => {}) // The connection is cut on purpose.
  return outgoing
}

describe('/uploads/{id}', () => {
  test('accepts a file in parts, and reports the offset', async () => {
    const id = await begin(10)

    const fresh = await head(id)
    expect(fresh.status).toBe(200)
    expect(Object.fromEntries(fresh.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'upload-length': '10',
      'cache-control': 'no-store',
    })
    const first = await patchUpload(api, id, 0, 'Hello,')
    expect([first.status, first.headers.get('upload-offset'), first.headers.get('tus-resumable')]).toEqual([
      204,
      '6',
      '1.0.0',
    ])
    expect(await offsetOf(id)).toBe('6')
    const last = await patchUpload(api, id, 6, ' you')
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '10'])
    expect((await download(id)).text).toBe('Hello, you')
    expect((await head(id)).status).toBe(404) // Finished.
    expect(await attach(api, parcels, [id])).toEqual(expect.any(Number))
  })

  test('works with tus-js-client, from the start and from the middle', async () => {
    const bytes = Buffer.alloc(300_000, 'tus')
    const id = await begin(bytes.length)
    await patchUpload(api, id, 0, bytes.subarray(0, 100_000))

    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        uploadUrl: `${api.origin}/uploads/${id}`,
        headers: { 'X-Auth-AccessKey': TOM.key },
        chunkSize: 120_000,
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
    expect((await download(id)).bytes.equals(bytes)).toBe(true)
  })

  test('works with tus-js-client without PATCH', async () => {
    const bytes = Buffer.from('overridden')
    const id = await begin(bytes.length)

    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        uploadUrl: `${api.origin}/uploads/${id}`,
        headers: { 'X-Auth-AccessKey': TOM.key },
        overridePatchMethod: true,
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
    expect((await download(id)).text).toBe('overridden')
  })

  test('describes itself to everyone', async () => {
    const { status, headers, text } = await callBytes(api, '/uploads/999', { method: 'OPTIONS' })

    expect([status, text]).toEqual([204, ''])
    expect(Object.fromEntries(headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'termination',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'OPTIONS, HEAD, POST, PATCH, DELETE',
      'access-control-max-age': '600',
    })
    expect(headers.get('tus-resumable')).toBeNull()
    expect(headers.get('access-control-allow-headers')).toContain('Upload-Offset')
    expect(headers.get('access-control-expose-headers')).toContain('Upload-Offset')
  })

  test('deletes an unfinished upload', async () => {
    const id = await begin(10)
    await patchUpload(api, id, 0, 'Hello')
    const cancelled = await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'DELETE', headers: TUS })

    expect([cancelled.status, cancelled.headers.get('tus-resumable')]).toEqual([204, '1.0.0'])
    expect((await head(id)).status).toBe(404)
    expect((await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'DELETE', headers: TUS })).status).toBe(404)
  })

  test('I28 honours X-HTTP-Method-Override on this path only', async () => {
    const id = await begin(5)
    const post = (override: string, headers = {}, body?: string) =>
      callBytes(api, `/uploads/${id}`, {
        as: TOM,
        method: 'POST',
        headers: { ...TUS, 'x-http-method-override': override, ...headers },
        ...(body !== undefined && { body }),
      })

    expect((await post('head')).headers.get('upload-offset')).toBe('0')
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    expect((await post('PATCH', type, 'abc')).headers.get('upload-offset')).toBe('3')
    expect(reasonOf(await post('PUT'))).toBe('405 method_not_allowed')
    expect((await post('DELETE')).status).toBe(204)
    expect(
      (await api.post('/projects', { as: TOM, headers: { 'x-http-method-override': 'GET' }, body: {} })).status,
    ).toBe(400)
  })
})

describe('/uploads/{id} refuses', () => {
  test.each([
    ['no Upload-Offset', { 'upload-offset': '' }, '400 parameter_invalid'],
    ['an Upload-Offset that is none', { 'upload-offset': '-1' }, '400 parameter_invalid'],
    ['an Upload-Offset with letters', { 'upload-offset': '0x0' }, '400 parameter_invalid'],
    ['an Upload-Offset without end', { 'upload-offset': '9'.repeat(30) }, '400 parameter_invalid'],
    ['a gap', { 'upload-offset': '3' }, '409 upload_offset_mismatch'],
    ['a place behind the end', { 'upload-offset': '11' }, '409 upload_offset_mismatch'],
    ['another type', { 'content-type': 'application/octet-stream' }, '415 unsupported_media_type'],
    ['an encoding', { 'content-encoding': 'gzip' }, '415 unsupported_media_type'],
    ['another version', { 'tus-resumable': '0.2.2' }, '412 version_mismatch'],
  ])('I21 %s', async (_, headers, expected) => {
    const id = await begin(10)
    const answer = await patchUpload(api, id, 0, 'Hello', { headers })

    expect(reasonOf(answer)).toBe(expected)
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    expect(answer.headers.get('tus-version')).toBe(expected.startsWith('412') ? '1.0.0' : null)
    expect(await offsetOf(id)).toBe('0')
  })

  test('a request without a version', async () => {
    const id = await begin(10)
    for (const method of ['HEAD', 'DELETE']) {
      const answer = await callBytes(api, `/uploads/${id}`, { as: TOM, method })
      expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    }
    const headers = { 'content-type': 'application/offset+octet-stream' }
    const silent = await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'PATCH', headers, body: 'x' })
    expect(silent.status).toBe(412)
    const placeless = await callBytes(api, `/uploads/${id}`, {
      as: TOM,
      method: 'PATCH',
      headers: { ...headers, ...TUS },
      body: 'x',
    })
    expect(reasonOf(placeless)).toBe('400 parameter_required')
  })

  test('other callers, as if the upload did not exist', async () => {
    const id = await begin(10)

    expect((await head(id, MARA)).status).toBe(404)
    expect(reasonOf(await patchUpload(api, id, 0, 'x', { as: MARA }))).toBe('404 not_found')
    expect((await callBytes(api, `/uploads/${id}`, { as: MARA, method: 'DELETE', headers: TUS })).status).toBe(404)
    expect(reasonOf(await patchUpload(api, 999_999, 0, 'x'))).toBe('404 not_found')
    expect((await callBytes(api, '/uploads/x', { as: TOM, method: 'HEAD', headers: TUS })).status).toBe(400)
    const anonymous = await callBytes(api, `/uploads/${id}`, { method: 'HEAD', headers: TUS })
    expect(anonymous.status).toBe(401)
    expect(anonymous.headers.get('www-authenticate')).toContain('AccessKey')
  })

  test('other methods', async () => {
    const id = await begin(10)
    for (const method of ['GET', 'POST', 'PUT']) {
      const answer = await callBytes(api, `/uploads/${id}`, { as: TOM, method, headers: TUS })
      expect(reasonOf(answer)).toBe('405 method_not_allowed')
      expect(answer.headers.get('allow')).toBe('OPTIONS, HEAD, POST, PATCH, DELETE')
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    }
  })

  test('expired uploads', async () => {
    const id = await begin(10)
    clock.advance(4 * 3_600_000)

    expect((await head(id)).status).toBe(404)
    expect(reasonOf(await patchUpload(api, id, 0, 'x'))).toBe('404 not_found')
  })

  test('a cookie sent by a foreign page', async () => {
    const id = await begin(10)
    const { cookie } = await signInWithCookie(api, TOM)
    const sent = (headers: Record<string, string>) =>
      callBytes(api, `/uploads/${id}`, {
        method: 'PATCH',
        headers: {
          ...TUS,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          cookie,
          ...headers,
        },
        body: 'Hello',
      })

    expect(reasonOf(await sent({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }))).toBe(
      '403 cross_site_cookie',
    )
    expect(reasonOf(await sent({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }))).toBe(
      '403 cross_site_cookie',
    )
    expect((await sent(SAME_ORIGIN_HEADERS)).status).toBe(204)
  })

  test.each(['with a length', 'in chunks'])(
    'I21 more than the remaining bytes, %s, and keeps none of them',
    async (how) => {
      const id = await begin(10)
      await patchUpload(api, id, 0, 'Hello')
      const outgoing = open(id, { 'upload-offset': 5, ...(how === 'with a length' && { 'content-length': 7 }) })
      outgoing.write('12345')
      if (how === 'in chunks') await untilLeased(id)
      outgoing.end('67')
      const [incoming] = await once(outgoing, 'response')

      expect(incoming.statusCode).toBe(413)
      expect(await offsetOf(id)).toBe('5')
      expect((await patchUpload(api, id, 5, '12345')).status).toBe(204)
    },
  )
})

describe('an interrupted upload', () => {
  test('keeps the bytes received, and resumes there', async () => {
    const id = await begin(10)
    const outgoing = open(id, { 'content-length': 10 })
    outgoing.write('Hello')
    await untilLeased(id)
    outgoing.destroy()

    await expect.poll(() => offsetOf(id)).toBe('5')
    await expect.poll(async () => (await patchUpload(api, id, 5, ' you!')).status).toBe(204)
    expect((await download(id)).text).toBe('Hello you!')
  })

  test('is locked during a request, so one of two concurrent requests is refused', async () => {
    const id = await begin(10)
    const outgoing = open(id, { 'content-length': 10 })
    outgoing.write('Hello')
    await untilLeased(id)
    expect(reasonOf(await patchUpload(api, id, 0, 'other'))).toBe('423 upload_locked')
    outgoing.end(' you!')
    const [incoming] = await once(outgoing, 'response')
    expect(incoming.statusCode).toBe(204)
    expect((await download(id)).text).toBe('Hello you!')

    const other = await begin(10)
    const answers = await Promise.all(['aaaaaaaaaa', 'bbbbbbbbbb'].map((body) => patchUpload(api, other, 0, body)))
    const won = answers.findIndex(({ status }) => status === 204)
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(['404', '409', '423']).toContain(String(answers[1 - won]?.status))
    expect((await download(other)).text).toBe(won === 0 ? 'aaaaaaaaaa' : 'bbbbbbbbbb')
  })

  test('is answered although the refused body is not read, and the connection stays usable', async () => {
    const id = await begin(10)
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    const lines = (method: string, more: string[]) =>
      [
        `${method} /uploads/${id} HTTP/1.1`,
        'Host: x',
        `X-Auth-AccessKey: ${TOM.key}`,
        'Tus-Resumable: 1.0.0',
        ...more,
        '',
        '',
      ].join('\r\n')
    socket.write(
      lines('PATCH', ['Upload-Offset: 7', 'Content-Type: application/offset+octet-stream', 'Content-Length: 5']),
    )
    await expect.poll(() => received).toContain('409 Conflict')
    socket.write(`Hello${lines('HEAD', [])}`)
    await expect.poll(() => received).toContain('HTTP/1.1 200 OK')
    socket.destroy()
  })
})

test('concurrent uploads of one account are all complete', async () => {
  const ids = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      uploadTestFile(api, papers, `content ${at}`.repeat(1000), { name: `many-${at}` }),
    ),
  )

  for (const [at, id] of ids.entries())
    expect((await callBytes(api, `/files/${id}/many-${at}`, { as: TOM })).text).toBe(`content ${at}`.repeat(1000))
})
