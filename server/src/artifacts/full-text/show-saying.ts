import { sql } from 'kysely'
import { foldedName, nameOfFile } from '../../files/names-of-files.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { cropAround, cropFrom } from '../../projects/search/crop.ts'
import type { Question, Shown } from '../../projects/search/searched-kind.ts'
import { saysSome } from '../../projects/search/words-sql.ts'
import { readableFields } from '../../trackers/readable-fields.ts'
import { itsPlace } from '../visibility.ts'
import { attachments, comment, mayReadAttachment, mayReadComment, textOf, wordsOf } from './texts-sql.ts'

/** A word may stand where only the source of a text shows it: then the next text is tried, but not all of them. */
const MOST_TEXTS = 3

interface Text {
  readonly content: string
  readonly format: TextFormat
}

interface Row {
  readonly id: number
  readonly item_name: string
  readonly color_name: string
  readonly title: Text | null
  readonly texts: readonly Text[]
}

/** How artifacts are shown that were found in the same moment: their titles, and what they say where a term is. */
export async function showSaying({ tx, viewer, terms }: Question, ids: readonly number[]): Promise<Map<number, Shown>> {
  const field = textOf(sql`field.id`)
  const title = textOf(sql`readable.title`)
  const { rows } = await sql<Row>`
    with me as materialized (${memberships(viewer)}), readable as materialized (
      ${readableFields(viewer, sql`tracker.id in (select artifact.tracker_id from artifact where artifact.id = any(${ids}::bigint[]))`)}
    )
    select artifact.id, tracker.item_name, tracker.color_name,
      case when readable.title = any(readable.texts) and ${title.content} is not null
        then json_build_object('content', ${title.content}, 'format', ${title.format}) end as title,
      (select coalesce(json_agg(json_build_object('content', said.content, 'format', said.format) order by said.kind, said.place), '[]')
        from (
          select 1 as kind, field.place, ${field.content} as content, ${field.format} as format
          from unnest(readable.texts) with ordinality as field (id, place)
          where field.id is distinct from readable.title and ${saysSome(sql`searchable(${wordsOf(field)})`, terms)}
          union all
          select 2, changeset.version, ${comment.content}, ${comment.format} from changeset
          where changeset.artifact_id = artifact.id and ${mayReadComment}
            and ${saysSome(sql`searchable(${wordsOf(comment)})`, terms)}
          union all
          select 3, artifact_file.file_id, ${nameOfFile}, 'text' from ${attachments}
          where ${mayReadAttachment} and ${saysSome(foldedName, terms)}
          order by 1, 2 limit ${MOST_TEXTS}
        ) said) as texts
    from artifact ${itsPlace} join readable on readable.id = artifact.tracker_id
    where artifact.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, shown(row, terms)]))
}

function shown({ id, item_name, color_name, title, texts }: Row, terms: Question['terms']): Shown {
  return {
    xref: `${item_name} #${id}`,
    html_url: `/artifacts/${id}`,
    title: title && plainText(title.format, title.content),
    color_name,
    icon_name: 'fa-list-ol',
    cropped_content: cropOf(texts, terms),
  }
}

/** Where none of the hits shows, the beginning has to do. */
function cropOf(texts: readonly Text[], terms: Question['terms']): string | null {
  let beginning: string | null = null
  for (const { format, content } of texts) {
    const text = plainText(format, content)
    const crop = cropAround(text, terms)
    if (crop !== undefined) return crop
    beginning ??= cropFrom(text)
  }
  return beginning
}
