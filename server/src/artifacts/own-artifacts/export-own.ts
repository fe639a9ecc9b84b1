import { sql } from 'kysely'
import type { ExportSource } from '../../accounts/exports/export-source.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { catalogueFor } from '../../platform/words/catalogue.ts'
import { amAdmin, amInOneOf } from '../../projects/groups/memberships.ts'
import { haveGrant } from '../../trackers/visibility.ts'
import type { ArtifactId } from '../artifact.ts'
import { findInOrder } from '../reading/find-artifact.ts'
import { readingsOf } from '../reading/reading.ts'
import { represent } from '../reading/represent-artifact.ts'
import { itsPlaceFor, maySeeArtifact } from '../visibility.ts'

/** The newest: the file is fetched as one, and a program may have made millions. */
const MOST = 100_000
const AT_ONCE = 100

/** What a person has submitted, and may still read. */
const submittedExport: ExportSource = {
  name: 'artifacts',
  async *read(tx, context, person) {
    const { rows } = await sql<{ id: ArtifactId }>`
      select artifact.id from artifact ${itsPlaceFor(person)}
      where artifact.submitted_by = ${person.account_id} and ${maySeeArtifact(person)}
      order by artifact.id desc limit ${MOST}`.execute(tx)
    const audience = { context, db: tx, viewer: person, language: catalogueFor([person.language]) }
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      const ids = rows.slice(from, from + AT_ONCE).map(({ id }) => id)
      const found = await findInOrder(context, tx, person, ids)
      const readings = await readingsOf(audience, found, { charts: false })
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

/** What a person has said, and may still read. */
const commentsExport: ExportSource = {
  name: 'comments',
  async *read(tx, _, person) {
    const mayReadAll = person.is_site_admin
      ? sql`true`
      : sql`(${amAdmin} or ${haveGrant(person, sql`granted.kind = 'admin'`)})`
    let before = Number.MAX_SAFE_INTEGER
    for (let left = MOST; left > 0; left -= AT_ONCE) {
      const { rows }: { rows: CommentRow[] } = await sql<CommentRow>`
        select changeset.id, changeset.artifact_id, changeset.version, changeset.submitted_on, changeset.comment,
          changeset.comment_format
        from changeset join artifact on artifact.id = changeset.artifact_id ${itsPlaceFor(person)}
        where changeset.submitted_by = ${person.account_id} and changeset.comment is not null
          and changeset.id < ${before} and ${maySeeArtifact(person)}
          and (changeset.comment_groups is null or ${amInOneOf(person, sql`changeset.comment_groups`)} or ${mayReadAll})
        order by changeset.id desc limit ${AT_ONCE}`.execute(tx)
      yield* rows.map(representComment)
      before = rows.at(-1)?.id ?? 0
      if (rows.length < AT_ONCE) return
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
