import { sql } from 'kysely'
import { Type } from 'typebox'
import { findVisibleUsers } from '../../accounts/users/find-users-by.ts'
import type { Db } from '../../platform/database/db.ts'
import { cutPage, type Pagination } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

const RankChange = Type.Object(
  {
    id: Type.Integer(),
    on: Type.String(),
    by: nullable(Type.Object({ id: Type.Integer(), username: Type.String() })),
    rank_version: Type.Integer({ description: 'The version of the order that the move made.' }),
    side: Type.Enum(['before', 'after']),
    artifact: nullable(
      Type.Object({ id: Type.Integer(), uri: Type.String() }),
      'The artifact that it was placed next to; null if the caller may not see it.',
    ),
  },
  { title: 'RankChange' },
)

export const listRankChanges = readRoute({
  method: 'GET',
  path: '/artifacts/:id/rank_changes',
  operationId: 'listRankChanges',
  summary: 'List the moves of an artifact in the order of its tracker, newest first, if the tracker records them.',
  description:
    'Shows who moved the artifact in the order, and when. Everyone who sees the artifact. The list is empty if the tracker does not record moves; a hidden artifact is 404.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  pages: { default: 50, min: 0, max: 1000 },
  answer: Type.Array(RankChange),
  async handle({ context, viewer, params: { id }, page }) {
    const { db } = context
    await findArtifact(context, db, viewer, id)
    const { size, rows: found } = await readChanges(db, viewer, id, page)
    const { rows, next, placeAt } = cutPage(found, page.limit, (row) => [row.id])
    const people = await findVisibleUsers(context, db, viewer, [
      ...new Set(rows.flatMap((row) => row.changed_by ?? [])),
    ])
    const body = rows.map(({ id: change, changed_on, changed_by, rank_version, side, anchor_id }) => {
      const user = changed_by === null ? undefined : people.get(changed_by)
      return {
        id: change,
        on: apiDate(changed_on),
        by: user ? { id: user.id, username: user.login } : null,
        rank_version,
        side,
        artifact: anchor_id === null ? null : { id: anchor_id, uri: `artifacts/${anchor_id}` },
      }
    })
    return { body, size, next, placeAt }
  },
})

interface Row {
  readonly id: number
  readonly changed_on: Date
  readonly changed_by: AccountId | null
  readonly rank_version: number
  readonly side: 'before' | 'after'
  readonly anchor_id: number | null
}

async function readChanges(
  db: Db,
  viewer: Viewer,
  id: ArtifactId,
  { after, limit, offset }: Pagination,
): Promise<{ size: number; rows: Row[] }> {
  const rest = after ? sql`change.id < ${after[0]}::bigint` : sql`true`
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<(Row | { id: null }) & { size: number }>`
    select counted.size, page.* from (
      select count(*) as size from artifact_rank_change where artifact_id = ${id}) counted left join lateral (
      select change.id, change.changed_on, change.changed_by, change.rank_version, change.side, (
        select artifact.id from artifact ${joined}
        where artifact.id = change.anchor_id and ${maySeeArtifact(viewer, joined)}) as anchor_id
      from artifact_rank_change change where change.artifact_id = ${id} and ${rest}
      order by change.id desc limit ${limit + 1} offset ${after ? 0 : offset}) page on true
    order by page.id desc`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}
