import { type RawBuilder, sql } from 'kysely'

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

/** What a text says: tags of HTML are no words. */
export function wordsOf({ content, format }: Text): RawBuilder<string> {
  return sql`(case ${format} when 'html' then regexp_replace(${content}, '<[^>]*>', ' ', 'g') else ${content} end)`
}
