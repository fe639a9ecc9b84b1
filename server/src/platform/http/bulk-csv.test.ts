import { describe, expect, test } from 'vitest'
import { lineStatuses, NDJSON_HEADERS, startSampleBulkRoutes } from '../../../test/fixtures/sample-bulk-routes.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, seen, send, labels } = await startSampleBulkRoutes()

const CSV_HEADERS = { 'content-type': 'text/csv' }
const sendTable = (body: string, headers: object = {}, path = '/tables/1/bulk') =>
  send(path, body, { headers: { ...CSV_HEADERS, ...headers } })
const refusal = (body: string | undefined, headers: Record<string, string> = CSV_HEADERS, path = '/tables/1/bulk') =>
  api.post(path, { as: TOM, headers, ...(body !== undefined && { body }) })

describe('a bulk request with a table', () => {
  test('writes each row as the line that JSON would have, and responds with its line in the file', async () => {
    const answer = await sendTable('name,note\r\none,\r\n"two\r\nlines",x\r\n\r\n,\r\n!late,\r\nlast,')
    expect(answer.type).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.lines.map(({ line, status }) => [line, status])).toEqual([
      [2, 201],
      [3, 201],
      [7, 400],
      [8, 201],
    ])
    expect(answer.done).toEqual({
      lines: 4,
      succeeded: 3,
      unchanged: 0,
      failed: 1,
      stopped: false,
      ignored: ['note'],
    })
    expect((await labels()).slice(-3)).toEqual(['one', 'two\r\nlines', 'last'])
  })

  test('removes the guard against formulas, unless the texts are raw', async () => {
    await sendTable("name\n'=1+1\n''=2\n'so\n")
    await sendTable("name\n'=3\n", {}, '/tables/1/bulk?raw=true')
    expect((await labels()).slice(-4)).toEqual(['=1+1', "'=2", "'so", "'=3"])
  })

  test('has batches of a fixed number of rows, and no more rows than the maximum', async () => {
    const answer = await sendTable(`name\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].join('\n')}\n`)
    expect(seen.parts).toEqual([[2, 3, 4], [5, 6, 7], [8]])
    expect(lineStatuses(answer)).toEqual([201, 201, 201, 201, 201, 201, 201, 413])
    expect(answer.done).toMatchObject({ lines: 8, stopped: true })
  })

  test('that is malformed writes nothing', async () => {
    const before = await labels()
    expect(await refusal('name\none\n"two\n')).toMatchObject(
      refused(400, 'body_malformed', { cause: 'csv_quote_open', line: 3, column: 1 }),
    )
    expect(await refusal('name\none,two\n')).toMatchObject(refused(400, 'body_malformed', { line: 2, column: 4 }))
    expect(await refusal(`name\n${'x'.repeat(300)}\n`)).toMatchObject(refused(413, 'payload_too_large', { line: 2 }))
    expect(await refusal('')).toMatchObject(refused(400, 'body_required'))
    expect(await labels()).toEqual(before)
  })

  test('that is malformed after its first batch ends there', async () => {
    const answer = await sendTable('name\none\ntwo\nthree\nfour\nfi"ve\nsix\n')
    expect(lineStatuses(answer)).toEqual([201, 201, 201, 201, 400])
    expect(answer.lines[4]).toMatchObject({
      line: 6,
      error: { reason: 'body_malformed', details: { line: 6, column: 3 } },
    })
    expect(answer.done).toMatchObject({ lines: 5, succeeded: 4, failed: 1, stopped: true })
  })

  test('is written once per idempotency key', async () => {
    const headers = { 'idempotency-key': 'table-1' }
    const first = await sendTable('name\none\n', headers)
    const again = await sendTable('name\none\n', headers)
    expect(again.lines).toEqual(first.lines)
    expect(again.done).toEqual({ ...first.done, replayed: true })
    expect(lineStatuses(await sendTable('name\ntwo\n', headers))).toEqual([422])
    expect(lineStatuses(await sendTable('name,note\none,\n', headers))).toEqual([422])
  })

  test('is accepted as UTF-8, by routes that take tables', async () => {
    const latin = { 'content-type': 'text/csv; charset=iso-8859-1' }
    expect(await refusal('name\none\n', latin)).toMatchObject(refused(415, 'unsupported_media_type'))
    expect(await refusal('name\none\n', CSV_HEADERS, '/boxes/1/bulk')).toMatchObject(
      refused(415, 'unsupported_media_type', { allowed: ['application/x-ndjson'] }),
    )
    expect(
      (await sendTable('name\none\n', { 'content-type': 'Text/CSV; header=present; charset="UTF-8"' })).status,
    ).toBe(200)
    const lines = await send('/tables/1/bulk', [{ name: 'line' }], { headers: NDJSON_HEADERS })
    expect(lineStatuses(lines)).toEqual([201])
  })
})
