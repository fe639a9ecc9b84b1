import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, TOM } from '../../../test/fixtures/people.ts'
import { URGENT } from '../../../test/fixtures/seed-ids.ts'
import { SAMPLE_ROUTES } from '../../../test/fixtures/sample-routes.ts'

const { api, context } = await startWorld({ routes: SAMPLE_ROUTES })
const { api: narrow } = await startWorld({
  routes: SAMPLE_ROUTES,
  seedOnce: true,
  environment: { WAYPOST_CONCURRENT_REQUESTS: '2' },
})
const sample = `/samples/${URGENT}`
const xml = (body: string) => ({ as: TOM, body, headers: { 'content-type': 'application/xml' } })

describe('addresses', () => {
  test.each([`/api${sample}`, `/api/v1${sample}`, `/api${sample}/`, `/api/Samples/${URGENT}`, `/api${sample}.json`])(
    '%s gives the same response',
    async (path) => {
      const answer = await api.get(path)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ id: URGENT, uri: `samples/${URGENT}`, name: 'urgent' })
    },
  )

  test.each([
    ['/api/v2/samples', 404, 'route_not_found'],
    ['/api/nothing', 404, 'route_not_found'],
    ['/api/samples/abc', 400, 'id_malformed'],
    ['/api/samples/1.5', 400, 'id_malformed'],
    ['/api/samples/-1', 404, 'not_found'],
    ['/api/samples/0', 404, 'not_found'],
    ['/api/samples/9007199254740993', 404, 'not_found'],
    ['/api/samples/%zz', 400, 'parameter_invalid'],
  ])('%s is %i %s', async (path, status, reason) => {
    const answer = await api.get(path)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('a suffix wins over Accept', async () => {
    const answer = await api.get(`${sample}.xml`, { headers: { accept: 'application/json' } })
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8')
  })
})

describe('methods', () => {
  test('OPTIONS needs no credentials, and wrong ones do not matter', async () => {
    const answer = await api.request('OPTIONS', '/samples', { headers: { 'x-auth-accesskey': 'nonsense' } })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(answer.headers).toMatchObject({
      allow: 'OPTIONS, GET, POST',
      'access-control-allow-methods': 'OPTIONS, GET, POST',
      'access-control-allow-origin': '*',
      'access-control-max-age': '600',
    })
    expect(answer.headers).not.toHaveProperty('x-pagination-size')
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test.each(['PATCH', 'DELETE', 'TRACE'])('%s where it does not exist is 405 with Allow', async (method) => {
    const answer = await api.request(method, sample)
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('OPTIONS, GET, PUT')
    expect(answer.json.error.reason).toBe('method_not_allowed')
  })

  test('OPTIONS of an unknown path is 404', async () => {
    expect((await api.request('OPTIONS', '/nothing')).status).toBe(404)
  })

  test('HEAD is GET without a body', async () => {
    const answer = await api.request('HEAD', sample)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(answer.headers.etag).toBe((await api.get(sample)).headers.etag)
  })
})

describe('headers', () => {
  test('are on every response, including errors', async () => {
    for (const path of [sample, '/nothing', '/samples/abc']) {
      const { headers } = await api.get(path, { headers: { 'x-request-id': 'try-7' } })
      expect(headers).toMatchObject({
        'x-request-id': 'try-7',
        vary: 'Accept',
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('X-PAGINATION-SIZE'),
      })
    }
  })

  test('an invalid request id is replaced', async () => {
    const { headers } = await api.get(sample, { headers: { 'x-request-id': 'two words' } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{20}$/)
  })

  test('one large header is 431, all of them together too', async () => {
    const one = await api.get(sample, { headers: { 'x-large': 'x'.repeat(9000) } })
    expect(one).toMatchObject(refused(431, 'header_too_large', { allowed: { maximum: 8192 } }))
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, number) => [`x-${number}`, 'x'.repeat(7000)]))
    const answer = await api.get(sample, { headers: many })
    expect(answer).toMatchObject(refused(431, 'header_too_large', { allowed: { maximum: 32_768 } }))
  })
})

