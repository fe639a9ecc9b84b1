import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ListedObject, type ListedRow, representListed } from './listed-object.ts'

const MAX_LISTED = 20

export const listRecentlySeen = readRoute({
  method: 'GET',
  path: '/users/self/recently_seen',
  operationId: 'listRecentlySeen',
  summary: 'List what you have opened on the pages recently, newest first.',
  description: `Lists up to ${MAX_LISTED} projects, trackers and artifacts. Every signed-in account, for itself. Objects that the caller may no longer see are left out.`,
  access: 'signed_in',
  pages: 'whole',
  answer: Type.Array(ListedObject),
  async handle({ context, viewer }) {
    const all = await findRecentlySeen(context, context.db, viewer, requireAccount(viewer))
    const body = all.slice(0, MAX_LISTED)
    return { body, size: body.length }
  },
})

/** All stored entries of an account that the viewer may see, newest first. */
export async function findRecentlySeen(context: Context, db: Db | Tx, viewer: Viewer, account: AccountId) {
  const { rows } = await sql<ListedRow>`
    select project_id, tracker_id, artifact_id, seen_on as "on" from recently_seen where account_id = ${account}
    order by seen_on desc, artifact_id, tracker_id, project_id`.execute(db)
  return representListed(context, db, viewer, rows)
}
