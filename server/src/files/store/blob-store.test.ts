import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { S3_BUCKET, s3OfTests, SMALL_S3_BUCKET } from '../../../test/harness/storage-settings.ts'
import { type BlobKey, type BlobStore, contentKey, NoSuchBlob, pieceKey, previewKey, StoreFull } from './blob-store.ts'
import { createDiskStore } from './disk-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'waypost-blobs-'))
afterAll(() => rm(folder, { recursive: true }))
const s3 = s3OfTests()

// The contract of every store. CI tests the disk store; `npm run test:s3` adds a real S3 server.
describe('on disk', () => {
  keepsItsPromises(async () => createDiskStore(join(folder, randomUUID())))
})
describe.skipIf(!s3)(`on S3${s3 ? '' : ' (skipped: no S3 server was asked for, see npm run test:s3)'}`, () => {
  keepsItsPromises(openS3)

  test('lists more blobs than fit on one page of S3', async () => {
    const blobs = await openS3()
    const keys = Array.from({ length: 1100 }, newKey)
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => blobs.put(key, bytes(Buffer.from('x')))))

    expect((await listed(blobs, 'pieces')).toSorted()).toEqual(keys.toSorted())
  })

  test('reports a full store when the quota of the bucket is exceeded', async () => {
    const blobs = await openS3(SMALL_S3_BUCKET)
    const key = newKey()

    await expect(blobs.put(key, bytes(Buffer.alloc(5_000_000)))).rejects.toBeInstanceOf(StoreFull)
    expect(await blobs.sizeOf(key)).toBeUndefined()
    expect(await blobs.put(key, bytes(Buffer.alloc(100)))).toMatchObject({ size: 100 })
  })

  test('reports an error, not a missing blob, when the bucket does not exist', async () => {
    const blobs = await openS3('another-bucket')

    await expect(blobs.get(newKey())).rejects.toThrow(expect.not.objectContaining({ constructor: NoSuchBlob }))
    await expect(blobs.put(newKey(), bytes(Buffer.from('x')))).rejects.toMatchObject({ name: 'NoSuchBucket' })
  })
})

