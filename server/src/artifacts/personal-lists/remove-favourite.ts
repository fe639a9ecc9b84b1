import { sql } from 'kysely'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { type Route, writeRoute } from '../../platform/http/route.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../object-kinds.ts'

export const removeArtifactFavourite = defineRemoveFavourite(artifactKind)
export const removeTrackerFavourite = defineRemoveFavourite(trackerKind)
export const removeProjectFavourite = defineRemoveFavourite(projectKind)

function defineRemoveFavourite<T extends number>({ kind, name, param, find }: ObjectKind<T>): Route {
  const column = sql.ref(`${kind}_id`)
  return writeRoute({
    method: 'DELETE',
    path: `/${kind}s/:id/favourite`,
    operationId: `remove${name}Favourite`,
    summary: `Remove this ${kind} from your favourites.`,
    description: `Removes the mark of the caller; it is also accepted if there is none. Signed-in people who may see the ${kind}. Hidden and absent objects are 404.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    async handle({ context, viewer, params: { id } }, work) {
      const account = requireAccount(viewer)
      await find(context, work.tx, viewer, id)
      const { numAffectedRows } = await sql`
        delete from favourite where account_id = ${account} and ${column} = ${id}`.execute(work.tx)
      if (numAffectedRows !== 0n)
        await work.change({ object: `${kind}s/${id}/favourite`, op: 'delete', before: { is_favourite: true } })
      return {}
    },
  })
}
