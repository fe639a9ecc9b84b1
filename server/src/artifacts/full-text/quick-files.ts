import { sql } from 'kysely'
import { foldedFileName, nameOfFile } from '../../files/names-of-files.ts'
import type { FileId } from '../../files/file.ts'
import { downloadUrl } from '../../files/represent-file.ts'
import { allOf } from '../../platform/database/conditions.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import type { QuickFile, QuickQuery } from '../../projects/search/quick-kind.ts'
import { containsWord, matchesAllTerms, searchWords } from '../../projects/search/search-terms-sql.ts'
import { readableFields } from '../../trackers/readable-fields.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinArtifact, joinTrackerProjectAndMe, maySeeArtifact } from '../visibility.ts'
import { findHeadsInOrder, representHit } from './represent-hit.ts'
import { attachments, mayReadAttachment } from './texts-sql.ts'

interface FileRow {
  readonly id: FileId
  readonly name: string
  readonly artifact_id: ArtifactId
}

/** Attachments that the viewer may read, by their names, newest first. */
export async function findQuickFiles(query: QuickQuery): Promise<QuickFile[]> {
  const { context, viewer, terms, project, limit } = query
  const words = searchWords(terms).map((word) => containsWord(foldedFileName, word))
  const isWithin = project === undefined ? sql`true` : sql`artifact.project_id = ${project}`
  const inTrackers = sql<boolean>`tracker.id in (
    select artifact.tracker_id from named ${joinArtifact(sql`named.artifact_id`)})`
  const { rows } = await sql<FileRow>`
    with me as materialized (${memberships(viewer)}), named as materialized (
      select artifact_file.artifact_id, artifact_file.field_id, artifact_file.file_id, ${nameOfFile} as name
      from ${attachments} where ${allOf(words)} and ${matchesAllTerms(foldedFileName, terms)}
    ), readable as materialized (${readableFields(viewer, inTrackers)})
    select artifact_file.file_id as id, artifact_file.name, artifact.id as artifact_id
    from named artifact_file ${joinArtifact(sql`artifact_file.artifact_id`)} ${joinTrackerProjectAndMe}
      join readable on readable.id = artifact.tracker_id
    where ${isWithin} and ${mayReadAttachment} and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)}
    order by artifact_file.file_id desc limit ${limit}`.execute(context.db)
  const ids = [...new Set(rows.map(({ artifact_id }) => artifact_id))]
  const found = new Map((await findHeadsInOrder(query, ids)).map((each) => [each.artifact.id, each]))
  return rows.flatMap(({ id, name, artifact_id }) => {
    const holder = found.get(artifact_id)
    if (!holder) return [] // It was hidden concurrently.
    return [
      {
        id,
        uri: `artifact_files/${id}`,
        html_url: downloadUrl({ id, name }),
        name,
        artifact: representHit(query, holder, 'text', null),
      },
    ]
  })
}
