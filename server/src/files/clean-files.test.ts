import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../test/harness/start-world.ts'
import { TOM } from '../../test/fixtures/people.ts'
import { runJobs } from '../../test/harness/run-jobs.ts'
import { announced, blobsOf, emptyStore, storedFile, uploadsBy } from '../../test/harness/temporary-files.ts'
import type { Context } from '../platform/operation/context.ts'
import { inTransaction } from '../platform/database/db.ts'
import { enqueueJob } from '../platform/jobs/jobs.ts'
import { claimFiles } from './claim-files.ts'
import { cleanFiles } from './clean-files.ts'
import type { FileId } from './file.ts'
import { openFile } from './open-file.ts'
import { releaseFiles } from './release-files.ts'
import { sealFile } from './seal-file.ts'
import { contentKey, pieceKey, previewKey } from './store/blob-store.ts'

const { api, context, clock, startAnother } = await startWorld()
const another = await startAnother()
const tom = uploadsBy(api, TOM)
beforeEach(() => emptyStore(context))

const HOUR = 3_600_000
const DAY = 24 * HOUR
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function uploaded(content: string): Promise<FileId> {
  const { json } = await tom.create(content)
  return json.id
}

async function sealed(content: string) {
  return sealFile(context, await storedFile(context, await uploaded(content)))
}

const release = (...ids: FileId[]) => inTransaction(context.db, (tx) => releaseFiles(tx, ids))
const clean = () => cleanFiles(context, clock.now())
const contents = async () =>
  (await sql<{ digest: string }>`select digest from file_content order by digest`.execute(context.db)).rows.map(
    ({ digest }) => digest,
  )

describe('cleaning', () => {
  test('deletes expired files with their pieces, and nothing earlier', async () => {
    const id = await uploaded('old')
    const stream = await announced(context, 10)
    clock.advance(4 * HOUR - 1)
    await clean()
    expect(await storedFile(context, stream.id)).toMatchObject({ id: stream.id })
    clock.advance(1)
    await clean()
    await expect(storedFile(context, stream.id)).rejects.toThrow('There is no file')
    expect((await tom.read(id)).status).toBe(200)
    clock.advance(68 * HOUR)
    await clean()
    await runJobs(context)
    await expect(storedFile(context, id)).rejects.toThrow('There is no file')
    expect(await blobsOf(context, 'pieces')).toEqual([])
  })

  test('keeps attached files', async () => {
    const file = await sealed('kept')
    await inTransaction(context.db, (tx) => claimFiles(tx, [file.id], TOM.id, clock.now()))
    clock.advance(1000 * DAY)
    await clean()
    const kept = await storedFile(context, file.id)
    expect((await buffer(await openFile(context, kept))).toString()).toBe('kept')
  })

  test('deletes unreferenced pieces after a day', async () => {
    const id = await uploaded('mine')
    const [mine] = await blobsOf(context, 'pieces')
    await context.blobs.put(pieceKey(randomUUID()), Readable.from([Buffer.from('stray')]))
    await sql`update file set expires_on = '2100-01-01' where id = ${id}`.execute(context.db)
    clock.set(new Date(Date.now() + DAY - HOUR))
    await clean()
    expect(await blobsOf(context, 'pieces')).toHaveLength(2)
    clock.set(new Date(Date.now() + DAY + HOUR))
    await clean()
    expect(await blobsOf(context, 'pieces')).toEqual([mine])
  })

  test('deletes unreferenced content after the retention for backups', async () => {
    const file = await sealed('unused')
    const key = contentKey(digestOf('unused'))
    await context.blobs.put(previewKey(digestOf('unused')), Readable.from([Buffer.from('small')]))
    await release(file.id)
    await clean()
    clock.advance(7 * DAY - 1)
    await clean()
    expect(await blobsOf(context, 'content')).toEqual([key])
    clock.advance(1)
    await clean()
    expect(await blobsOf(context, 'content')).toEqual([])
    expect(await blobsOf(context, 'previews')).toEqual([])
    expect(await contents()).toEqual([])
  })

  test('keeps content that another file references, or references again', async () => {
    const [one, other] = [await sealed('twice'), await sealed('twice')]
    await release(one.id)
    await clean()
    clock.advance(DAY)
    await release(other.id)
    await clean()
    clock.advance(6 * DAY)
    const again = await sealed('twice')
    clock.advance(DAY)
    await clean()
    expect((await buffer(await openFile(context, again))).toString()).toBe('twice')
  })

  test('checks a mark again before it deletes', async () => {
    const file = await sealed('in use')
    await inTransaction(context.db, (tx) => claimFiles(tx, [file.id], TOM.id, clock.now()))
    await sql`update file_content set unused_on = ${clock.now()}`.execute(context.db)
    clock.advance(8 * DAY)
    await clean()
    expect((await buffer(await openFile(context, await storedFile(context, file.id)))).toString()).toBe('in use')
    expect((await sql`select unused_on from file_content`.execute(context.db)).rows).toEqual([{ unused_on: null }])
  })

  test('finds content that was stored by a process which crashed afterwards', async () => {
    const id = await uploaded('orphan')
    const dying: Context = {
      ...context,
      blobs: {
        ...context.blobs,
        async move(from, to) {
          await context.blobs.move(from, to)
          throw new Error('killed')
        },
      },
    }
    await expect(sealFile(dying, await storedFile(context, id))).rejects.toThrow('killed')
    expect(await blobsOf(context, 'content')).toEqual([contentKey(digestOf('orphan'))])
    expect((await buffer(await openFile(context, await storedFile(context, id)))).toString()).toBe('orphan')
    clock.advance(8 * DAY)
    await clean()
    expect(await blobsOf(context, 'content')).toEqual([])
    expect(await contents()).toEqual([])
  })

  test('runs with the hourly cleanup', async () => {
    const id = await uploaded('old')
    clock.advance(72 * HOUR)
    await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
    await runJobs(context)
    await expect(storedFile(context, id)).rejects.toThrow('There is no file')
    expect(await blobsOf(context, 'pieces')).toEqual([])
  })
})

