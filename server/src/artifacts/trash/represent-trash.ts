import { type Static, Type } from 'typebox'
import { findLogins } from '../../accounts/users/find-users-by.ts'
import { cutPage, type Pagination } from '../../platform/http/pages.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { placeOf, purgeOn, readTrash, TRASH_TYPES, type TrashFilter, type TrashRow, titlesIn } from './read-trash.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const TrashEntry = Type.Object(
  {
    type: Type.Enum([...TRASH_TYPES]),
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String({ description: 'The title, for an artifact.' }),
    project: Type.Object({ id: Type.Integer(), label: Type.String() }),
    deleted_by: Type.Union([Type.Object({ id: Type.Integer(), username: Type.String() }), Type.Null()]),
    deleted_on: text,
    purge_on: Type.Union([Type.String(), Type.Null()], { description: 'Null if it is never purged.' }),
    restore_uri: Type.Union([Type.String(), Type.Null()], { description: 'Where to POST to restore it.' }),
  },
  { title: 'TrashEntry' },
)
type TrashEntry = Static<typeof TrashEntry>

const PATHS = { artifact: 'artifacts', tracker: 'trackers', project: 'projects', repository: 'svn' } as const

/** One page of the trash. The caller has checked that the viewer may see everything that the filter selects. */
export async function listDeleted(context: Context, viewer: Viewer, filter: TrashFilter, page: Pagination) {
  const found = await readTrash(context, filter, page)
  const { rows, next } = cutPage(found.rows, page.limit, placeOf)
  const titles = await titlesIn(context, viewer, rows)
  const logins = await findLogins(
    context.db,
    rows.flatMap(({ deleted_by }) => deleted_by ?? []),
  )
  const body = rows.map((row) => represent(context, row, titles.get(row.id) ?? '', logins))
  return { body, size: found.size, next }
}

function represent(context: Context, row: TrashRow, title: string, logins: ReadonlyMap<number, string>): TrashEntry {
  const { type, id, label, project_id, project_label, deleted_by, deleted_on } = row
  const uri = `${PATHS[type]}/${id}`
  return {
    type,
    id,
    uri,
    label: label ?? title,
    project: { id: project_id, label: project_label },
    deleted_by: deleted_by === null ? null : { id: deleted_by, username: logins.get(deleted_by) ?? '' },
    deleted_on: deleted_on && apiDate(deleted_on),
    purge_on: deleted_on && apiDate(purgeOn(context, deleted_on)),
    restore_uri: type === 'project' ? `${uri}/restoration` : `${uri}/restore`,
  }
}
