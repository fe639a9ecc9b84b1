import { sql } from 'kysely'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { type Route, writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../object-kinds.ts'
import { findFavourites } from './list-favourites.ts'

export const MAX_FAVOURITES = 100

export const addArtifactFavourite = defineAddFavourite(artifactKind)
export const addTrackerFavourite = defineAddFavourite(trackerKind)
export const addProjectFavourite = defineAddFavourite(projectKind)

function defineAddFavourite<T extends number>({ kind, name, param, find }: ObjectKind<T>): Route {
  const column = sql.ref(`${kind}_id`)
  return writeRoute({
    method: 'PUT',
    path: `/${kind}s/:id/favourite`,
    operationId: `add${name}Favourite`,
    summary: `Add this ${kind} to your favourites.`,
    description: `Marks the ${kind} for the caller alone; it is also accepted if it is marked already. Signed-in people who may see it. Hidden and absent objects are 404, and more than ${MAX_FAVOURITES} favourites are refused.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    async handle({ context, viewer, params: { id } }, work) {
      const account = requireAccount(viewer)
      await find(context, work.tx, viewer, id)
      const added_on = context.clock.now()
      const { numAffectedRows } = await sql`
        insert into favourite (account_id, ${column}, added_on) 
        select ${account}, object.id, ${added_on} from ${sql.table(kind)} object where object.id = ${id} for key share
        on conflict (account_id, project_id, tracker_id, artifact_id) do nothing`.execute(work.tx)
      if (numAffectedRows === 0n) return {}
      // Favourites that have become invisible do not count: their owner cannot remove them.
      const all = await findFavourites(context, work.tx, viewer, account)
      if (all.length > MAX_FAVOURITES) throw new ApiError('rule_violated', { cause: 'too_many_favourites' })
      await work.change({ object: `${kind}s/${id}/favourite`, op: 'create', after: { is_favourite: true } })
      return {}
    },
  })
}
