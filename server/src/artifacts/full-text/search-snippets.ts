import { sql } from 'kysely'
import { foldedFileName, nameOfFile } from '../../files/names-of-files.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { cropAround, cropFrom } from '../../projects/search/crop.ts'
import type { SearchQuery, ShownHit } from '../../projects/search/searched-kind.ts'
import { matchesAnyTerm } from '../../projects/search/search-terms-sql.ts'
import { readableFields } from '../../trackers/readable-fields.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import { attachments, comment, mayReadAttachment, isReadableComment, textOf, plainTextSql } from './texts-sql.ts'

/** A hit may be in markup only; then the next text is tried, up to this number. */
const MAX_TEXTS_TRIED = 3

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

/** Titles and text snippets around the hits, read in the same snapshot as the search. */
export async function buildSearchSnippets(
  { tx, viewer, terms }: Pick<SearchQuery, 'viewer' | 'terms'> & { readonly tx: Db | Tx },
  ids: readonly number[],
): Promise<Map<number, ShownHit>> {
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
          where field.id is distinct from readable.title and ${matchesAnyTerm(sql`searchable(${plainTextSql(field)})`, terms)}
          union all
          select 2, changeset.version, ${comment.content}, ${comment.format} from changeset
          where changeset.artifact_id = artifact.id and ${isReadableComment}
            and ${matchesAnyTerm(sql`searchable(${plainTextSql(comment)})`, terms)}
          union all
          select 3, artifact_file.file_id, ${nameOfFile}, 'text' from ${attachments}
          where ${mayReadAttachment} and ${matchesAnyTerm(foldedFileName, terms)}
          order by 1, 2 limit ${MAX_TEXTS_TRIED}
        ) said) as texts
    from artifact ${joinTrackerAndProject} join readable on readable.id = artifact.tracker_id
    where artifact.id = any(${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, shown(row, terms)]))
}

function shown({ id, item_name, color_name, title, texts }: Row, terms: SearchQuery['terms']): ShownHit {
  return {
    xref: `${item_name} #${id}`,
    html_url: `/artifacts/${id}`,
    title: title && toPlainText(title.format, title.content),
    color_name,
    icon_name: 'fa-list-ol',
    cropped_content: cropOf(texts, terms),
  }
}

/** Falls back to the beginning of the text if no hit is visible. */
function cropOf(texts: readonly Text[], terms: SearchQuery['terms']): string | null {
  let beginning: string | null = null
  for (const { format, content } of texts) {
    const text = toPlainText(format, content)
    const crop = cropAround(text, terms)
    if (crop !== undefined) return crop
    beginning ??= cropFrom(text)
  }
  return beginning
}
