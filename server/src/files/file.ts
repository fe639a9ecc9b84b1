import type { Id } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'

export type FileId = Id<'file'>

/** An uploaded file, attached or not. */
export interface StoredFile {
  readonly id: FileId
  readonly uploader_id: AccountId
  readonly name: string
  readonly media_type: string
  readonly description: string
  /** The field of the announcement; null if the file was sent in chunks. */
  readonly field_id: number | null
  readonly size: number
  readonly received: number
  readonly chunks: number
  /** SHA-256 of the last chunk. */
  readonly last_chunk: string | null
  /** SHA-256 of the content, once it is sealed. */
  readonly digest: string | null
  readonly is_attached: boolean
  readonly created_on: Date
  readonly expires_on: Date | null
}

/** All bytes have been received. */
export function isWhole({ received, size }: StoredFile): boolean {
  return received === size
}
