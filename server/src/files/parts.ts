import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { FileId, StoredFile } from './file.ts'
import { type BlobKey, contentKey, pieceKey } from './store/blob-store.ts'

/** A range of a file that is stored in one blob. */
export interface FilePart {
  readonly key: BlobKey
  readonly at: number
  readonly size: number
}

/** The storage of a file at one moment, without gaps: the sealed content, then the pieces received since. */
export interface FileParts {
  readonly digest: string | null
  readonly size: number
  readonly parts: readonly FilePart[]
  /** The keys of the pieces among them. */
  readonly pieces: readonly string[]
}

/** Undefined: the file was deleted. */
export async function readFileParts(db: Db | Tx, id: FileId): Promise<FileParts | undefined> {
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

/** Completely stored under its digest. */
export function isSealed({ digest, pieces }: Pick<FileParts, 'digest' | 'pieces'>): boolean {
  return digest !== null && pieces.length === 0
}

/** An attached file is immutable, so its parts follow from its digest. */
export function attachedFileParts({ digest, size }: StoredFile & { digest: string }): readonly FilePart[] {
  return size === 0 ? [] : [{ key: contentKey(digest), at: 0, size }]
}
