import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { OLGA, type Person, TOM } from '../../../test/people.ts'
import { ORCHARD } from '../../../test/places.ts'
import type { Id } from '../database/ids.ts'
import { describeApi } from '../description/openapi.ts'
import { toSwagger2 } from '../description/swagger2.ts'
import { ApiError } from '../words/errors.ts'
import { bulkRoute } from './bulk.ts'
import { idParam } from './route.ts'

const Line = Type.Object(
  { name: Type.String({ maxLength: 2_000_000 }), id: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
)
let parts: number[][] = []
let isBroken = false

/** Makes a label of each line; names that begin with an exclamation mark ask for something else. */
const marks = (path: string, limits = {}) =>
  bulkRoute({
    path: `${path}/:id/bulk`,
    operationId: `bulk${path.slice(1)}`,
    summary: 'Make many.',
    access: 'signed_in',
    params: { id: idParam<Id<'box'>>('The box.') },
    line: Line,
    limits,
    async open({ params }) {
      if (params.id === 404) throw new ApiError('not_found')
      return { color: 'red' }
    },
    async handlePart(_call, lines, work, { color }) {
      parts.push(lines.map(({ line }) => line))
      if (isBroken && lines.some(({ value }) => value.name === '!break')) throw new Error('It is broken.')
      const results = []
      for (const { value } of lines)
        results.push(
          await work.attempt(async (line) => {
            if (value.name === '!counted') {
              line.evenIfRefused(async (db) => void (await sql`delete from label where label = 'urgent'`.execute(db)))
              throw new ApiError('not_found')
            }
            if (value.name === '!same') return { status: 200, id: value.id ?? null, isUnchanged: true }
            await line.change({ object: 'labels', op: 'create', after: { name: value.name } })
            const { rows } = await sql<{ id: number }>`insert into label (project_id, label, color)
              values (${ORCHARD}, ${value.name.slice(0, 50)}, ${color}) returning id`
              .execute(line.tx)
              .catch((error: unknown) => {
                throw isTaken(error) ? new ApiError('name_taken', { path: 'name' }) : error
              })
            if (value.name === '!late') throw new ApiError('rule_violated', { cause: 'self' })
            const id = rows[0]?.id ?? 0
            return { status: 201, id, version: { kind: 'label', id, version: 1 } }
          }, value.id),
        )
      if (lines.some(({ value }) => value.name === '!lost')) throw new ApiError('outcome_unknown')
      return results
    },
  })

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

let steps: string[] = []

/** Writes down what it does, and when; a part of the name `!unready` cannot be prepared. */
const ahead = bulkRoute({
  path: '/ahead/:id/bulk',
  operationId: 'bulkAhead',
  summary: 'Make many, and look ahead.',
  access: 'signed_in',
  params: { id: idParam<Id<'box'>>('The box.') },
  line: Line,
  limits: { linesOfPart: 1 },
  open: async () => undefined,
  async preparePart(_call, lines) {
    const name = lines.map(({ value }) => value.name).join()
    steps.push(`prepare ${name}`)
    if (name === '!unready') throw new Error('It is not ready.')
    return name.toUpperCase()
  },
  async handlePart(_call, lines, _work, _opened, prepared) {
    await pause(50)
    steps.push(`write ${prepared}`)
    return lines.map(() => ({ status: 200, id: 1 }))
  },
})

const routes = [
  ahead,
  marks('/boxes'),
  marks('/trios', { linesOfPart: 3, lines: 7, bytesOfPart: 200 }),
  marks('/hasty', { linesOfPart: 2, longest: 400 }),
  marks('/deaf', { linesOfPart: 2, patience: 400 }),
]
const { api, context, startAnother } = await startWorld({ routes })
beforeEach(() => {
  parts = []
  steps = []
  isBroken = false
})

interface Answered {
  status: number
  type: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  lines: any[]
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  done: any
  text: string
}

const NDJSON = { 'content-type': 'application/x-ndjson' }
const send = async (
  path: string,
  body: string | readonly object[],
  { as = TOM, headers = {} }: { as?: Person; headers?: object } = {},
  client = api,
): Promise<Answered> => {
  const text = typeof body === 'string' ? body : body.map((line) => `${JSON.stringify(line)}\n`).join('')
  const answer = await client.post(path, { as, body: text, headers: { ...NDJSON, ...headers } })
  const lines = answer.status === 200 ? answer.text.trimEnd().split('\n') : []
  const read = lines.map((line) => JSON.parse(line))
  const type = answer.headers['content-type']
  return { status: answer.status, type, lines: read.slice(0, -1), done: read.at(-1)?.done, text: answer.text }
}
const named = (...names: string[]) => names.map((name) => ({ name }))
const labels = async () => {
  const { rows } = await sql<{
    label: string
  }>`select label from label where project_id = ${ORCHARD} order by id`.execute(context.db)
  return rows.map(({ label }) => label)
}
const statuses = ({ lines }: Answered) => lines.map(({ status }) => status)

describe('a bulk request', () => {
  test('answers each line, and says at the end that this is all', async () => {
    const answer = await send('/boxes/1/bulk', named('one', 'two'))
    expect(answer.type).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.lines).toEqual([
      { line: 1, status: 201, id: expect.any(Number), etag: expect.stringMatching(/^"[\w-]{22}"$/) },
      { line: 2, status: 201, id: expect.any(Number), etag: expect.any(String) },
    ])
    expect(answer.done).toEqual({ lines: 2, succeeded: 2, unchanged: 0, failed: 0, stopped: false })
    expect(await labels()).toEqual(expect.arrayContaining(['one', 'two']))
  })

  test('without lines is done at once', async () => {
    expect((await send('/boxes/1/bulk', '')).done).toEqual({
      lines: 0,
      succeeded: 0,
      unchanged: 0,
      failed: 0,
      stopped: false,
    })
    expect(parts).toEqual([])
  })

  test('counts empty lines, and refuses each line that cannot be read', async () => {
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

  test('writes nothing of a line that fails, and all others of its part', async () => {
    const answer = await send('/boxes/1/bulk', named('one', '!late', 'urgent', '!same', 'two'))
    expect(statuses(answer)).toEqual([201, 400, 400, 200, 201])
    expect(answer.done).toMatchObject({ succeeded: 2, unchanged: 1, failed: 2, stopped: false })
    expect((await labels()).slice(-2)).toEqual(['one', 'two'])
    expect(parts).toEqual([[1, 2, 3, 4, 5]])
  })

  test('names what a refused line is about, and leaves what stays of it', async () => {
    const answer = await send('/boxes/1/bulk', [{ name: '!counted', id: 7 }, { name: 'one' }])
    expect(answer.lines[0]).toMatchObject({ line: 1, status: 404, id: 7 })
    expect(await labels()).not.toContain('urgent')
    expect(await labels()).toContain('one')
  })

  test('has parts of fixed numbers of lines', async () => {
    await send('/trios/1/bulk', `{"name":"1"}\n\n{"name":"3"}\n{"name":"4"}\n\n\n{"name":"7"}\n`)
    expect(parts).toEqual([[1, 3], [4], [7]])
  })

  test('takes no more lines than it may, and stops', async () => {
    const answer = await send('/trios/1/bulk', named('1', '2', '3', '4', '5', '6', '7', '8', '9', '10'))
    expect(statuses(answer)).toEqual([201, 201, 201, 201, 201, 201, 201, 413])
    expect(answer.done).toMatchObject({ lines: 8, succeeded: 7, failed: 1, stopped: true })
  })

  test('holds no more of a part than it may', async () => {
    const answer = await send('/trios/1/bulk', named('a'.repeat(40), 'b'.repeat(150), 'c', 'd'))
    expect(statuses(answer)).toEqual([201, 413, 413, 201])
  })

  test('ends after the part of the first failure, if that is asked for', async () => {
    const names = named('1', '!late', '3', '4')
    const stopped = await send('/trios/1/bulk?stop_on_error=true', names)
    expect(statuses(stopped)).toEqual([201, 400, 201])
    expect(stopped.done).toMatchObject({ lines: 3, failed: 1, stopped: true })
    expect(await labels()).not.toContain('4')
  })

  test('fails a part as a whole where a line fails for no reason of its own, and stops', async () => {
    isBroken = true
    const answer = await send('/trios/1/bulk', named('1', '2', '3', '4', '!break', '6', '7'))
    expect(statuses(answer)).toEqual([201, 201, 201, 500, 500, 500])
    expect(answer.done).toMatchObject({ succeeded: 3, failed: 3, stopped: true })
    expect(await labels()).not.toContain('4')
  })

  test('says of every line of a part that nobody knows, when its commit was lost', async () => {
    const answer = await send('/trios/1/bulk', named('1', '!lost', '3', '4'))
    expect(answer.lines.map(({ error }) => error.reason)).toEqual(Array(3).fill('outcome_unknown'))
    expect(statuses(answer)).toEqual([503, 503, 503])
    expect(answer.done).toMatchObject({ failed: 3, stopped: true })
  })

  test('is only rehearsed by a dry run, which reports each line', async () => {
    const before = await labels()
    const answer = await send('/boxes/1/bulk?dry_run=true', named('one', 'urgent'), {
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

describe('a part', () => {
  test('is looked at while the one before it is written, and never more than one', async () => {
    const answer = await send('/ahead/1/bulk', named('a', 'b', 'c'))
    expect(answer.done).toMatchObject({ succeeded: 3 })
    expect(steps).toEqual(['prepare a', 'prepare b', 'write A', 'prepare c', 'write B', 'write C'])
  })

  test('that cannot be prepared fails when it is its turn', async () => {
    const answer = await send('/ahead/1/bulk', named('a', '!unready', 'c'))
    expect(statuses(answer)).toEqual([200, 500])
    expect(answer.done).toMatchObject({ lines: 2, succeeded: 1, failed: 1, stopped: true })
    expect(steps).not.toContain('write C')
  })
})

describe('an Idempotency-Key', () => {
  const key = { headers: { 'idempotency-key': 'k1' } }

  test('is kept for each part: what was written is repeated, the rest is run', async () => {
    isBroken = true
    const names = named('1', 'urgent', '3', '4', '!break')
    const first = await send('/trios/1/bulk', names, key)
    expect(statuses(first)).toEqual([201, 400, 201, 500, 500])
    isBroken = false
    const second = await send('/trios/1/bulk', names, key)
    expect(second.lines.slice(0, 3)).toEqual(first.lines.slice(0, 3))
    expect(statuses(second)).toEqual([201, 400, 201, 201, 201])
    expect(second.done).toEqual({ lines: 5, succeeded: 4, unchanged: 0, failed: 1, stopped: false, replayed: true })
    expect(parts).toEqual([
      [1, 2, 3],
      [4, 5],
      [4, 5],
    ])
    expect((await send('/trios/1/bulk', names, key)).done).toMatchObject({ succeeded: 4, replayed: true })
  })

  test('with other lines is refused for that part, and the request stops', async () => {
    await send('/trios/1/bulk', named('1', '2', '3', '4'), key)
    const other = await send('/trios/1/bulk', named('1', '2', '3', 'other', '5', '6', '7'), key)
    expect(statuses(other)).toEqual([201, 201, 201, 422, 422, 422])
    expect(other.done).toMatchObject({ stopped: true, replayed: true })
    expect(await labels()).not.toContain('other')
  })

  test('of another box or person is another key', async () => {
    await send('/boxes/1/bulk', named('1'), key)
    expect(statuses(await send('/boxes/2/bulk', named('2'), key))).toEqual([201])
    expect(statuses(await send('/boxes/1/bulk', named('3'), { ...key, as: OLGA }))).toEqual([201])
  })

  test('lets one of two equal requests write, over two servers', async () => {
    const { api: other } = await startAnother()
    const answers = await Promise.all([api, other].map((client) => send('/boxes/1/bulk', named('1', '2'), key, client)))
    // In this process both are one request too many for the same person: a refusal or a replay, never a second write.
    expect((await labels()).filter((label) => label === '1')).toHaveLength(1)
    expect(answers.some(({ done }) => done?.succeeded === 2)).toBe(true)
  })
})

describe('before the first line', () => {
  test('it is refused as any request is', async () => {
    const anonymous = await api.post('/boxes/1/bulk', { body: '{}', headers: NDJSON })
    expect(anonymous.status).toBe(401)
    expect((await send('/boxes/404/bulk', named('1'))).status).toBe(404)
    expect((await send('/boxes/x/bulk', named('1'))).status).toBe(400)
    expect((await send('/boxes/1/bulk?dry_run=maybe', named('1'))).status).toBe(400)
    expect((await send('/boxes/1/bulk', named('1'), { headers: { accept: 'text/html' } })).status).toBe(406)
    expect((await send('/boxes/1/bulk', named('1'), { headers: { accept: 'application/xml' } })).status).toBe(406)
    expect((await send('/boxes/1/bulk', named('1'), { headers: { 'content-type': 'application/json' } })).status).toBe(
      415,
    )
    expect((await send('/boxes/1/bulk', named('1'), { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect(parts).toEqual([])
  })

  test('takes the other name of the format, and any client that accepts it', async () => {
    const headers = { 'content-type': 'application/jsonl; charset=utf-8', accept: 'application/x-ndjson' }
    expect(statuses(await send('/boxes/1/bulk', named('1'), { headers }))).toEqual([201])
  })
})

describe('as a stream', () => {
  /** A request whose body is sent bit by bit. */
  const open = (path: string, person = TOM) => {
    const outgoing = request(new URL(`/api${path}`, api.origin), {
      method: 'POST',
      headers: { ...NDJSON, 'x-auth-accesskey': person.key },
    })
    let text = ''
    const answered = new Promise<{ text: string; wasCut: boolean }>((resolve) => {
      outgoing.on('error', () => resolve({ text, wasCut: true }))
      outgoing.on('response', (incoming) => {
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
        incoming.on('error', () => resolve({ text, wasCut: true }))
        incoming.on('end', () => resolve({ text, wasCut: false }))
      })
    })
    return { outgoing, answered, received: () => text }
  }

  test('answers a part before the next one was sent, and only then', async () => {
    const { outgoing, answered, received } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n')
    await pause(150)
    expect(received()).toBe('')
    outgoing.write('{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => received().split('\n')).toHaveLength(4)
    outgoing.end()
    expect((await answered).text).toContain('"lines":4')
  })

  test('is one at a time for each person and box', async () => {
    const { outgoing, answered } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => parts.length).toBe(1)
    expect((await send('/trios/1/bulk', named('x'))).status).toBe(429)
    expect((await send('/trios/1/bulk', named('y'), { as: OLGA })).status).toBe(200)
    expect((await send('/trios/2/bulk', named('z'))).status).toBe(200)
    outgoing.end()
    await answered
    expect((await send('/trios/1/bulk', named('x'))).status).toBe(200)
  })

  test('does not run a part that did not arrive', async () => {
    const { outgoing, answered } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => parts.length).toBe(1)
    outgoing.destroy()
    await answered
    await pause(100)
    expect(parts).toHaveLength(1)
    await expect.poll(async () => (await send('/trios/1/bulk', named('5'))).status).toBe(200)
  })

  test('ends in good order when its time is over', async () => {
    const { outgoing, answered } = open('/hasty/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n')
    const { text } = await answered
    expect(text.split('\n').at(-2)).toBe('{"done":{"lines":2,"succeeded":2,"unchanged":0,"failed":0,"stopped":true}}')
    outgoing.destroy()
  })

  test('is cut off from a client that does not read', async () => {
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
    const { promise: closed, resolve } = Promise.withResolvers<string>()
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.pause()
    const body = Array.from(
      { length: 60 },
      (_, number) => `${JSON.stringify({ name: `${number} ${'x'.repeat(1_000_000)}` })}\n`,
    ).join('')
    socket.write(
      `POST /api/deaf/1/bulk?dry_run=true HTTP/1.1\r\nHost: x\r\nX-Auth-AccessKey: ${TOM.key}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    await expect.poll(() => parts.length, { timeout: 5000 }).toBeGreaterThan(1)
    await pause(1500)
    expect(parts.length).toBeLessThan(30)
    expect((await send('/deaf/1/bulk', named('after'))).status).toBe(200) // Its place is free again.
    socket.resume()
    expect((await closed).slice(-5)).not.toBe('0\r\n\r\n')
  })

  test('stops between parts when the server is ending', async () => {
    const { server, api: other } = await startAnother()
    server.life.isEnding = true
    const answer = await send('/trios/1/bulk', named('1', '2', '3', '4'), {}, other)
    expect(answer.done).toEqual({ lines: 3, succeeded: 3, unchanged: 0, failed: 0, stopped: true })
  })
})

test('is described with its media type', () => {
  const openapi = describeApi(routes)
  const operation = JSON.stringify(openapi['paths'])
  expect(operation).toContain('"requestBody":{"required":true,"content":{"application/x-ndjson":')
  expect(operation).toContain('"name":"stop_on_error"')
  expect(JSON.stringify(toSwagger2(openapi, new URL('https://waypost.example')))).toContain('The number of the line')
})
