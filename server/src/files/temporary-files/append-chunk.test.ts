import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { announced, base64, blobsOf, emptyStore, uploadsBy } from '../../../test/harness/temporary-files.ts'

const { api, context, clock } = await startWorld()
const tom = uploadsBy(api, TOM)
beforeEach(() => emptyStore(context))

const HOUR = 3_600_000
const MiB = 2 ** 20
const order = (next: number) => refused(400, 'rule_violated', { cause: 'chunk_order', allowed: [next] })

async function created(content: Buffer | string = 'AAA'): Promise<number> {
  return (await tom.create(content)).json.id
}

test('a file grows chunk by chunk', async () => {
  const id = await created(Buffer.alloc(MiB, 'a'))
  const second = await tom.append(id, 2, Buffer.alloc(MiB, 'b'))
  expect([second.status, second.json.size, second.headers['x-disk-usage']]).toEqual([200, 2 * MiB, String(2 * MiB)])
  expect((await tom.append(id, 3, 'CCC')).json).toMatchObject({ id, size: 2_097_155, html_url: null })
  expect((await tom.read(id, `?offset=${MiB - 1}&limit=2`)).json).toEqual({ data: base64('ab') })
  expect((await tom.read(id, `?offset=${2 * MiB - 1}`)).json).toEqual({ data: base64('bCCC') })
})

test('the last chunk may be sent again, and counts once', async () => {
  const id = await created()
  await tom.append(id, 2, 'BB')
  const again = await tom.append(id, 2, 'BB')
  expect([again.status, again.json.size, again.headers['x-disk-usage']]).toEqual([200, 5, '5'])
  expect(await tom.append(id, 2, 'XX')).toMatchObject(order(3))
  expect(await tom.append(id, 1, 'AAA')).toMatchObject(order(3))
  expect((await tom.append(id, 3, 'BB')).json.size).toBe(7)
  expect((await tom.read(id)).json).toEqual({ data: base64('AAABBBB') })
  expect(await blobsOf(context, 'pieces')).toHaveLength(3)
})

test('the first chunk cannot be repeated by PUT', async () => {
  const id = await created()
  expect(await tom.append(id, 1, 'AAA')).toMatchObject(order(2))
})

test.each([-1, 0, 1, 3, 2 ** 40])('I21 chunk %i does not follow the first', async (number) => {
  const id = await created()
  const answer = await tom.append(id, number, 'BB')
  expect(answer).toMatchObject(order(2))
  expect(answer.headers).toMatchObject({ 'x-quota': '4294967296', 'x-disk-usage': '3' })
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test.each(['2.5', '"two"', 'null'])('%s is not a chunk number', async (offset) => {
  const id = await created()
  const answer = await api.put(`/artifact_temporary_files/${id}`, {
    as: TOM,
    body: `{"content":"","offset":${offset}}`,
  })
  expect(answer.status).toBe(400)
})

test('an empty chunk counts as a chunk', async () => {
  const id = await created('')
  expect((await tom.append(id, 2, '')).json.size).toBe(0)
  expect((await tom.append(id, 2, '')).status).toBe(200)
  expect((await tom.append(id, 3, 'C')).json.size).toBe(1)
  expect((await tom.read(id)).json).toEqual({ data: base64('C') })
})

test('I20 chunks that are too large or not base64 are refused, and the body is required', async () => {
  const id = await created()
  expect(await tom.append(id, 2, Buffer.alloc(MiB + 1))).toMatchObject(refused(400, 'parameter_out_of_range'))
  const at = `/artifact_temporary_files/${id}`
  expect(await api.put(at, { as: TOM, body: { content: '*', offset: 2 } })).toMatchObject(
    refused(400, 'value_invalid', { cause: 'base64' }),
  )
  expect(await api.put(at, { as: TOM })).toMatchObject(refused(400, 'body_required'))
})

test('ten concurrent sends of the same chunk get the same response, and one is stored', async () => {
  const id = await created()
  const answers = await Promise.all(Array.from({ length: 10 }, () => tom.append(id, 2, 'BB')))
  expect(statusesOf(answers)).toEqual(Array(10).fill(200))
  for (const { json } of answers) expect(json.size).toBe(5)
  await runJobs(context)
  expect(await blobsOf(context, 'pieces')).toHaveLength(2)
})

test('I21 of ten concurrent different chunks with one number, one is accepted', async () => {
  const id = await created()
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => tom.append(id, 2, `B${index}`)))
  expect(statusesOf(answers)).toEqual([200, ...Array(9).fill(400)])
  expect((await tom.read(id)).json.data).toHaveLength(8)
  expect(await blobsOf(context, 'pieces')).toHaveLength(2)
})

test('the quota applies to further chunks, and across several files', async () => {
  await sql`update setting set version = version + 1, chosen = '{"upload_quota": 1024}'::jsonb`.execute(context.db)
  const ids = await Promise.all(Array.from({ length: 4 }, () => created(Buffer.alloc(100))))
  const answers = await Promise.all(ids.map((id) => tom.append(id, 2, Buffer.alloc(200))))
  expect(statusesOf(answers)).toEqual([200, 200, 200, 400])
  expect((await tom.list()).headers['x-disk-usage']).toBe('1000')
  expect(await blobsOf(context, 'pieces')).toHaveLength(7)
})

test('every chunk extends the expiry by three days', async () => {
  const id = await created()
  clock.advance(71 * HOUR)
  expect((await tom.append(id, 2, 'BB')).status).toBe(200)
  clock.advance(71 * HOUR)
  expect((await tom.read(id)).status).toBe(200)
  clock.advance(HOUR)
  expect(await tom.append(id, 3, 'CC')).toMatchObject(refused(404, 'not_found', { cause: 'file_not_found' }))
  expect((await tom.list()).headers['x-disk-usage']).toBe('0')
})

test('files of others, streams and unknown ids get the same response', async () => {
  const id = await created()
  const stream = await announced(context, 10)
  const uma = uploadsBy(api, UMA)
  const notFound = refused(404, 'not_found', { cause: 'file_not_found' })
  expect(await uma.append(id, 2, 'BB')).toMatchObject(notFound)
  expect(await tom.append(stream.id, 2, 'BB')).toMatchObject(notFound)
  expect(await tom.append(999_999, 2, 'BB')).toMatchObject(notFound)
  expect(await api.put(`/artifact_temporary_files/${id}`, { body: { content: '', offset: 2 } })).toMatchObject(
    refused(401, 'authentication_required'),
  )
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test('a dry run appends nothing', async () => {
  const id = await created()
  const answer = await api.put(`/artifact_temporary_files/${id}?dry_run=true`, {
    as: TOM,
    body: { content: base64('BB'), offset: 2 },
  })
  expect(answer.json.dry_run).toMatchObject({
    status: 200,
    would_answer: { size: 5 },
    changes: [{ op: 'update', fields: [{ name: 'size', before: 3, after: 5 }] }],
  })
  expect((await tom.read(id)).json).toEqual({ data: base64('AAA') })
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test('XML is accepted', async () => {
  const id = await created()
  const answer = await api.put(`/artifact_temporary_files/${id}`, {
    as: TOM,
    headers: { 'content-type': 'application/xml' },
    body: `<request><content>${base64('BB')}</content><offset>2</offset></request>`,
  })
  expect([answer.status, answer.json.size]).toEqual([200, 5])
})
