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
  /** The field that it was announced for; null: it came in chunks. */
  readonly field_id: number | null
  readonly size: number
  readonly received: number
  readonly chunks: number
  /** SHA-256 of the newest one. */
  readonly last_chunk: string | null
  /** SHA-256 of the content, once it lies under that name. */
  readonly digest: string | null
  readonly is_attached: boolean
  readonly created_on: Date
  readonly expires_on: Date | null
}

/** All of it has come. */
export function isWhole({ received, size }: StoredFile): boolean {
  return received === size
}
