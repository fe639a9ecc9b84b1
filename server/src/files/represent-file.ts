import { type Static, Type } from 'typebox'
import { nullable } from '../platform/wire/nullable.ts'
import type { StoredFile } from './file.ts'

const PREVIEWED = new Set(['image/gif', 'image/png', 'image/jpeg', 'image/jpg'])

export const FileInfo = Type.Object({
  id: Type.Integer(),
  submitted_by: Type.Integer({ description: 'The id of the uploader.' }),
  description: Type.String(),
  name: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
  type: Type.String({ description: 'The media type as declared by the uploader.' }),
  html_url: nullable(Type.String({ description: 'The download address; null until the file is attached.' })),
  html_preview_url: nullable(Type.String({ description: 'The preview, if the file is an image.' })),
  uri: Type.String(),
})

export type FileInfo = Static<typeof FileInfo>

/** A temporary file has no page yet. */
export function representFile(file: StoredFile, { isTemporary }: { isTemporary: boolean }): Static<typeof FileInfo> {
  const { id, uploader_id, description, name, size, media_type } = file
  const isPreviewed = !isTemporary && PREVIEWED.has(media_type.toLowerCase())
  return {
    id,
    submitted_by: uploader_id,
    description,
    name,
    size,
    type: media_type,
    html_url: isTemporary ? null : downloadUrl(file),
    html_preview_url: isPreviewed ? `/files/${id}/preview` : null,
    uri: `artifact_files/${id}`,
  }
}

export function downloadUrl({ id, name }: Pick<StoredFile, 'id' | 'name'>): string {
  return `/files/${id}/${encodeURIComponent(name)}`
}