describe('the order of checks', () => {
  const wrongKey = { 'x-auth-accesskey': 'nonsense' }

  test.each([
    ['the route', 'POST', '/nothing', { ...wrongKey, accept: 'image/png' }, 404],
    ['the method', 'PATCH', sample, { ...wrongKey, accept: 'image/png' }, 405],
    ['Accept', 'POST', '/samples', { ...wrongKey, accept: 'image/png' }, 406],
    ['the content type', 'POST', '/samples', { ...wrongKey, 'content-type': 'text/plain' }, 415],
    ['a packed body', 'POST', '/samples', { ...wrongKey, 'content-encoding': 'gzip' }, 415],
    ['credentials', 'POST', '/samples', wrongKey, 401],
    ['credentials at all', 'POST', '/samples', {}, 401],
  ])('%s comes first', async (_, method, path, headers, status) => {
    expect((await api.request(method, path, { headers, body: '{not json' })).status).toBe(status)
  })

  test('then syntax, schema, the id in the path, and the object', async () => {
    const put = async (path: string, body?: unknown) => (await api.put(path, { as: TOM, body })).json.error.reason
    expect(await put('/samples/abc', '{not json')).toBe('body_malformed')
    expect(await put('/samples/abc', {})).toBe('parameter_required')
    expect(await put('/samples/abc')).toBe('body_required')
    expect(await put('/samples/abc', { name: 'x' })).toBe('id_malformed')
  })
})