describe('cleaning while the same content comes again', () => {
  /** Unused beyond its retention: the next cleanup deletes it. */
  async function doomed(content: string) {
    const file = await sealed(content)
    await release(file.id)
    await clean()
    clock.advance(8 * DAY)
  }

  const readBack = async (id: FileId) =>
    (await buffer(await openFile(context, await storedFile(context, id)))).toString()

  test('a concurrent seal keeps it', async () => {
    await doomed('contested')
    const file = await storedFile(context, await uploaded('contested'))
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const slow: Context = {
      ...another.context,
      blobs: {
        ...another.context.blobs,
        async sizeOf(key) {
          const size = await another.context.blobs.sizeOf(key)
          locked()
          await mayGoOn
          return size
        },
      },
    }
    const sealing = sealFile(slow, file)
    await isLocked
    const cleaning = clean()
    await untilSomebodyWaits()
    goOn()
    await Promise.all([sealing, cleaning])
    expect(await readBack(file.id)).toBe('contested')
  })

  test('a seal after the deletion stores it again', async () => {
    await doomed('contested')
    const file = await storedFile(context, await uploaded('contested'))
    const { promise: isRemoving, resolve: removing } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const slow: Context = {
      ...context,
      blobs: {
        ...context.blobs,
        async remove(key) {
          removing()
          await mayGoOn
          await context.blobs.remove(key)
        },
      },
    }
    const cleaning = cleanFiles(slow, clock.now())
    await isRemoving
    const sealing = sealFile(another.context, file)
    await untilSomebodyWaits()
    goOn()
    await Promise.all([sealing, cleaning])
    expect(await readBack(file.id)).toBe('contested')
    expect(await blobsOf(context, 'content')).toEqual([contentKey(digestOf('contested'))])
  })

  test('no file loses its bytes in any order', async () => {
    for (let round = 0; round < 10; round++) {
      await doomed(`round ${round}`)
      const files = await Promise.all(
        Array.from({ length: 3 }, async () => storedFile(context, await uploaded(`round ${round}`))),
      )
      await Promise.all([
        clean(),
        ...files.map((file) => sealFile(another.context, file)),
        cleanFiles(another.context, clock.now()),
      ])
      for (const { id } of files) expect(await readBack(id)).toBe(`round ${round}`)
    }
  })

  /** Waits until another connection is blocked on a lock. */
  async function untilSomebodyWaits(): Promise<void> {
    for (;;) {
      const { rows } = await sql`
        select from pg_locks where locktype in ('advisory', 'transactionid', 'tuple') and not granted`.execute(
        context.db,
      )
      if (rows.length > 0) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
})
