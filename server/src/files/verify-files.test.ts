import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness/database.ts'
import { filesEnvironment } from '../../test/harness/storage-settings.ts'
import { testConfig } from '../../test/harness/start-world.ts'
import { TOM } from '../../test/fixtures/people.ts'
import { runCommand } from '../../test/harness/run-command.ts'
import { seed } from '../../test/fixtures/seed.ts'
import { createContext } from '../context.ts'
import { closePools } from '../platform/database/pools.ts'
import { inTransaction } from '../platform/database/db.ts'
import { lockContent } from './content-lock.ts'
import { type BlobKey, contentKey, pieceKey, previewKey } from './store/blob-store.ts'
import { type FileFault, verifyFiles } from './verify-files.ts'

const database = await createTestDatabase()
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const { db, blobs } = context
afterAll(() => closePools(context.pools))
await seed(db)

const NOW = new Date()
const DAY = 86_400_000
const WHOLE = 8101
const ARRIVING = 8102
const wholeContent = digestOf('the whole file')
const arrivingPiece = randomUUID()

// One attached file, and one with a single piece received.
beforeEach(async () => {
  await sql`truncate file, file_content, file_piece cascade`.execute(db)
  for (const kind of ['pieces', 'content', 'previews'] as const)
    for await (const { key } of blobs.list(kind)) await blobs.remove(key)
  await put(contentKey(wholeContent), 'the whole file')
  await put(previewKey(wholeContent), 'a picture of it')
  await put(pieceKey(arrivingPiece), 'a piece')
  await sql`insert into file_content (digest, size, type, stored_on) values (${wholeContent}, 14, 'text/plain', ${NOW})`.execute(
    db,
  )
  await sql`
    insert into file (id, uploader_id, name, media_type, size, received, digest, is_attached, created_on, expires_on)
    values (${WHOLE}, ${TOM.id}, 'whole.txt', 'text/plain', 14, 14, ${wholeContent}, true, ${NOW}, null),
      (${ARRIVING}, ${TOM.id}, 'arriving.txt', 'text/plain', 100, 7, null, false, ${NOW}, ${NOW})`.execute(db)
  await sql`
    insert into file_piece (file_id, at, size, digest, key)
    values (${ARRIVING}, 0, 7, ${digestOf('a piece')}, ${arrivingPiece})`.execute(db)
})

test('database and store agree', async () => {
  expect(await faults()).toEqual([])
  expect(await faults({ digest: true })).toEqual([])
})

test('content missing in the store is reported with its files', async () => {
  await blobs.remove(contentKey(wholeContent))

  expect(await faults()).toEqual([
    { kind: 'content missing', object: contentKey(wholeContent), detail: `of files/${WHOLE}` },
  ])
})

test('only some of many files with missing content are listed', async () => {
  await sql`
    insert into file (uploader_id, name, media_type, size, received, digest, is_attached, created_on)
    select ${TOM.id}::bigint, 'copy.txt', 'text/plain', 14, 14, ${wholeContent}::text, true, ${NOW}::timestamptz
    from generate_series(1, 6)`.execute(db)
  await blobs.remove(contentKey(wholeContent))

  const [fault] = await faults()
  expect(fault?.detail).toMatch(/^of (files\/\d+, ){4}files\/\d+ and 2 more$/)
})

test('content with a wrong size is reported', async () => {
  await put(contentKey(wholeContent), 'the whole')

  expect(await faults()).toEqual([
    { kind: 'content damaged', object: contentKey(wholeContent), detail: `9 of 14 bytes; of files/${WHOLE}` },
  ])
})

test('content with wrong bytes is reported if the bytes are read', async () => {
  await put(contentKey(wholeContent), 'the WHOLE file')

  expect(await faults()).toEqual([])
  expect(await faults({ digest: true })).toEqual([
    { kind: 'content damaged', object: contentKey(wholeContent), detail: `other bytes; of files/${WHOLE}` },
  ])
})

test('content that was announced but never stored is not reported', async () => {
  await sql`
    insert into file_content (digest, size, type, stored_on, unused_on)
    values (${digestOf('never')}, 5, 'text/plain', ${NOW}, ${NOW})`.execute(db)

  expect(await faults({ digest: true })).toEqual([])
})

test('content and previews unknown to the database are reported', async () => {
  const stranger = digestOf('a stranger')
  await put(contentKey(stranger), 'a stranger')
  await put(previewKey(stranger), 'its preview')

  expect(await faults()).toEqual([
    { kind: 'content unknown', object: contentKey(stranger), detail: '10 bytes' },
    { kind: 'preview unknown', object: previewKey(stranger), detail: '11 bytes' },
  ])
})

