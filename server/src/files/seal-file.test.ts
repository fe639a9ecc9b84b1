import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { TOM, UMA } from '../../test/fixtures/people.ts'
import { announced, blobsOf, emptyStore, storedFile, uploadsBy } from '../../test/harness/temporary-files.ts'
import type { Context } from '../platform/operation/context.ts'
import { inTransaction, poolState } from '../platform/database/db.ts'
import { appendPieces } from './append-pieces.ts'
import { claimFiles, copyFiles } from './claim-files.ts'
import { findContentType } from './find-files.ts'
import { takeLease } from './lease.ts'
import { openFile } from './open-file.ts'
import { sealFile } from './seal-file.ts'
import { contentKey } from './store/blob-store.ts'

const { api, context, clock } = await startWorld()
const tom = uploadsBy(api, TOM)
beforeEach(() => emptyStore(context))

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const read = async (id: Parameters<typeof storedFile>[1]) =>
  (await buffer(await openFile(context, await storedFile(context, id)))).toString()

async function uploaded(...chunks: string[]) {
  const [first = '', ...others] = chunks
  const { json } = await tom.create(first)
  for (const [index, chunk] of others.entries()) await tom.append(json.id, index + 2, chunk)
  return storedFile(context, json.id)
}

describe('sealing', () => {
  test('joins all pieces under the digest of the whole', async () => {
    const file = await uploaded('Hello,', ' Way', 'post!\n')
    const sealed = await sealFile(context, file)

    const digest = digestOf('Hello, Waypost!\n')
    expect(sealed).toMatchObject({ digest, size: 16, received: 16 })
    expect(await blobsOf(context, 'content')).toEqual([contentKey(digest)])
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect(await findContentType(context.db, sealed)).toBe('text/plain')
    expect(await read(file.id)).toBe('Hello, Waypost!\n')
    expect(await sealFile(context, file)).toEqual(sealed)
  })

  test('stores equal bytes once', async () => {
    const [one, other] = [await uploaded('same'), await uploaded('sa', 'me')]
    await Promise.all([sealFile(context, one), sealFile(context, other)])
    expect(await blobsOf(context, 'content')).toEqual([contentKey(digestOf('same'))])
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect([await read(one.id), await read(other.id)]).toEqual(['same', 'same'])
  })

  test('happens once under concurrent calls', async () => {
    const file = await uploaded('a', 'b', 'c')
    const sealed = await Promise.all(Array.from({ length: 6 }, () => sealFile(context, file)))
    for (const each of sealed) expect(each.digest).toBe(digestOf('abc'))
    expect(await blobsOf(context, 'pieces')).toEqual([])
  })

  test('works for an empty file', async () => {
    const sealed = await sealFile(context, await uploaded(''))
    expect(sealed.digest).toBe(digestOf(''))
    expect(await read(sealed.id)).toBe('')
  })

  test('is repeated after more bytes were received', async () => {
    const file = await uploaded('one')
    const once = await sealFile(context, file)
    expect((await tom.append(file.id, 2, ' two')).json.size).toBe(7)
    expect(await read(file.id)).toBe('one two')
    expect((await tom.append(file.id, 2, ' two')).status).toBe(200)
    const twice = await sealFile(context, once)
    expect(twice.digest).toBe(digestOf('one two'))
    expect(await read(file.id)).toBe('one two')
  })

  test('restarts if a chunk arrives meanwhile', async () => {
    const file = await uploaded('one')
    let moves = 0
    const slow: Context = {
      ...context,
      blobs: {
        ...context.blobs,
        async sizeOf(key) {
          moves++
          if (moves === 1) await tom.append(file.id, 2, ' two')
          return context.blobs.sizeOf(key)
        },
      },
    }
    expect(await sealFile(slow, file)).toMatchObject({ digest: digestOf('one two'), size: 7 })
    expect(await read(file.id)).toBe('one two')
  })

  test('P07 waits for a slow store without a connection of the request pool', async () => {
    const files = await Promise.all(Array.from({ length: 3 }, (_, index) => uploaded(`slow ${index}`)))
    const gate = Promise.withResolvers<void>()
    let waiting = 0
    const slow: Context = {
      ...context,
      blobs: {
        ...context.blobs,
        async sizeOf(key) {
          waiting++
          await gate.promise
          return context.blobs.sizeOf(key)
        },
      },
    }
    const sealing = Promise.all(files.map((file) => sealFile(slow, file)))
    await expect.poll(() => waiting).toBe(3)
    expect(poolState(context.db).busy).toBe(0)
    gate.resolve()
    await sealing
  })

  test('refuses a deleted or incomplete file', async () => {
    const file = await uploaded('one')
    await tom.remove(file.id)
    await expect(sealFile(context, file)).rejects.toMatchObject({ reason: 'not_found' })
    await expect(sealFile(context, await announced(context, 10))).rejects.toThrow(TypeError)
  })

  test('a stream that is read during sealing continues', async () => {
    const file = await announced(context, 40 * 2 ** 20)
    const bytes = Buffer.alloc(file.size, 'waypost ')
    const writer = (await takeLease(context.db, file.id, clock.now())) ?? ''
    await appendPieces(context, file, Readable.from([bytes]), writer)
    const whole = await storedFile(context, file.id)
    const reading = await openFile(context, whole)
    await sealFile(context, whole)
    expect(bytes.equals(await buffer(reading))).toBe(true)
  })
})

