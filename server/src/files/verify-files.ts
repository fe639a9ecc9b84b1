import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, type Tx } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import { lockContent } from './content-lock.ts'
import { type BlobKey, contentKey, pieceKey, previewKey, type StoredBlob } from './store/blob-store.ts'

export const FILE_FAULTS = [
  'content missing',
  'content damaged',
  'content unknown',
  'preview unknown',
  'piece missing',
  'piece damaged',
  'piece unknown',
  'file incomplete',
] as const

export interface FileFault {
  readonly kind: (typeof FILE_FAULTS)[number]
  /** A blob key, or `files/<id>`. */
  readonly object: string
  readonly detail: string
}

type Store = Pick<Context, 'db' | 'blobs' | 'clock'>

/** A blob as recorded in the database. */
interface Expected {
  readonly key: BlobKey
  readonly size: number
  readonly digest: string
}

/** A piece younger than this may not be recorded in the database yet. */
const GRACE_HOURS = 24
const BATCH_SIZE = 100

/**
 * Compares database and store in both directions while servers are running: suspected faults are checked again under
 * the lock. With `digest`, the bytes are verified too.
 */
export async function* verifyFiles(store: Store, { digest }: { digest: boolean }): AsyncGenerator<FileFault> {
  yield* incompleteFiles(store)
  yield* wrongContents(store, digest)
  yield* wrongPieces(store, digest)
  yield* unknownBlobs(store, 'content')
  yield* unknownBlobs(store, 'previews')
  yield* unknownPieces(store)
}

/** Files whose parts do not add up to the received size. */
async function* incompleteFiles({ db }: Store): AsyncGenerator<FileFault> {
  const after = (id: number) =>
    sql<{ id: number; received: number; size: number; is_attached: boolean; stored: number }>`
    select file.id, received, file.size, is_attached, (coalesce(content.size, 0)
      + coalesce((select sum(piece.size) from file_piece piece where piece.file_id = file.id), 0))::bigint as stored
    from file left join file_content content on content.digest = file.digest
    where file.id > ${id} order by file.id limit ${BATCH_SIZE}`.execute(db)
  for (let { rows } = await after(0); rows.length > 0; { rows } = await after(rows.at(-1)?.id ?? 0))
    for (const { id, received, size, is_attached, stored } of rows)
      if (stored !== received || (is_attached && received !== size))
        yield {
          kind: 'file incomplete',
          object: `files/${id}`,
          detail: `${stored} of ${is_attached ? size : received} bytes`,
        }
}

async function* wrongContents(store: Store, digest: boolean): AsyncGenerator<FileFault> {
  const after = (last: string) =>
    sql<{ size: number; digest: string }>`
    select digest, size from file_content where digest > ${last} order by digest limit ${BATCH_SIZE}`.execute(store.db)
  for (let { rows } = await after(''); rows.length > 0; { rows } = await after(rows.at(-1)?.digest ?? ''))
    yield* wrongBlobs(
      store,
      rows.map((row) => ({ ...row, key: contentKey(row.digest) })),
      digest,
      (content) => wrongContent(store, content),
    )
}

async function* wrongPieces(store: Store, digest: boolean): AsyncGenerator<FileFault> {
  const after = (last: string | null) =>
    sql<{ key: string; size: number; digest: string }>`
    select key, size, digest from file_piece
    where ${last}::uuid is null or key > ${last}::uuid order by key limit ${BATCH_SIZE}`.execute(store.db)
  for (let { rows } = await after(null); rows.length > 0; { rows } = await after(rows.at(-1)?.key ?? null))
    yield* wrongBlobs(
      store,
      rows.map((row) => ({ ...row, key: pieceKey(row.key) })),
      digest,
      (piece) => wrongPiece(store, piece),
    )
}

async function* wrongBlobs(
  { blobs }: Store,
  expected: readonly Expected[],
  digest: boolean,
  recheck: (each: Expected) => Promise<FileFault | undefined>,
): AsyncGenerator<FileFault> {
  const sizes = await Promise.all(expected.map(({ key }) => blobs.sizeOf(key)))
  for (const [at, each] of expected.entries()) {
    const isSound = sizes[at] === each.size && !(digest && (await blobDigest({ blobs }, each.key)) !== each.digest)
    const fault = isSound ? undefined : await recheck(each)
    if (fault) yield fault
  }
}

