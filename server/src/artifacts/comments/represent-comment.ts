import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { type FullUserRow, representUserMinimal, usersByIdSql } from '../../accounts/users/user.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { findVersions } from '../history/find-versions.ts'
import { LastComment, representChangesets } from '../history/represent-changesets.ts'
import type { Audience } from '../reading/audience.ts'
import { type CommentAddress, commentUri } from './find-comment.ts'

const EarlierText = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    body: Type.String({ description: 'The source.' }),
    format: Type.Enum(['text', 'html', 'commonmark']),
    replaced_by: nullable(UserMinimal),
    replaced_on: Type.String(),
  },
  { title: 'EarlierText' },
)

export const Comment = Type.Object(
  {
    uri: Type.String(),
    ...LastComment.properties,
    version: Type.Integer({ minimum: 1, description: 'The number of the present text.' }),
    is_deleted: Type.Boolean({ description: 'Only tracker administrators can still read the earlier texts.' }),
    submitted_by: nullable(UserMinimal),
    submitted_on: Type.String(),
    earlier: Type.Array(EarlierText, { description: 'The texts that were replaced, oldest first.' }),
  },
  { title: 'Comment' },
)
export type Comment = Static<typeof Comment>

interface EarlierRow {
  readonly version: number
  readonly body: string
  readonly format: TextFormat
  readonly replaced_by: AccountId | null
  readonly replaced_on: Date
}

/** A comment with its earlier texts, if the caller may read it. */
export async function representCommentAt(audience: Audience, address: CommentAddress): Promise<Comment> {
  const { db, viewer } = audience
  const { now, rows } = await findVersions(audience, address.id, {
    id: address.changeset_id,
    commentsOnly: false,
    order: 'asc',
    page: { limit: 1, offset: 0, after: undefined },
  })
  const [changeset] = await representChangesets(audience, now, rows, { values: false, diff: false })
  const [row] = rows
  const isDeleted = row?.is_comment_deleted ?? false
  if (!changeset || !row || (row.comment === null && !(isDeleted && now.access.administers))) throw hiddenError(viewer)
  const { rows: earlier } = await sql<EarlierRow>`
    select version, body, format, replaced_by, replaced_on from comment_version
    where changeset_id = ${address.changeset_id} order by version`.execute(db)
  return {
    ...changeset.last_comment,
    uri: commentUri(address),
    version: row.comment_version ?? 1,
    is_deleted: isDeleted,
    submitted_by: changeset.submitted_by_details,
    submitted_on: changeset.submitted_on,
    earlier: await representEarlier(audience, earlier),
  }
}

async function representEarlier({ context, db }: Audience, rows: readonly EarlierRow[]): Promise<Comment['earlier']> {
  const ids = [...new Set(rows.flatMap(({ replaced_by }) => replaced_by ?? []))]
  if (rows.length === 0) return []
  const { rows: people } = await sql<FullUserRow>`${usersByIdSql(sql`${ids}::bigint[]`)}`.execute(db)
  return rows.map(({ replaced_by, replaced_on, ...text }) => {
    const person = people.find(({ id }) => id === replaced_by)
    return {
      ...text,
      replaced_by: person ? representUserMinimal(context, person) : null,
      replaced_on: apiDate(replaced_on),
    }
  })
}
