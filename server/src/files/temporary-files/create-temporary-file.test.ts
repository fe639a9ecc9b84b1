import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { base64, blobsOf, emptyStore, uploadsBy } from '../../../test/harness/temporary-files.ts'
import { createServer } from '../../platform/http/http.ts'
import { createSignIn } from '../../accounts/sign-in/sign-in.ts'
import { createTestClient } from '../../../test/harness/client.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ROUTES } from '../../routes.ts'
import { StoreFull } from '../store/blob-store.ts'

const { api, context } = await startWorld()
const tom = uploadsBy(api, TOM)
beforeEach(() => emptyStore(context))

const PATH = '/artifact_temporary_files'
const MiB = 2 ** 20
const setQuota = (upload_quota: number) =>
  sql`update setting set version = version + 1, chosen = ${JSON.stringify({ upload_quota })}::jsonb`.execute(context.db)

describe('POST /artifact_temporary_files', () => {
  test('stores the first chunk of a file', async () => {
    const answer = await tom.create('AAA', { description: 'The log.', offset: 1 })
    const { id } = answer.json
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        id,
        submitted_by: TOM.id,
        description: 'The log.',
        name: 'core.log',
        size: 3,
        type: 'text/plain',
        html_url: null,
        html_preview_url: null,
        uri: `artifact_files/${id}`,
      },
    ])
    expect(answer.headers).toMatchObject({
      location: `https://waypost.example/api/artifact_files/${id}`,
      'x-quota': '4294967296',
      'x-disk-usage': '3',
      'x-upload-max-file-chunksize': '1048576',
      allow: 'OPTIONS, GET, POST',
    })
    expect(answer.headers['access-control-expose-headers']).toContain('X-DISK-USAGE')
    expect((await tom.read(id)).json).toEqual({ data: base64('AAA') })
  })

  test.each([0, 1, MiB - 1, MiB])('accepts a chunk of %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const { status, json } = await tom.create(bytes)
    expect([status, json.size]).toEqual([201, size])
    expect((await tom.read(json.id)).json.data === base64(bytes)).toBe(true)
  })

  test.each([MiB + 1, MiB + 3, 2 * MiB])('refuses a chunk of %i bytes', async (size) => {
    expect(await tom.create(Buffer.alloc(size))).toMatchObject(
      refused(400, 'parameter_out_of_range', { path: 'content', allowed: { maximum: MiB } }),
    )
    expect(await blobsOf(context, 'pieces')).toEqual([])
  })

  test.each([
    ['white space', 'QUF B'],
    ['a line break', 'QUFB\n'],
    ['no padding', 'QUE'],
    ['too much padding', 'QUFB===='],
    ['padding in the middle', 'QQ==QUFB'],
    ['the alphabet of addresses', '_-8='],
    ['other characters', 'QU*B'],
    ['bits that mean nothing', 'QR=='],
    ['one character', 'Q'],
  ])('I20 refuses base64 with %s', async (_, content) => {
    expect(await tom.create('', { content })).toMatchObject(
      refused(400, 'value_invalid', { path: 'content', cause: 'base64' }),
    )
  })

  test.each(['', '..', '../etc/passwd', 'a\\b', 'a\nb'])('refuses the name %j', async (name) => {
    expect(await tom.create('A', { name })).toMatchObject(refused(400, 'name_invalid', { path: 'name' }))
  })

  test('removes leading dots', async () => {
    expect((await tom.create('A', { name: '..profile' })).json.name).toBe('profile')
  })

  test('requires its members, and a name within the limit', async () => {
    for (const member of ['name', 'mimetype', 'content'])
      expect(await tom.create('A', { [member]: undefined })).toMatchObject(
        refused(400, 'parameter_required', { path: member }),
      )
    expect(await tom.create('A', { name: 'a'.repeat(256) })).toMatchObject(refused(400, 'parameter_out_of_range'))
  })

  test('requires authentication', async () => {
    const body = { name: 'a', mimetype: 'text/plain', content: '' }
    const answer = await api.post(PATH, { body })
    expect(answer).toMatchObject(refused(401, 'authentication_required'))
    expect(answer.headers).toMatchObject({ 'x-quota': '4294967296', 'x-upload-max-file-chunksize': '1048576' })
  })

  test('accepts XML', async () => {
    const answer = await api.post(PATH, {
      as: TOM,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><name>a &amp; b.txt</name><mimetype>text/plain</mimetype><content>${base64('AAA')}</content></request>`,
    })
    expect([answer.status, answer.headers['x-disk-usage']]).toEqual([201, '3'])
    expect(answer.text).toContain('<name>a &amp; b.txt</name>')
  })

  test('includes the quota headers in errors', async () => {
    await tom.create('AAA')
    const { status, headers } = await tom.create('', { content: '*' })
    expect([status, headers['x-quota'], headers['x-disk-usage'], headers['x-upload-max-file-chunksize']]).toEqual([
      400,
      '4294967296',
      '3',
      '1048576',
    ])
  })

  test('a dry run stores nothing, and reports the same problems', async () => {
    const body = { name: 'a.txt', mimetype: 'text/plain', content: base64('AAA') }
    const { status, json, headers } = await api.post(`${PATH}?dry_run=true`, { as: TOM, body })
    expect([status, headers['x-disk-usage']]).toEqual([200, '0'])
    expect(json.dry_run).toMatchObject({
      status: 201,
      would_answer: { id: null, name: 'a.txt', size: 3 },
      changes: [{ object: 'artifact_temporary_files', op: 'create' }],
    })
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect((await tom.list()).json).toEqual([])
    await setQuota(1024)
    const large = { ...body, content: base64(Buffer.alloc(1025)) }
    expect(await api.post(`${PATH}?dry_run=true`, { as: TOM, body: large })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'quota_exceeded' }),
    )
  })

  test('repeated with its idempotency key creates one file', async () => {
    const body = { name: 'a.txt', mimetype: 'text/plain', content: base64('AAA') }
    const send = () => api.post(PATH, { as: TOM, body, headers: { 'idempotency-key': 'once' } })
    const first = await send()
    const again = await send()
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await tom.list()).json).toHaveLength(1)
    expect(await blobsOf(context, 'pieces')).toHaveLength(1)
  })

  test('writes no audit log entry', async () => {
    const count = async () => (await sql`select from audit`.execute(context.db)).rows.length
    const before = await count()
    await tom.create('A')
    expect(await count()).toBe(before)
  })
})

describe('the quota', () => {
  test('counts free files, and refuses excess', async () => {
    await setQuota(2048)
    expect((await tom.create(Buffer.alloc(2000))).headers['x-disk-usage']).toBe('2000')
    const answer = await tom.create(Buffer.alloc(49))
    expect(answer).toMatchObject(refused(400, 'rule_violated', { cause: 'quota_exceeded', allowed: { maximum: 2048 } }))
    expect([answer.headers['x-quota'], answer.headers['x-disk-usage']]).toEqual(['2048', '2000'])
    expect((await tom.create(Buffer.alloc(48))).headers['x-disk-usage']).toBe('2048')
    expect((await tom.create('')).status).toBe(201)
    expect((await uploadsBy(api, UMA).create(Buffer.alloc(2048))).status).toBe(201)
    expect(await blobsOf(context, 'pieces')).toHaveLength(3)
  })

  test('holds for twenty concurrent requests, and refused ones leave nothing', async () => {
    await setQuota(7 * 1024 + 1023)
    const answers = await Promise.all(Array.from({ length: 20 }, () => tom.create(Buffer.alloc(1024))))
    expect(statusesOf(answers)).toEqual([...Array(7).fill(201), ...Array(13).fill(400)])
    expect((await tom.list()).headers['x-disk-usage']).toBe(String(7 * 1024))
    expect(await blobsOf(context, 'pieces')).toHaveLength(7)
  })
})

test('a full store answers 507, and nothing is kept', async () => {
  const full: Context = {
    ...context,
    blobs: { ...context.blobs, put: () => Promise.reject(new StoreFull()) },
  }
  const server = createServer(full, createSignIn(full), ROUTES)
  try {
    const other = uploadsBy(createTestClient(await server.listen({ port: 0, host: '127.0.0.1' })), TOM)
    expect(await other.create('A')).toMatchObject(refused(507, 'storage_full'))
    expect((await tom.list()).json).toEqual([])
  } finally {
    await server.close()
  }
})
