import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { inTransaction } from '../platform/database/db.ts'
import type { Sweeper } from '../platform/jobs/clean-up.ts'
import type { Context } from '../platform/operation/context.ts'
import { lockContent } from './content-lock.ts'
import type { FileId } from './file.ts'
import { releaseFiles } from './release-files.ts'
import { removePieces } from './remove-pieces.ts'
import { contentKey, previewKey } from './store/blob-store.ts'

const DAY_MS = 86_400_000
const BATCH_SIZE = 500

/** Deletes expired uploads and unreferenced bytes, which no reader can see any more. */
export const cleanFiles: Sweeper = async (context, now) => {
  const dayAgo = new Date(now.getTime() - DAY_MS)
  await releaseExpired(context, now)
  await removeStrayPieces(context, dayAgo)
  await context.blobs.sweep(dayAgo)
  await markUnused(context, now)
  await removeUnused(context, new Date(now.getTime() - context.config.WAYPOST_FILES_KEEP_DAYS * DAY_MS))
}

async function releaseExpired({ db }: Context, now: Date): Promise<void> {
  for (let found = BATCH_SIZE; found === BATCH_SIZE; )
    found = await inTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: FileId }>`
        select id from file where expires_on <= ${now} order by expires_on limit ${BATCH_SIZE} for update skip locked`.execute(
        tx,
      )
      await releaseFiles(
        tx,
        rows.map(({ id }) => id),
      )
      return rows.length
    })
}

/** A piece is stored before its row is written, so a recent one may not be recorded yet. */
async function removeStrayPieces(context: Context, before: Date): Promise<void> {
  const old: string[] = []
  const flush = () => removePieces(context, old.splice(0))
  for await (const { key, modified } of context.blobs.list('pieces')) {
    if (modified < before) old.push(key.slice('pieces/'.length))
    if (old.length === BATCH_SIZE) await flush()
  }
  await flush()
}

/** Marks content that no file references. The mark is only a hint: the deletion checks again. */
async function markUnused({ db }: Context, now: Date): Promise<void> {
  // In slices, to keep each statement short.
  for (const first of '0123456789abcdef')
    await sql`
      update file_content set unused_on = ${now}
      where digest >= ${first} and digest < ${`${first}g`} and unused_on is null
        and not exists (select from file where file.digest = file_content.digest)`.execute(db)
}

async function removeUnused(context: Context, before: Date): Promise<void> {
  for (let last = '', found = BATCH_SIZE; found === BATCH_SIZE; ) {
    const { rows } = await sql<{ digest: string }>`
      select digest from file_content where unused_on <= ${before} and digest > ${last}
      order by digest limit ${BATCH_SIZE}`.execute(context.db)
    for (const { digest } of rows) await removeContent(context, digest, before)
    last = rows.at(-1)?.digest ?? last
    found = rows.length
  }
}

/**
 * The lock on the digest prevents new references. The row is deleted last, so that a crash leaves no unrecorded
 * content.
 */
async function removeContent({ db, blobs }: Context, digest: string, before: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockContent(tx, digest)
    await sql`
      update file_content set unused_on = null
      where digest = ${digest} and exists (select from file where file.digest = ${digest})`.execute(tx)
    const { numAffectedRows } = await sql`
      delete from file_content where digest = ${digest} and unused_on <= ${before}`.execute(tx)
    if (numAffectedRows !== 1n) return
    failpoint('file.removed')
    await blobs.remove(previewKey(digest))
    await blobs.remove(contentKey(digest))
  })
}
