import { sql } from 'kysely'
import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { selectCatalogue } from '../../platform/messages/catalogue.ts'
import { viewerIsAdmin, viewerIsInAnyGroup } from '../../projects/groups/memberships.ts'
import { hasGrant } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifactsInOrder } from '../reading/find-artifact.ts'
import { buildReadContexts } from '../reading/read-context.ts'
import { represent } from '../reading/represent-artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

/** The newest rows only: the export is one file, and a program may have created millions. */
const MAX_EXPORTED_ROWS = 100_000
const EXPORT_BATCH_SIZE = 100

/** Artifacts that the person submitted and may still read. */
const submittedExport: ExportSource = {
  name: 'artifacts',
  async *read(tx, context, person) {
    const joined = joinTrackerProjectAndMemberships(person)
    const { rows } = await sql<{ id: ArtifactId }>`
      select artifact.id from artifact ${joined}
      where artifact.submitted_by = ${person.account_id} and ${maySeeArtifact(person, joined)}
      order by artifact.id desc limit ${MAX_EXPORTED_ROWS}`.execute(tx)
    const audience = { context, db: tx, viewer: person, language: selectCatalogue([person.language]) }
    for (let from = 0; from < rows.length; from += EXPORT_BATCH_SIZE) {
      const ids = rows.slice(from, from + EXPORT_BATCH_SIZE).map(({ id }) => id)
      const found = await findArtifactsInOrder(context, tx, person, ids)
      const readings = await buildReadContexts(audience, found, { charts: false })
      for (const [at, each] of found.entries()) yield represent(audience, each, { values: 'collection' }, readings[at])
    }
  },
}

interface CommentRow {
  id: number
  artifact_id: ArtifactId
  version: number
  submitted_on: Date
  comment: string
  comment_format: TextFormat
}

/** Comments that the person wrote and may still read. */
const commentsExport: ExportSource = {
  name: 'comments',
  async *read(tx, _, person) {
    const joined = joinTrackerProjectAndMemberships(person)
    const mayReadAll = person.is_site_admin
      ? sql`true`
      : sql`(${viewerIsAdmin(joined)} or ${hasGrant(person, joined, sql`granted.kind = 'admin'`)})`
    let before = Number.MAX_SAFE_INTEGER
    for (let left = MAX_EXPORTED_ROWS; left > 0; left -= EXPORT_BATCH_SIZE) {
      const { rows }: { rows: CommentRow[] } = await sql<CommentRow>`
        select changeset.id, changeset.artifact_id, changeset.version, changeset.submitted_on, changeset.comment,
          changeset.comment_format
        from changeset join artifact on artifact.id = changeset.artifact_id ${joined}
        where changeset.submitted_by = ${person.account_id} and changeset.comment is not null
          and changeset.id < ${before} and ${maySeeArtifact(person, joined)}
          and (changeset.comment_groups is null or ${viewerIsInAnyGroup(person, joined, sql`changeset.comment_groups`)} or ${mayReadAll})
        order by changeset.id desc limit ${EXPORT_BATCH_SIZE}`.execute(tx)
      yield* rows.map(representComment)
      before = rows.at(-1)?.id ?? 0
      if (rows.length < EXPORT_BATCH_SIZE) return
    }
  },
}

function representComment({ artifact_id: id, version, submitted_on, comment, comment_format }: CommentRow) {
  return {
    artifact: { id, uri: `artifacts/${id}` },
    version,
    submitted_on: apiDate(submitted_on),
    body: comment,
    format: comment_format,
  }
}

export const ARTIFACT_EXPORTS: readonly ExportSource[] = [submittedExport, commentsExport]
