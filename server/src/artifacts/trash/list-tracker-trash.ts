import { sql } from 'kysely'
import { Type } from 'typebox'
import { UserMinimal } from '../../accounts/users/schemas.ts'
import { anonymousUser, type FullUserRow, representUserMinimal, usersByIdSql } from '../../accounts/users/user.ts'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { findTracker, requireTrackerAdmin } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { placeOf, purgeOn, readTrash, titlesIn } from './read-trash.ts'

const DeletedArtifact = Type.Object(
  {
    id: Type.Integer(),
    xref: Type.String(),
    title: Type.Union([Type.String(), Type.Null()]),
    deleted_by: UserMinimal,
    deleted_on: Type.String(),
    purge_on: Type.String(),
  },
  { title: 'DeletedArtifact' },
)

export const listTrackerTrash = readRoute({
  method: 'GET',
  path: '/trackers/:id/trash',
  operationId: 'listTrackerTrash',
  summary: 'List the deleted artifacts of a tracker, latest first.',
  description:
    'Lists deleted artifacts, with who deleted them and until when they can be restored. Tracker administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<TrackerId>('The tracker.') },
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(DeletedArtifact),
  async handle({ context, viewer, language, params, page }) {
    const { db } = context
    const access = await findTracker(context, db, viewer, params.id)
    requireTrackerAdmin(access)
    const found = await readTrash(context, { tracker: params.id }, page)
    const { rows, next } = cutPage(found.rows, page.limit, placeOf)
    const titles = await titlesIn(context, viewer, rows)
    const ids = rows.flatMap(({ deleted_by }) => deleted_by ?? [])
    const { rows: people } = await sql<FullUserRow>`${usersByIdSql(sql`${ids}::bigint[]`)}`.execute(db)
    const body = rows.flatMap(({ id, deleted_by, deleted_on }) => {
      if (!deleted_on) return []
      const person = people.find((each) => each.id === deleted_by)
      return {
        id,
        xref: `${access.tracker.item_name} #${id}`,
        title: titles.get(id) ?? null,
        deleted_by: person ? representUserMinimal(context, person) : anonymousUser(context, language),
        deleted_on: apiDate(deleted_on),
        purge_on: apiDate(purgeOn(context, deleted_on)),
      }
    })
    return { body, size: found.size, next }
  },
})
