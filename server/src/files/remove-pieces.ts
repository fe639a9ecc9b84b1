import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../platform/database/db.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Context } from '../platform/operation/context.ts'
import { pieceKey } from './store/blob-store.ts'

export const PIECES_REMOVAL = 'file_pieces_removal'

/** Deletes pieces after the transaction that released them has committed. */
export const removePiecesJob = defineJob({
  type: PIECES_REMOVAL,
  payload: Type.Object({ keys: Type.Array(Type.String()) }),
  run: (context, { keys }) => removePieces(context, keys),
})

/** Deletes those of these pieces that no file references. */
export async function removePieces({ db, blobs }: Pick<Context, 'db' | 'blobs'>, keys: readonly string[]) {
  const inUse = await keysInUse(db, keys)
  for (const key of keys) if (!inUse.has(key)) await blobs.remove(pieceKey(key))
}

export async function keysInUse(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from file_piece where key = any(${keys}::uuid[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
