import { requireAccount } from '../../../accounts/auth-errors.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../../../artifacts/object-kinds.ts'
import { readRoute, type Route } from '../../../platform/http/route.ts'
import { effectiveLevel, WatchSchema } from './watched-object.ts'

export const getArtifactWatch = defineGetWatch(artifactKind)
export const getTrackerWatch = defineGetWatch(trackerKind)
export const getProjectWatch = defineGetWatch(projectKind)

function defineGetWatch<T>({ kind, name, param, find }: ObjectKind<T>): Route {
  return readRoute({
    method: 'GET',
    path: `/${kind}s/:id/watch`,
    operationId: `get${name}Watch`,
    summary: `Show your notification level of this ${kind}.`,
    description: `Shows the level that applies to the caller, and where it is inherited from. Signed-in people who may see the ${kind}. Hidden and absent objects are 404.`,
    access: 'signed_in',
    params: { id: param },
    answer: WatchSchema,
    async handle({ context, viewer, params }) {
      const account = requireAccount(viewer)
      const around = await find(context, context.db, viewer, params.id)
      return { body: await effectiveLevel(context.db, account, around) }
    },
  })
}