/** Content that no file references yet is announced before it is stored, and may be missing. */
function wrongContent({ db, blobs }: Store, { key, digest }: Expected): Promise<FileFault | undefined> {
  return inTransaction(db, async (tx) => {
    await lockContent(tx, digest)
    const { rows } = await sql<{ size: number; is_used: boolean }>`
      select size, unused_on is null or exists (select from file where digest = file_content.digest) as is_used
      from file_content where digest = ${digest}`.execute(tx)
    const [row] = rows
    const size = await blobs.sizeOf(key)
    if (!row || (size === undefined && !row.is_used)) return undefined
    if (size === undefined) return { kind: 'content missing', object: key, detail: await describeOwners(tx, digest) }
    const detail = size === row.size ? 'other bytes' : `${size} of ${row.size} bytes`
    return { kind: 'content damaged', object: key, detail: `${detail}; ${await describeOwners(tx, digest)}` }
  })
}

async function wrongPiece({ db, blobs }: Store, { key, size, digest }: Expected): Promise<FileFault | undefined> {
  const found = await blobs.sizeOf(key)
  const { rows } = await sql<{ file_id: number }>`
    select file_id from file_piece where key = ${key.slice('pieces/'.length)} and digest = ${digest}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const owner = `of files/${row.file_id}`
  if (found === undefined) return { kind: 'piece missing', object: key, detail: owner }
  const detail = found === size ? 'other bytes' : `${found} of ${size} bytes`
  return { kind: 'piece damaged', object: key, detail: `${detail}; ${owner}` }
}

async function describeOwners(tx: Tx, digest: string): Promise<string> {
  const { rows } = await sql<{ id: number; of: number }>`
    select id, count(*) over () as of from file where digest = ${digest} order by id limit 5`.execute(tx)
  const [first] = rows
  if (!first) return 'no file has it'
  return `of ${rows.map(({ id }) => `files/${id}`).join(', ')}${first.of > rows.length ? ` and ${first.of - rows.length} more` : ''}`
}

async function* unknownBlobs(store: Store, folder: 'content' | 'previews'): AsyncGenerator<FileFault> {
  const [kind, keyOf] =
    folder === 'content' ? (['content unknown', contentKey] as const) : (['preview unknown', previewKey] as const)
  for await (const found of inBatches(store.blobs.list(folder))) {
    const digests = found.map(({ key }) => key.slice(-64))
    const { rows } = await sql<{ digest: string }>`
      select given.digest from unnest(${digests}::text[]) as given (digest)
      where not exists (select from file_content where digest = given.digest)`.execute(store.db)
    for (const { digest } of rows) {
      const size = await sizeOfUnknown(store, digest, keyOf(digest))
      if (size !== undefined) yield { kind, object: keyOf(digest), detail: `${size} bytes` }
    }
  }
}

/** Undefined: it has been recorded or deleted meanwhile. */
function sizeOfUnknown({ db, blobs }: Store, digest: string, key: BlobKey): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    await lockContent(tx, digest)
    const { rows } = await sql`select from file_content where digest = ${digest}`.execute(tx)
    return rows.length > 0 ? undefined : blobs.sizeOf(key)
  })
}

async function* unknownPieces({ db, blobs, clock }: Store): AsyncGenerator<FileFault> {
  const limit = clock.now().getTime() - GRACE_HOURS * 3_600_000
  for await (const found of inBatches(blobs.list('pieces'))) {
    const old = new Map(
      found
        .filter(({ modified }) => modified.getTime() < limit)
        .map((blob) => [blob.key.slice('pieces/'.length), blob] as const),
    )
    const { rows } = await sql<{ key: string }>`
      select given.key from unnest(${[...old.keys()]}::uuid[]) as given (key)
      where not exists (select from file_piece where key = given.key)`.execute(db)
    for (const { key } of rows) {
      const blob = old.get(key)
      if (blob)
        yield {
          kind: 'piece unknown',
          object: blob.key,
          detail: `${blob.size} bytes of ${blob.modified.toISOString()}`,
        }
    }
  }
}

async function* inBatches(blobs: AsyncIterable<StoredBlob>): AsyncGenerator<StoredBlob[]> {
  let batch: StoredBlob[] = []
  for await (const blob of blobs) {
    batch.push(blob)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Undefined: the blob cannot be read to its end. */
async function blobDigest({ blobs }: Pick<Context, 'blobs'>, key: BlobKey): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of await blobs.get(key)) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
