import { sql } from 'kysely'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import { toPlainText } from '../../platform/rich-text/plain-text.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { mayReadComment } from '../history/read-versions.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Author } from '../update-artifact/version-draft.ts'

interface Row {
  readonly submitted_by: number | null
  readonly submitted_on: Date
  readonly comment: string
  readonly comment_format: TextFormat
}

/**
 * The comment of a copy. It refers to the source, so that each shows the other; on request the comments that the author
 * may read follow.
 */
export async function copyComments(
  { db }: Author,
  { artifact: { id }, access }: FoundArtifact,
  withComments: boolean,
): Promise<{ body: string; format: 'text' }> {
  const beginning = `Copied from art #${id}.`
  if (!withComments) return { body: beginning, format: 'text' }
  const { rows } = await sql<Row>`
    select submitted_by, submitted_on, comment, comment_format from changeset
    where artifact_id = ${id} and ${mayReadComment(access)} order by version`.execute(db)
  const logins = await findLogins(
    db,
    rows.flatMap(({ submitted_by }) => submitted_by ?? []),
  )
  const comments = rows.map(({ submitted_by, submitted_on, comment, comment_format }) => {
    const text = comment_format === 'html' ? toPlainText('html', comment) : comment
    return `${logins.get(submitted_by ?? 0) ?? 'Anonymous'}, ${apiDate(submitted_on)}:\n${text}`
  })
  return { body: [beginning, ...comments].join('\n\n'), format: 'text' }
}
