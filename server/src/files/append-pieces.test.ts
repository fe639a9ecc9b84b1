import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { announced, blobsOf, emptyStore, storedFile } from '../../test/harness/temporary-files.ts'
import type { Context } from '../platform/operation/context.ts'
import { appendPieces } from './append-pieces.ts'
import type { StoredFile } from './file.ts'
import { takeLease } from './lease.ts'
import { openFile } from './open-file.ts'
import { StoreFull } from './store/blob-store.ts'

const { context, clock } = await startWorld()
beforeEach(() => emptyStore(context))

const MiB = 2 ** 20
const BYTES = randomBytes(40 * MiB)

async function writerOf({ id }: StoredFile): Promise<string> {
  const writer = await takeLease(context.db, id, clock.now())
  if (writer === undefined) throw new Error('Somebody else writes.')
  return writer
}

async function piecesOf({ id }: StoredFile) {
  const { rows } = await sql<{ at: number; size: number }>`
    select at, size from file_piece where file_id = ${id} order by at`.execute(context.db)
  return rows.map(({ at, size }) => [at, size])
}

/** Chunks of an odd size, as sockets deliver them. */
function* arriving(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521)
}

test('a body is split into pieces, and reads back unchanged', async () => {
  const file = await announced(context, BYTES.length)
  const received = await appendPieces(context, file, Readable.from(arriving(BYTES)), await writerOf(file))

  expect(received).toBe(BYTES.length)
  expect(await piecesOf(file)).toEqual([
    [0, 16 * MiB],
    [16 * MiB, 16 * MiB],
    [32 * MiB, 8 * MiB],
  ])
  const stored = await storedFile(context, file.id)
  expect(stored).toMatchObject({ received, digest: null })
  expect(BYTES.equals(await buffer(await openFile(context, stored)))).toBe(true)
  const range = { first: 16 * MiB - 5, last: 32 * MiB + 5 }
  expect(BYTES.subarray(range.first, range.last + 1).equals(await buffer(await openFile(context, stored, range)))).toBe(
    true,
  )
})

test('several requests append in order', async () => {
  const file = await announced(context, 10)
  const writer = await writerOf(file)
  expect(await appendPieces(context, file, Readable.from([Buffer.from('Hello,')]), writer)).toBe(6)
  const halfway = await storedFile(context, file.id)
  expect(await appendPieces(context, halfway, Readable.from([]), writer)).toBe(6)
  expect(await appendPieces(context, halfway, Readable.from([Buffer.from(' Way')]), writer)).toBe(10)
  expect((await buffer(await openFile(context, await storedFile(context, file.id)))).toString()).toBe('Hello, Way')
})

test('a broken connection keeps the bytes received', async () => {
  const file = await announced(context, BYTES.length)
  const breaking = Readable.from(
    (async function* () {
      yield* arriving(BYTES.subarray(0, 17 * MiB))
      throw new Error('aborted')
    })(),
  )
  expect(await appendPieces(context, file, breaking, await writerOf(file))).toBe(17 * MiB)
  expect(await piecesOf(file)).toEqual([
    [0, 16 * MiB],
    [16 * MiB, MiB],
  ])
})

test('a body that is too long leaves nothing, not even in the store', async () => {
  const file = await announced(context, 33 * MiB)
  const writer = await writerOf(file)
  const halfway = await appendPieces(context, file, Readable.from(arriving(BYTES.subarray(0, MiB))), writer)
  const long = appendPieces(
    context,
    await storedFile(context, file.id),
    Readable.from(arriving(BYTES.subarray(MiB, 34 * MiB))),
    writer,
  )
  await expect(long).rejects.toMatchObject({ reason: 'payload_too_large', details: { allowed: { maximum: 32 * MiB } } })
  expect(await storedFile(context, file.id)).toMatchObject({ received: halfway })
  expect(await piecesOf(file)).toEqual([[0, MiB]])
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test('a full store leaves the file unchanged', async () => {
  const file = await announced(context, BYTES.length)
  let puts = 0
  const full: Context = {
    ...context,
    blobs: {
      ...context.blobs,
      put(key, content) {
        puts++
        return puts === 2 ? Promise.reject(new StoreFull()) : context.blobs.put(key, content)
      },
    },
  }
  await expect(appendPieces(full, file, Readable.from(arriving(BYTES)), await writerOf(file))).rejects.toMatchObject({
    reason: 'storage_full',
    status: 507,
  })
  expect(await storedFile(context, file.id)).toMatchObject({ received: 0 })
  expect(await blobsOf(context, 'pieces')).toEqual([])
})

test('a writer who lost the lease records nothing more', async () => {
  const file = await announced(context, 10)
  const slow = await writerOf(file)
  clock.advance(10_000)
  const fast = await writerOf(file)
  expect(await appendPieces(context, file, Readable.from([Buffer.from('fast')]), fast)).toBe(4)
  await expect(appendPieces(context, file, Readable.from([Buffer.from('slow')]), slow)).rejects.toMatchObject({
    reason: 'upload_locked',
  })
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
  expect((await buffer(await openFile(context, await storedFile(context, file.id)))).toString()).toBe('fast')
})

test('a deleted file accepts nothing more', async () => {
  const file = await announced(context, 10)
  const writer = await writerOf(file)
  await sql`delete from file where id = ${file.id}`.execute(context.db)
  await expect(appendPieces(context, file, Readable.from([Buffer.from('late')]), writer)).rejects.toMatchObject({
    reason: 'upload_locked',
  })
  expect(await blobsOf(context, 'pieces')).toEqual([])
})