function keepsItsPromises(open: () => Promise<BlobStore>): void {
  let blobs: BlobStore
  beforeAll(async () => {
    blobs = await open()
  })
  beforeEach(async () => {
    for (const kind of ['pieces', 'content', 'previews'] as const)
      for await (const { key } of blobs.list(kind)) await blobs.remove(key)
  })
  const keep = async (content: Buffer, key: BlobKey = newKey()) => {
    await blobs.put(key, bytes(content))
    return key
  }
  const read = async (key: BlobKey, range?: { first: number; last: number }) => buffer(await blobs.get(key, range))

  test.each([0, 1, 65_536, 5_000_001])('returns %i bytes unchanged, with their number and SHA-256', async (size) => {
    const content = randomBytes(size)
    const key = newKey()

    expect(await blobs.put(key, bytes(content))).toEqual({ size, digest: sha256(content) })
    expect((await read(key)).equals(content)).toBe(true)
    expect(await blobs.sizeOf(key)).toBe(size)
  })

  test('returns ranges, inclusive at both ends', async () => {
    const key = await keep(Buffer.from('0123456789'))

    expect((await read(key, { first: 0, last: 0 })).toString()).toBe('0')
    expect((await read(key, { first: 3, last: 6 })).toString()).toBe('3456')
    expect((await read(key, { first: 9, last: 9 })).toString()).toBe('9')
    expect((await read(key, { first: 0, last: 9 })).toString()).toBe('0123456789')
  })

  test.each([
    { first: 5, last: 10 },
    { first: 10, last: 12 },
  ])('fails instead of returning a shorter range if the blob has no bytes $first to $last', async (range) => {
    const key = await keep(Buffer.from('0123456789'))

    await expect(blobs.get(key, range)).rejects.toSatisfy((error) => !(error instanceof NoSuchBlob))
  })

  test('reports missing blobs', async () => {
    const key = newKey()

    await expect(blobs.get(key)).rejects.toBeInstanceOf(NoSuchBlob)
    await expect(blobs.get(key, { first: 0, last: 0 })).rejects.toBeInstanceOf(NoSuchBlob)
    await expect(blobs.move(key, newKey())).rejects.toBeInstanceOf(NoSuchBlob)
    expect(await blobs.sizeOf(key)).toBeUndefined()
    await blobs.remove(key)
  })

  test('overwrites and deletes', async () => {
    const key = await keep(Buffer.from('the first, and longer'))
    await keep(Buffer.from('the second'), key)
    expect((await read(key)).toString()).toBe('the second')

    await blobs.remove(key)
    expect(await blobs.sizeOf(key)).toBeUndefined()
  })

  test.each([
    ['fails', 'the line is cut', (input: Readable) => input.destroy(new Error('the line is cut'))],
    ['breaks off', 'Premature close', (input: Readable) => input.destroy()],
  ])('leaves nothing of an input that %s, and keeps the previous blob', async (_how, reason, cut) => {
    const known = await keep(Buffer.from('from before'))
    const unknown = newKey()
    for (const key of [known, unknown]) {
      const input = new Readable({ read() {} })
      input.push(randomBytes(100_000))
      setTimeout(() => cut(input), 20)
      await expect(blobs.put(key, input)).rejects.toThrow(reason)
    }

    expect(await listed(blobs, 'pieces')).toEqual([known])
    expect((await read(known)).toString()).toBe('from before')
  })

  test('moves, also over an existing blob', async () => {
    const content = randomBytes(300_000)
    const target = contentKey(sha256(content))
    await blobs.move(await keep(content), target)
    expect((await read(target)).equals(content)).toBe(true)

    await blobs.move(await keep(Buffer.from('other bytes')), target)
    expect((await read(target)).toString()).toBe('other bytes')
    expect(await listed(blobs, 'pieces')).toEqual([])
  })

  test('lists each folder separately, with sizes and dates', async () => {
    const before = Date.now() - 5000
    const [one, other] = [sha256(Buffer.from('1')), sha256(Buffer.from('2'))]
    const piece = await keep(Buffer.from('123'))
    await keep(Buffer.from('1234'), contentKey(one))
    await keep(Buffer.from('12345'), contentKey(other))
    await keep(Buffer.from('1'), previewKey(one))

    expect(await listed(blobs, 'pieces')).toEqual([piece])
    expect((await listed(blobs, 'content')).toSorted()).toEqual([contentKey(one), contentKey(other)].toSorted())
    for await (const preview of blobs.list('previews')) {
      expect(preview).toMatchObject({ key: previewKey(one), size: 1 })
      expect(preview.modified.getTime()).toBeGreaterThan(before)
      expect(preview.modified.getTime()).toBeLessThan(Date.now() + 5000)
    }
  })

  test('continues a listing while listed blobs are deleted', async () => {
    await Promise.all(Array.from({ length: 40 }, () => keep(Buffer.from('x'))))

    for await (const { key } of blobs.list('pieces')) await blobs.remove(key)
    expect(await listed(blobs, 'pieces')).toEqual([])
  })

  test('has one complete blob after concurrent puts under one key', async () => {
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.alloc(200_000, at))
    const key = newKey()
    await Promise.all(contents.map((content) => keep(content, key)))

    const found = await read(key)
    expect(contents.some((content) => content.equals(found))).toBe(true)
  })

  test('still responds after many readers have opened blobs and gone away', async () => {
    const key = await keep(randomBytes(1_000_000))
    for (let at = 0; at < 300; at++) (await blobs.get(key)).destroy()

    expect((await read(key)).length).toBe(1_000_000)
  })

  test.each<BlobKey>([
    'pieces/../content',
    `pieces/${randomUUID()}/../../x`,
    `pieces/${randomUUID().toUpperCase()}`,
    `content/ab/${'c'.repeat(64)}`,
    `content/../${'c'.repeat(64)}`,
    `previews/cc/${'c'.repeat(64)}\n`,
    'pieces/\0',
  ])('refuses a foreign key: %j', async (key) => {
    const isRefused = { message: expect.stringContaining('is not the key of a blob') }

    await expect(blobs.put(key, bytes(Buffer.from('x')))).rejects.toMatchObject(isRefused)
    await expect(blobs.get(key)).rejects.toMatchObject(isRefused)
    await expect(blobs.sizeOf(key)).rejects.toMatchObject(isRefused)
    await expect(blobs.move(key, newKey())).rejects.toMatchObject(isRefused)
    await expect(blobs.remove(key)).rejects.toMatchObject(isRefused)
    const good = await keep(Buffer.from('x'))
    await expect(blobs.move(good, key)).rejects.toMatchObject(isRefused)
  })

  test('keeps blobs in a sweep', async () => {
    const key = await keep(Buffer.from('x'))
    await blobs.sweep(new Date(Date.now() + 60_000))

    expect(await listed(blobs, 'pieces')).toEqual([key])
  })
}

async function openS3(bucket = S3_BUCKET): Promise<BlobStore> {
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store({
    bucket,
    prefix: `contract/${randomUUID()}`,
    region: 'us-east-1',
    endpoint: s3?.WAYPOST_S3_ENDPOINT,
    credentials: { accessKeyId: s3?.WAYPOST_S3_ACCESS_KEY ?? '', secretAccessKey: s3?.WAYPOST_S3_SECRET_KEY ?? '' },
  })
}

function newKey(): BlobKey {
  return pieceKey(randomUUID())
}

/** In the chunk size of a socket. */
function bytes(content: Buffer): Readable {
  const portions = Array.from({ length: Math.ceil(content.length / 65_536) }, (_, at) =>
    content.subarray(at * 65_536, (at + 1) * 65_536),
  )
  return Readable.from(portions, { objectMode: false })
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function listed(blobs: BlobStore, kind: Parameters<BlobStore['list']>[0]): Promise<BlobKey[]> {
  const keys: BlobKey[] = []
  for await (const { key } of blobs.list(kind)) keys.push(key)
  return keys
}
