import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ListedObject, type ListedRow, representListed } from './listed-object.ts'

export const listFavourites = readRoute({
  method: 'GET',
  path: '/users/self/favourites',
  operationId: 'listFavourites',
  summary: 'List your favourites.',
  description:
    'Lists the projects, trackers and artifacts that the caller has marked, in the order in which they were marked. Every signed-in account, for itself. Objects that the caller may no longer see are left out.',
  access: 'signed_in',
  pages: 'whole',
  answer: Type.Array(ListedObject),
  async handle({ context, viewer }) {
    const body = await findFavourites(context, context.db, viewer, requireAccount(viewer))
    return { body, size: body.length }
  },
})

/** The favourites of an account that the viewer may see. */
export async function findFavourites(context: Context, db: Db | Tx, viewer: Viewer, account: AccountId) {
  const { rows } = await sql<ListedRow>`
    select project_id, tracker_id, artifact_id, added_on as "on" from favourite where account_id = ${account}
    order by added_on, artifact_id, tracker_id, project_id`.execute(db)
  return representListed(context, db, viewer, rows)
}
