import { type RawBuilder, sql } from 'kysely'
import { itsFile } from '../../files/names-of-files.ts'

/** What is written somewhere, in which format. */
interface Text {
  readonly content: RawBuilder<string>
  readonly format: RawBuilder<string>
}

/** Of the row of `artifact`. A field may have been a line before it became a text, or the other way round. */
export function textOf(field: RawBuilder<string>): Text {
  const stored = sql`artifact.field_values -> ${field}`
  return {
    content: sql`coalesce(${stored} ->> 'content', artifact.field_values ->> ${field})`,
    format: sql`coalesce(${stored} ->> 'format', 'text')`,
  }
}

/** Of the row of `changeset`. */
export const comment: Text = { content: sql`changeset.comment`, format: sql`changeset.comment_format` }

/** Whether the viewer may read it, by the row of `readable` (`readableFields`) of its tracker. */
export const mayReadComment = sql<boolean>`(changeset.comment is not null and (readable.administers
  or changeset.comment_groups is null or changeset.comment_groups && readable.groups))`

/** Files of artifacts, each with its row of `file`: those of earlier versions too. For the `from` of a statement. */
export const attachments = sql`artifact_file ${itsFile(sql`artifact_file.file_id`)}`

/** Whether it is one that the row of `artifact` has now, in a field that the viewer may read, by the row of `readable`. */
export const mayReadAttachment = sql<boolean>`(artifact_file.artifact_id = artifact.id
  and artifact_file.field_id::text = any(readable.files)
  and (artifact.field_values -> artifact_file.field_id::text) @> to_jsonb(artifact_file.file_id))`

/** What a text says: tags of HTML are no words. */
export function wordsOf({ content, format }: Text): RawBuilder<string> {
  return sql`(case ${format} when 'html' then regexp_replace(${content}, '<[^>]*>', ' ', 'g') else ${content} end)`
}