test('a piece that is missing or has a wrong size or wrong bytes is reported', async () => {
  const object = pieceKey(arrivingPiece)
  await put(object, 'A PIECE')
  expect(await faults()).toEqual([])
  expect(await faults({ digest: true })).toEqual([
    { kind: 'piece damaged', object, detail: `other bytes; of files/${ARRIVING}` },
  ])

  await put(object, 'a pie')
  expect(await faults()).toEqual([{ kind: 'piece damaged', object, detail: `5 of 7 bytes; of files/${ARRIVING}` }])

  await blobs.remove(object)
  expect(await faults()).toEqual([{ kind: 'piece missing', object, detail: `of files/${ARRIVING}` }])
})

test('a piece unknown to the database is reported after a day', async () => {
  const stray = pieceKey(randomUUID())
  await put(stray, 'stray')

  expect(await faults({ at: Date.now() + 0.9 * DAY })).toEqual([])
  expect(await faults({ at: Date.now() + 1.1 * DAY })).toEqual([
    { kind: 'piece unknown', object: stray, detail: expect.stringMatching(/^5 bytes of 20/) },
  ])
})

test('a file whose parts do not add up to its size is reported', async () => {
  await sql`update file set received = 50 where id = ${ARRIVING}`.execute(db)
  await sql`update file set size = 20, received = 20 where id = ${WHOLE}`.execute(db)

  expect(await faults()).toEqual([
    { kind: 'file incomplete', object: `files/${WHOLE}`, detail: '14 of 20 bytes' },
    { kind: 'file incomplete', object: `files/${ARRIVING}`, detail: '7 of 50 bytes' },
  ])
})

test('an attached file without content is reported, should the database ever contain one', async () => {
  let first: unknown
  const breaking = inTransaction(db, async (tx) => {
    await sql`alter table file drop constraint file_digest_fkey`.execute(tx)
    await sql`delete from file_content where digest = ${wholeContent}`.execute(tx)
    first = (await verifyFiles({ ...context, db: tx }, { digest: false }).next()).value
    throw new Error('rolled back')
  })

  await expect(breaking).rejects.toThrow('rolled back')
  expect(first).toEqual({ kind: 'file incomplete', object: `files/${WHOLE}`, detail: '0 of 14 bytes' })
})

test('content that a server is just storing is not reported', async () => {
  const digest = digestOf('on its way')
  let release = () => {}
  const released = new Promise<void>((next) => {
    release = next
  })
  let isPlaced = () => {}
  const placed = new Promise<void>((next) => {
    isPlaced = next
  })
  const sealing = inTransaction(db, async (tx) => {
    await lockContent(tx, digest)
    await put(contentKey(digest), 'on its way')
    isPlaced()
    await released
    await sql`insert into file_content (digest, size, type, stored_on) values (${digest}, 10, 'text/plain', ${NOW})`.execute(
      tx,
    )
  })
  await placed
  const verified = faults()
  setTimeout(release, 300)

  expect(await verified).toEqual([])
  await sealing
})

test('all batches are checked', async () => {
  const names = Array.from({ length: 230 }, (_, at) => `content ${at}`)
  await Promise.all(names.map((name) => put(contentKey(digestOf(name)), name)))
  await sql`
    insert into file_content (digest, size, type, stored_on)
    select digest, size, 'text/plain', ${NOW}::timestamptz
    from unnest(${names.map(digestOf)}::text[], ${names.map(({ length }) => length)}::bigint[]) as given (digest, size)`.execute(
    db,
  )
  expect(await faults()).toEqual([])

  await Promise.all(names.map((name) => blobs.remove(contentKey(digestOf(name)))))
  expect(await faults()).toHaveLength(230)
})

test('the command prints each fault and exits with 1, or with 0 if there is none', async () => {
  const environment = {
    WAYPOST_DATABASE_URL: database.appUrl,
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    ...filesEnvironment(database.appUrl),
  }
  expect(await runCommand(environment, ['files', 'verify', '--digest'])).toEqual({
    code: 0,
    out: 'Database and file store agree.\n',
    err: '',
  })

  await blobs.remove(contentKey(wholeContent))
  expect(await runCommand(environment, ['files', 'verify'])).toEqual({
    code: 1,
    out: `content missing  ${contentKey(wholeContent)}  of files/${WHOLE}\nFaults: 1.\n`,
    err: '',
  })
})

async function faults({
  digest = false,
  at = Date.now(),
}: {
  digest?: boolean
  at?: number
} = {}): Promise<FileFault[]> {
  const found: FileFault[] = []
  for await (const fault of verifyFiles({ ...context, clock: { now: () => new Date(at) } }, { digest }))
    found.push(fault)
  return found
}

function put(key: BlobKey, content: string) {
  return blobs.put(key, Readable.from([Buffer.from(content)]))
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}
