import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  namedLines,
  NDJSON_HEADERS,
  startSampleBulkRoutes,
  lineStatuses,
} from '../../../test/fixtures/sample-bulk-routes.ts'
import { describeApi } from '../openapi/describe-api.ts'
import { toSwagger2 } from '../openapi/swagger2.ts'

const { api, context, routes, seen, send, labels } = await startSampleBulkRoutes()

describe('a bulk request', () => {
  test('responds to each line, and ends with a summary', async () => {
    const answer = await send('/boxes/1/bulk', namedLines('one', 'two'))
    expect(answer.type).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.lines).toEqual([
      { line: 1, status: 201, id: expect.any(Number), etag: expect.stringMatching(/^"[\w-]{22}"$/) },
      { line: 2, status: 201, id: expect.any(Number), etag: expect.any(String) },
    ])
    expect(answer.done).toEqual({ lines: 2, succeeded: 2, unchanged: 0, failed: 0, stopped: false })
    expect(await labels()).toEqual(expect.arrayContaining(['one', 'two']))
  })

  test('without lines ends at once', async () => {
    expect((await send('/boxes/1/bulk', '')).done).toEqual({
      lines: 0,
      succeeded: 0,
      unchanged: 0,
      failed: 0,
      stopped: false,
    })
    expect(seen.parts).toEqual([])
  })

  test('counts empty lines, and rejects each line that cannot be parsed', async () => {
    const long = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    const body = `{"name":"one"}\r\n\n  \n{"name":\n[]\n{"name":1}\n{"name":"x","more":1}\n\xff\n${long}\n{"name":"last"}`
    const answer = await send('/boxes/1/bulk', body)
    const reasons = answer.lines.map(({ line, error }) => [line, error?.reason ?? 'done'])
    expect(reasons).toEqual([
      [1, 'done'],
      [4, 'body_malformed'],
      [5, 'parameter_invalid'],
      [6, 'parameter_invalid'],
      [7, 'member_unknown'],
      [8, 'body_malformed'],
      [9, 'payload_too_large'],
      [10, 'done'],
    ])
    expect(answer.done).toMatchObject({ lines: 8, succeeded: 2, failed: 6 })
    expect(answer.lines[1].error).not.toHaveProperty('request_id')
    expect(answer.lines[1].error).toMatchObject({ code: 400, message: expect.stringContaining('Bad Request') })
  })

  test('writes nothing of a failed line, and all other lines of its batch', async () => {
    const answer = await send('/boxes/1/bulk', namedLines('one', '!late', 'urgent', '!same', 'two'))
    expect(lineStatuses(answer)).toEqual([201, 400, 400, 200, 201])
    expect(answer.done).toMatchObject({ succeeded: 2, unchanged: 1, failed: 2, stopped: false })
    expect((await labels()).slice(-2)).toEqual(['one', 'two'])
    expect(seen.parts).toEqual([[1, 2, 3, 4, 5]])
  })

  test('reports the object of a refused line, and keeps effects that outlive it', async () => {
    const answer = await send('/boxes/1/bulk', [{ name: '!counted', id: 7 }, { name: 'one' }])
    expect(answer.lines[0]).toMatchObject({ line: 1, status: 404, id: 7 })
    expect(await labels()).not.toContain('urgent')
    expect(await labels()).toContain('one')
  })

  test('has batches of a fixed number of lines', async () => {
    await send('/trios/1/bulk', `{"name":"1"}\n\n{"name":"3"}\n{"name":"4"}\n\n\n{"name":"7"}\n`)
    expect(seen.parts).toEqual([[1, 3], [4], [7]])
  })

  test('accepts no more lines than the maximum, and stops', async () => {
    const answer = await send('/trios/1/bulk', namedLines('1', '2', '3', '4', '5', '6', '7', '8', '9', '10'))
    expect(lineStatuses(answer)).toEqual([201, 201, 201, 201, 201, 201, 201, 413])
    expect(answer.done).toMatchObject({ lines: 8, succeeded: 7, failed: 1, stopped: true })
  })

  test('limits the bytes of a batch', async () => {
    const answer = await send('/trios/1/bulk', namedLines('a'.repeat(40), 'b'.repeat(150), 'c', 'd'))
    expect(lineStatuses(answer)).toEqual([201, 413, 413, 201])
  })

  test('ends after the batch of the first failure, on request', async () => {
    const names = namedLines('1', '!late', '3', '4')
    const stopped = await send('/trios/1/bulk?stop_on_error=true', names)
    expect(lineStatuses(stopped)).toEqual([201, 400, 201])
    expect(stopped.done).toMatchObject({ lines: 3, failed: 1, stopped: true })
    expect(await labels()).not.toContain('4')
  })

  test('fails the whole batch on an unexpected error of a line, and stops', async () => {
    seen.isBroken = true
    const answer = await send('/trios/1/bulk', namedLines('1', '2', '3', '4', '!break', '6', '7'))
    expect(lineStatuses(answer)).toEqual([201, 201, 201, 500, 500, 500])
    expect(answer.done).toMatchObject({ succeeded: 3, failed: 3, stopped: true })
    expect(await labels()).not.toContain('4')
  })

  test('reports an unknown outcome for every line of a batch whose commit was lost', async () => {
    const answer = await send('/trios/1/bulk', namedLines('1', '!lost', '3', '4'))
    expect(answer.lines.map(({ error }) => error.reason)).toEqual(Array(3).fill('outcome_unknown'))
    expect(lineStatuses(answer)).toEqual([503, 503, 503])
    expect(answer.done).toMatchObject({ failed: 3, stopped: true })
  })

  test('writes nothing in a dry run, which reports each line', async () => {
    const before = await labels()
    const answer = await send('/boxes/1/bulk?dry_run=true', namedLines('one', 'urgent'), {
      headers: { 'idempotency-key': 'k1' },
    })
    expect(answer.lines[0]).toEqual({
      line: 1,
      status: 201,
      id: null,
      dry_run: {
        changes: [{ object: 'labels', op: 'create', fields: [{ name: 'name', before: null, after: 'one' }] }],
        rules: [],
        notified: [],
      },
    })
    expect(answer.lines[1]).toMatchObject({ status: 400, error: { reason: 'name_taken' } })
    expect(await labels()).toEqual(before)
    expect((await sql`select from idempotency`.execute(context.db)).rows).toEqual([])
  })
})

