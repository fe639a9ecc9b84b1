import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { FileId, StoredFile } from './file.ts'
import { type BlobKey, contentKey, pieceKey } from './store/blob-store.ts'

/** A stretch of a file that lies in one blob. */
export interface Part {
  readonly key: BlobKey
  readonly at: number
  readonly size: number
}

/** Where a file lies at one moment, without gaps: what was sealed of it, then what has come since. */
export interface Parts {
  readonly digest: string | null
  readonly size: number
  readonly parts: readonly Part[]
  /** The pieces among them, by their names. */
  readonly pieces: readonly string[]
}

/** Undefined: there is no such file any more. */
export async function readParts(db: Db | Tx, id: FileId): Promise<Parts | undefined> {
  const { rows } = await sql<{ digest: string | null; sealed: number; at: number | null; size: number; key: string }>`
    select file.digest, coalesce(content.size, 0)::bigint as sealed, piece.at, piece.size, piece.key
    from file left join file_content content on content.digest = file.digest
      left join file_piece piece on piece.file_id = file.id
    where file.id = ${id} order by piece.at`.execute(db)
  const [first] = rows
  if (!first) return undefined
  const { digest, sealed } = first
  const pieces = rows.flatMap(({ at, size, key }) => (at === null ? [] : [{ at, size, key }]))
  const parts = pieces.map(({ at, size, key }) => ({ key: pieceKey(key), at, size }))
  return {
    digest,
    size: parts.reduce((sum, part) => sum + part.size, sealed),
    parts: digest === null || sealed === 0 ? parts : [{ key: contentKey(digest), at: 0, size: sealed }, ...parts],
    pieces: pieces.map(({ key }) => key),
  }
}

/** All of it lies under its own name. */
export function isSealed({ digest, pieces }: Pick<Parts, 'digest' | 'pieces'>): boolean {
  return digest !== null && pieces.length === 0
}

/** An attached file never changes: where it lies need not be looked up. */
export function partsOfAttached({ digest, size }: StoredFile & { digest: string }): readonly Part[] {
  return size === 0 ? [] : [{ key: contentKey(digest), at: 0, size }]
}
