import { describe, expect, test } from 'vitest'
import { masked, refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
const PROBLEM = 'application/problem+json'
const PROBLEM_TYPE = `${PROBLEM}; charset=utf-8`
const json = { 'content-type': 'application/json' }

describe('a body that cannot be parsed', () => {
  const send = (body: string, type = 'application/json') =>
    api.put(`/projects/${ORCHARD}/banner`, { as: MARA, headers: { 'content-type': type }, body })

  test.each([
    ['{"message": yes}', 1, 13],
    ['{\n  "message": "a",\n  message: 1\n}', 3, 3],
    ['{"message": "a"', 1, 16],
    ['{"message": "a', 1, 15],
    ['{\n"a": 1,\n"a": 2}', 3, 1],
    ['[1 2]', 1, 4],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":1}}', 1, 8],
    ['['.repeat(65), 1, 65],
  ])('JSON %j: line %d, column %d', async (body, line, column) => {
    const answer = await send(body)
    expect(answer).toMatchObject(refused(400, 'body_malformed', { line, column }))
    expect(answer.json.error.message).toBe(`Bad Request: The body cannot be read (line ${line}, column ${column}).`)
  })

  test('XML has its line too', async () => {
    const answer = await send('<request>\n<message>Hello</mesage>\n</request>', 'application/xml')
    expect(answer).toMatchObject(refused(400, 'body_malformed', { line: 2 }))
    expect(answer.json.error.details.column).toBeGreaterThan(15)
  })

  test('a long body has its place as well', async () => {
    const body = `{"message": "${'x'.repeat(200_000)}",\n "b" 1}`
    expect(await send(body)).toMatchObject(refused(400, 'body_malformed', { line: 2, column: 6 }))
  })
})

describe('a media type that is not offered', () => {
  test('406 lists the formats of the response', async () => {
    const get = (path: string, accept: string) => api.get(path, { as: MARA, headers: { accept } })
    const offered = ['application/json', 'application/xml']
    const plain = await get('/projects', 'image/png')
    expect(plain).toMatchObject(refused(406, 'not_acceptable', { path: 'Accept', allowed: offered }))
    expect(plain.json.error.message).toContain('application/json, application/xml.')
    const exported = await get('/audit', 'image/png')
    expect(exported.json.error.details.allowed).toEqual([...offered, 'application/x-ndjson', 'text/csv'])
    const live = await get('/trackers/1/artifacts/live', 'application/json')
    expect(live).toMatchObject(refused(406, 'not_acceptable', { allowed: ['text/event-stream'] }))
  })

  test('415 lists the formats of the request', async () => {
    const put = (headers: Record<string, string>) =>
      api.put(`/projects/${ORCHARD}/banner`, { as: MARA, headers, body: '{}' })
    expect(await put({ 'content-type': 'text/plain' })).toMatchObject(
      refused(415, 'unsupported_media_type', {
        path: 'Content-Type',
        allowed: ['application/json', 'application/xml', 'application/x-www-form-urlencoded'],
      }),
    )
    expect(await put({ ...json, 'content-encoding': 'gzip' })).toMatchObject(
      refused(415, 'unsupported_media_type', { path: 'Content-Encoding', allowed: ['identity'] }),
    )
    const headers = { 'content-type': 'text/plain', accept: 'application/x-ndjson' }
    const bulk = await api.post('/trackers/1/artifacts/bulk', { as: MARA, headers, body: 'x' })
    expect(bulk).toMatchObject(
      refused(415, 'unsupported_media_type', { allowed: ['application/x-ndjson', 'text/csv'] }),
    )
  })
})

describe('application/problem+json', () => {
  const get = (path: string, accept: string) => api.get(path, { as: TOM, headers: { accept } })

  test('has the members of RFC 9457, and those of the same error beside them', async () => {
    const problem = await get('/projects?limit=500', PROBLEM)
    const plain = await get('/projects?limit=500', 'application/json')
    expect(problem.headers['content-type']).toBe(PROBLEM_TYPE)
    expect(problem.status).toBe(400)
    expect(problem.json).toEqual({
      type: 'https://waypost.example/api/explorer/errors#parameter_out_of_range',
      title: 'below the minimum, above the maximum, too short or too long',
      status: 400,
      detail: plain.json.error.i18n_error_message,
      instance: '/api/projects',
      ...plain.json.error,
      request_id: expect.any(String),
    })
  })

  test.each([
    ['/projects/999999', 404],
    ['/nothing/here', 404],
    ['/artifacts/abc', 400],
    ['/trackers/1/artifacts/live', 406],
  ])('%s: %d', async (path, status) => {
    const answer = await get(path, PROBLEM)
    expect([answer.status, answer.headers['content-type']]).toEqual([status, PROBLEM_TYPE])
    expect(answer.json).toMatchObject({ status, code: status, instance: `/api${path}` })
  })

  test('success is JSON, and never refused', async () => {
    const answer = await get('/projects', PROBLEM)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.text).toBe((await get('/projects', 'application/json')).text)
  })

  test('other formats of success stay possible; without it, or with quality 0, errors are as before', async () => {
    const xml = await get('/projects', `application/xml, ${PROBLEM}`)
    expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8')
    const refusal = await get('/projects/999999', `application/xml, ${PROBLEM}`)
    expect(refusal.headers['content-type']).toBe(PROBLEM_TYPE)
    const forced = await get('/projects/999999.xml', PROBLEM)
    expect(forced.headers['content-type']).toBe('application/xml; charset=utf-8')
    const without = await get('/projects/999999', `application/json, ${PROBLEM};q=0`)
    expect(masked(without)).toBe(masked(await get('/projects/999999', 'application/json')))
  })

  test('a secret in the path is not repeated', async () => {
    const { text } = await api.delete('/tokens/abcdef0123456789', { as: TOM, headers: { accept: PROBLEM } })
    expect(text).toContain('"instance":"/api/tokens/…"')
    expect(text).not.toContain('abcdef0123456789')
  })

  test('its type leads to a page that has the reason', async () => {
    const page = await api.get('/explorer/errors')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<dt id="parameter_out_of_range">')
  })
})
