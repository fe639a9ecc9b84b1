import { sql } from 'kysely'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import { plainText } from '../../platform/texts/plain-text.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { mayReadComment } from '../history/read-versions.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import type { Author } from '../writing/draft-version.ts'

interface Row {
  readonly submitted_by: number | null
  readonly submitted_on: Date
  readonly comment: string
  readonly comment_format: TextFormat
}

/**
 * The comment of a copy. It refers to where it comes from, and so each shows the other; where it is asked for, the
 * comments follow that its author may read.
 */
export async function copyComments(
  { db }: Author,
  { artifact: { id }, sight }: FoundArtifact,
  withComments: boolean,
): Promise<{ body: string; format: 'text' }> {
  const beginning = `Copied from art #${id}.`
  if (!withComments) return { body: beginning, format: 'text' }
  const { rows } = await sql<Row>`
    select submitted_by, submitted_on, comment, comment_format from changeset
    where artifact_id = ${id} and ${mayReadComment(sight)} order by version`.execute(db)
  const logins = await findLogins(
    db,
    rows.flatMap(({ submitted_by }) => submitted_by ?? []),
  )
  const comments = rows.map(({ submitted_by, submitted_on, comment, comment_format }) => {
    const text = comment_format === 'html' ? plainText('html', comment) : comment
    return `${logins.get(submitted_by ?? 0) ?? 'Anonymous'}, ${apiDate(submitted_on)}:\n${text}`
  })
  return { body: [beginning, ...comments].join('\n\n'), format: 'text' }
}