describe('claiming', () => {
  const claim = (ids: Parameters<typeof claimFiles>[1], who = TOM) =>
    inTransaction(context.db, (tx) => claimFiles(tx, ids, who.id, clock.now()))

  test('attaches sealed files of the uploader, all or none', async () => {
    const one = await sealFile(context, await uploaded('one'))
    const other = await uploaded('other')
    expect(await claim([one.id], UMA)).toBe(false)
    expect(await claim([other.id])).toBe(false)
    await sealFile(context, other)
    expect(await claim([one.id, other.id])).toBe(true)
    expect(await storedFile(context, one.id)).toMatchObject({ is_attached: true, expires_on: null })
    expect(await claim([one.id])).toBe(false)
    expect((await tom.read(one.id)).status).toBe(404)
    expect((await tom.append(one.id, 2, 'more')).status).toBe(404)
    expect((await tom.remove(one.id)).status).toBe(404)
    expect(await read(one.id)).toBe('one')
  })

  test('refuses a file that has grown since, or has expired', async () => {
    const file = await sealFile(context, await uploaded('one'))
    await tom.append(file.id, 2, ' two')
    expect(await claim([file.id])).toBe(false)
    await sealFile(context, file)
    clock.advance(72 * 3_600_000)
    expect(await claim([file.id])).toBe(false)
  })

  test('refuses a file that grows concurrently', async () => {
    const file = await sealFile(context, await uploaded('one'))
    const growing = await context.db.startTransaction().execute()
    await sql`update file set size = size + 4, received = received + 4 where id = ${file.id}`.execute(growing)
    const claiming = claim([file.id])
    await growing.commit().execute()
    expect(await claiming).toBe(false)
  })

  test('a copy has its own id and uploader, and the same bytes', async () => {
    const file = await sealFile(context, await uploaded('one'))
    await claim([file.id])
    const copies = await inTransaction(context.db, (tx) => copyFiles(tx, [file.id], UMA.id, clock.now()))
    const copy = copies.get(file.id)
    if (copy === undefined) throw new Error('There is no copy.')
    expect(copy).not.toBe(file.id)
    expect(await storedFile(context, copy)).toMatchObject({
      uploader_id: UMA.id,
      name: 'core.log',
      digest: file.digest,
      is_attached: true,
    })
    expect(await read(copy)).toBe('one')
  })
})
