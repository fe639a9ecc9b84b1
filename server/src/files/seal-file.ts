import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { inTransaction, type Tx } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { checkContent } from './check-content.ts'
import { lockContent } from './content-lock.ts'
import { isWhole, type StoredFile } from './file.ts'
import { readFiles } from './find-files.ts'
import { openFile } from './open-file.ts'
import { isSealed, type FileParts, readFileParts } from './parts.ts'
import { putBlob } from './put-blob.ts'
import { removePieces } from './remove-pieces.ts'
import { SNIFF_BYTES, sniffType } from './sniff.ts'
import { type BlobKey, contentKey, pieceKey } from './store/blob-store.ts'

const MAX_ATTEMPTS = 5

interface SealedContent {
  readonly digest: string
  readonly size: number
  readonly type: string
}

/**
 * Joins all parts of a file under the digest of its bytes; then the file can be attached. Throws if the content is
 * refused. Call it without an open transaction: large files take long.
 */
export async function sealFile(context: Context, file: StoredFile): Promise<StoredFile> {
  if (!isWhole(file)) throw new TypeError(`Only ${file.received} of ${file.size} bytes of file ${file.id} have come.`)
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
    const parts = await readFileParts(context.db, file.id)
    if (!parts) break
    if (isSealed(parts) || (await joinParts(context, file, parts))) {
      const sealed = (await readFiles(context.db, [file.id])).get(file.id)
      if (sealed) return sealed
    }
  }
  throw new ApiError('not_found', { cause: 'file_not_found' })
}

/** False: more bytes were received, or a concurrent seal was faster. */
async function joinParts(context: Context, file: StoredFile, parts: FileParts): Promise<boolean> {
  const joined = pieceKey(randomUUID())
  try {
    const { size, digest } = await putBlob(context, joined, await openFile(context, { ...file, received: parts.size }))
    if (size !== parts.size) throw new Error(`File ${file.id} has ${size} bytes instead of ${parts.size}.`)
    const content = { digest, size, type: sniffType(await firstBytes(context, joined, size)) }
    await checkContent(context, joined)
    await announceContent(context, content)
    // Uses the job pool instead of the request pool, because a remote store can be slow.
    if (!(await inTransaction(context.pools.jobs, (tx) => storeContent(tx, context, file, parts, joined, content))))
      return false
    failpoint('file.sealed')
  } finally {
    await context.blobs.remove(joined)
  }
  await removePieces(context, parts.pieces)
  return true
}

async function firstBytes({ blobs }: Context, key: BlobKey, size: number): Promise<Buffer> {
  return size === 0
    ? Buffer.alloc(0)
    : buffer(await blobs.get(key, { first: 0, last: Math.min(size, SNIFF_BYTES) - 1 }))
}

/** Writes the row before the blob, so that cleanup finds a blob left by a crash. */
async function announceContent({ db, clock }: Context, { digest, size, type }: SealedContent): Promise<void> {
  const now = clock.now()
  await sql`
    insert into file_content (digest, size, type, stored_on, unused_on)
    values (${digest}, ${size}, ${type}, ${now}, ${now}) on conflict (digest) do nothing`.execute(db)
}

async function storeContent(
  tx: Tx,
  { blobs, clock }: Context,
  { id }: StoredFile,
  parts: FileParts,
  joined: BlobKey,
  { digest, size, type }: SealedContent,
): Promise<boolean> {
  await lockContent(tx, digest)
  if ((await blobs.sizeOf(contentKey(digest))) !== size) await blobs.move(joined, contentKey(digest))
  failpoint('file.joined')
  await sql`
    insert into file_content (digest, size, type, stored_on) values (${digest}, ${size}, ${type}, ${clock.now()})
    on conflict (digest) do update set unused_on = null, type = excluded.type`.execute(tx)
  const { numAffectedRows } = await sql`
    update file set digest = ${digest}
    where id = ${id} and received = ${size} and digest is not distinct from ${parts.digest}::text
      and not is_attached`.execute(tx)
  if (numAffectedRows !== 1n) return false
  await sql`delete from file_piece where file_id = ${id}`.execute(tx)
  return true
}