describe('a batch', () => {
  test('is prepared while the previous one is written, and never more than one', async () => {
    const answer = await send('/ahead/1/bulk', namedLines('a', 'b', 'c'))
    expect(answer.done).toMatchObject({ succeeded: 3 })
    expect(seen.steps).toEqual(['prepare a', 'prepare b', 'write A', 'prepare c', 'write B', 'write C'])
  })

  test('that cannot be prepared fails when its turn comes', async () => {
    const answer = await send('/ahead/1/bulk', namedLines('a', '!unready', 'c'))
    expect(lineStatuses(answer)).toEqual([200, 500])
    expect(answer.done).toMatchObject({ lines: 2, succeeded: 1, failed: 1, stopped: true })
    expect(seen.steps).not.toContain('write C')
  })
})

describe('before the first line', () => {
  test('errors are the same as on other routes', async () => {
    const anonymous = await api.post('/boxes/1/bulk', { body: '{}', headers: NDJSON_HEADERS })
    expect(anonymous.status).toBe(401)
    expect((await send('/boxes/404/bulk', namedLines('1'))).status).toBe(404)
    expect((await send('/boxes/x/bulk', namedLines('1'))).status).toBe(400)
    expect((await send('/boxes/1/bulk?dry_run=maybe', namedLines('1'))).status).toBe(400)
    expect((await send('/boxes/1/bulk', namedLines('1'), { headers: { accept: 'text/html' } })).status).toBe(406)
    expect((await send('/boxes/1/bulk', namedLines('1'), { headers: { accept: 'application/xml' } })).status).toBe(406)
    expect(
      (await send('/boxes/1/bulk', namedLines('1'), { headers: { 'content-type': 'application/json' } })).status,
    ).toBe(415)
    expect((await send('/boxes/1/bulk', namedLines('1'), { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect(seen.parts).toEqual([])
  })

  test('accepts the other name of the format, and any client that accepts it', async () => {
    const headers = { 'content-type': 'application/jsonl; charset=utf-8', accept: 'application/x-ndjson' }
    expect(lineStatuses(await send('/boxes/1/bulk', namedLines('1'), { headers }))).toEqual([201])
  })
})

test('the API description has the media type', () => {
  const openapi = describeApi(routes)
  const operation = JSON.stringify(openapi['paths'])
  expect(operation).toContain('"requestBody":{"required":true,"content":{"application/x-ndjson":')
  expect(operation).toContain('"name":"stop_on_error"')
  expect(JSON.stringify(toSwagger2(openapi, new URL('https://waypost.example')))).toContain(
    'The number of the request line',
  )
})
