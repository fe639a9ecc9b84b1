import { type RawBuilder, sql } from 'kysely'
import { joinFile } from '../../files/names-of-files.ts'

/** A text and its format. */
interface Text {
  readonly content: RawBuilder<string>
  readonly format: RawBuilder<string>
}

/** A field of the row of `artifact`. A string field may have been converted to a text field, or the reverse. */
export function textOf(field: RawBuilder<string>): Text {
  const stored = sql`artifact.field_values -> ${field}`
  return {
    content: sql`coalesce(${stored} ->> 'content', artifact.field_values ->> ${field})`,
    format: sql`coalesce(${stored} ->> 'format', 'text')`,
  }
}

/** The comment of the row of `changeset`. */
export const comment: Text = { content: sql`changeset.comment`, format: sql`changeset.comment_format` }

/** True if the viewer may read the comment, by the row of `readable` (`readableFields`) of its tracker. */
export const isReadableComment = sql<boolean>`(changeset.comment is not null and (readable.administers
  or changeset.comment_groups is null or changeset.comment_groups && readable.groups))`

/** Attachments with their rows of `file`, including those of earlier versions. For a `from` clause. */
export const attachments = sql`artifact_file ${joinFile(sql`artifact_file.file_id`)}`

/** True if `artifact` has the file now, in a field that the viewer may read, by the row of `readable`. */
export const mayReadAttachment = sql<boolean>`(artifact_file.artifact_id = artifact.id
  and artifact_file.field_id::text = any(readable.files)
  and (artifact.field_values -> artifact_file.field_id::text) @> to_jsonb(artifact_file.file_id))`

/** The text without HTML tags, which are not searchable words. */
export function plainTextSql({ content, format }: Text): RawBuilder<string> {
  return sql`(case ${format} when 'html' then regexp_replace(${content}, '<[^>]*>', ' ', 'g') else ${content} end)`
}
