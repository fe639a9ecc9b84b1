import type { Generated } from 'kysely'
import type { AccountId } from '../platform/http/viewer.ts'
import type { FileId } from './file.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    file_content: { digest: string; size: number; type: string; stored_on: Date; unused_on: Date | null }
    file: {
      id: Generated<FileId>
      uploader_id: AccountId
      name: string
      media_type: string
      description: string
      field_id: number | null
      size: number
      received: Generated<number>
      chunks: Generated<number>
      last_chunk: string | null
      digest: string | null
      is_attached: Generated<boolean>
      created_on: Date
      expires_on: Date | null
      writer: string | null
      writing_until: Date | null
    }
    file_piece: { file_id: FileId; at: number; size: number; digest: string; key: string }
  }
}