describe('bodies', () => {
  test('XML and JSON mean the same', async () => {
    const body = '<request><name>From XML</name><weight>3</weight><loud>1</loud><tags><item>a</item></tags></request>'
    const answer = await api.post('/samples', xml(body))
    expect(answer.status).toBe(201)
    expect(answer.json.name).toBe('From XML')
  })

  test('a form is read by the schema', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await api.post('/samples', { as: TOM, headers, body: 'name=By+form&weight=2&loud=true' })).status).toBe(201)
  })

  test.each([
    ['a DOCTYPE', xml('<!DOCTYPE x><request/>'), 'xml_doctype'],
    ['broken XML', xml('<request><name>'), 'body_malformed'],
    ['duplicate members', { as: TOM, body: '{"name":"a","name":"b"}' }, 'body_malformed'],
    [
      'a member of a form given twice',
      { as: TOM, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=a&name=b' },
      'body_malformed',
    ],
    ['a deep body', { as: TOM, body: '['.repeat(100_000) }, 'body_malformed'],
    [
      'bytes that are not UTF-8',
      { as: TOM, body: Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1') },
      'body_malformed',
    ],
    ['a boolean as a word', { as: TOM, body: { name: 'x', loud: 'true' } }, 'parameter_invalid'],
    ['a value that is not offered', { as: TOM, body: { name: 'x', colour: 'green' } }, 'parameter_not_allowed'],
    ['a number too large', { as: TOM, body: { name: 'x', weight: 10 } }, 'parameter_out_of_range'],
    ['a name of spaces', { as: TOM, body: { name: '   ' } }, 'parameter_out_of_range'],
    ['U+0000', { as: TOM, body: { name: 'a\0b' } }, 'parameter_invalid'],
  ])('%s is refused', async (_, options, reason) => {
    const answer = await api.post('/samples', options)
    expect(answer.status).toBe(400)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('a body over the limit is 413, with or without Content-Length', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(9 * 2 ** 20) })
    const withLength = await api.post('/samples', { as: TOM, body })
    const withoutLength = await api
      .post('/samples', { as: TOM, body, headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } })
      .catch(() => undefined)
    expect(withLength.status).toBe(413)
    expect(withLength.json.error.details.allowed).toEqual({ maximum: 8 * 2 ** 20 })
    expect(withoutLength?.status ?? 413).toBe(413)
  })

  test('a JSON type with an empty body counts as no body', async () => {
    expect((await api.get(sample, { headers: { 'content-type': 'application/json' } })).status).toBe(200)
  })

  test('a GET has a body only where its route declares one', async () => {
    const asked = await api.get('/samples/criteria', { body: { name: 'urgent' } })
    const xmlAsked = await api.get('/samples/criteria', {
      body: '<request><name>urgent</name></request>',
      headers: { 'content-type': 'application/xml' },
    })
    expect([asked.json, xmlAsked.json]).toEqual([{ asked_for: 'urgent' }, { asked_for: 'urgent' }])
    expect((await api.get('/samples/criteria')).json).toEqual({ asked_for: 'nothing' })
    expect((await api.get('/samples/criteria', { body: '{' })).status).toBe(400)
    expect((await api.get('/samples/criteria', { body: { name: 'x'.repeat(70_000) } })).status).toBe(413)
    expect((await api.get(sample, { body: {} })).status).toBe(200)
    expect(await api.get(sample, { body: { name: 'x' } })).toMatchObject(refused(400, 'member_unknown'))
    expect((await api.get(sample, { body: '{', headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  })

  test('several problems are reported at once', async () => {
    const { json } = await api.post('/samples', { as: TOM, body: { weight: 10, colour: 'green' } })
    expect(json.error.details.all.map((each: { path: string }) => each.path).toSorted()).toEqual([
      'colour',
      'name',
      'weight',
    ])
    expect(json.error.details.all[0]).toHaveProperty('message')
  })
})

describe('refusals', () => {
  test('have one shape, with a reason for programs and a message for people', async () => {
    const answer = await api.post('/samples', {
      as: OLGA,
      body: { name: 'forbidden' },
      headers: { 'x-request-id': 'try-8' },
    })
    expect(answer.status).toBe(403)
    expect(answer.json).toEqual({
      error: {
        code: 403,
        message: 'Forbidden: You may not do this. Those who may: site_admin.',
        i18n_error_message: 'You may not do this. Those who may: site_admin.',
        reason: 'permission_denied',
        details: { who_may: ['site_admin'] },
        request_id: 'try-8',
      },
    })
  })

  test('are XML if XML is requested', async () => {
    const { text } = await api.get('/samples/999', { headers: { accept: 'application/xml', 'x-request-id': 'try-9' } })
    expect(text).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<response><error><code>404</code>' +
        '<message>Not Found: It does not exist, or you may not see it.</message>' +
        '<i18n_error_message>It does not exist, or you may not see it.</i18n_error_message>' +
        '<reason>not_found</reason><request_id>try-9</request_id></error></response>',
    )
  })

  test('a request that is not HTTP gets the same shape', async () => {
    const answer = await raw('NONSENSE\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(answer).toContain('"reason":"body_malformed"')
  })

  test('two lengths, or a length and chunks, are refused, and smuggled bytes never run', async () => {
    const smuggled = 'GET /api/samples HTTP/1.1\r\nHost: x\r\n\r\n'
    const twice = await raw(
      `POST /api/samples HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}${smuggled}`,
    )
    const both = await raw(
      `POST /api/samples HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    )
    for (const answer of [twice, both]) {
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(answer).toMatch(/^HTTP\/1\.1 400/)
    }
  })
})

describe('conditional requests', () => {
  test('an Etag has two parts, and the whole of it answers 304', async () => {
    const first = await api.get(sample)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/)
    for (const tag of [etag, etag.replaceAll('"', ''), `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await api.get(sample, { headers: { 'if-none-match': tag } })
      expect(again.status).toBe(304)
      expect(again.text).toBe('')
      expect(again.headers).toMatchObject({ etag, vary: 'Accept', 'cache-control': 'private, no-cache' })
    }
    const [version] = etag.slice(1).split('.')
    const half = await api.get(sample, { headers: { 'if-none-match': `"${version}"` } })
    expect(half.status).toBe(200)
    expect(half.headers['cache-control']).toBe('private, no-cache')
    expect((await api.get(sample, { headers: { 'if-none-match': etag, accept: 'application/xml' } })).status).toBe(200)
  })

  test('If-Match compares the version only, and garbage never matches', async () => {
    const etag = String((await api.get(sample)).headers.etag)
    const [version = ''] = etag.slice(1).split('.')
    const put = async (tag: string) =>
      (await api.put(sample, { as: TOM, body: { name: 'urgent' }, headers: { 'if-match': tag } })).status
    for (const tag of [etag, version, `"${version}"`, `"${version}.other"`, `"x", "${version}"`, '*'])
      expect(await put(tag)).toBe(200)
    for (const tag of [`W/${etag}`, '""', 'garbage', '"']) expect(await put(tag)).toBe(412)
    const answer = await api.put(sample, { as: TOM, body: { name: 'urgent' }, headers: { 'if-match': '"no"' } })
    expect(answer.headers.etag).toBe(`"${version}"`)
    expect(answer.json.error.details.current_etag).toBe(`"${version}"`)
  })
})

test('a response has only the members that its route declares', async () => {
  expect((await api.get(sample)).json).not.toHaveProperty('hidden')
})

test('one account cannot exceed its share of concurrent requests', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => api.get(sample, { as: TOM })))
  const busy = answers.filter(({ status }) => status === 429)
  expect(busy.every(({ headers }) => headers['retry-after'] === '1')).toBe(true)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(64)
  expect((await api.get(sample, { as: OLGA })).status).toBe(200)
  expect(context.settings.current.anonymous_access).toBe(true)
})

test('WAYPOST_CONCURRENT_REQUESTS sets that share', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => narrow.get(sample, { as: TOM })))
  const busy = answers.find(({ status }) => status === 429)
  expect(busy?.json.error.reason).toBe('rate_limited')
  expect(busy?.headers['ratelimit-policy']).toBe('"concurrent";q=2;qu="concurrent-requests"')
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2)
})

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
    socket.setTimeout(3000, () => {
      socket.destroy()
      resolve(received)
    })
    socket.write(text)
  })
}
