import { requireAccount } from '../../../accounts/refusals.ts'
import { readRoute, type Route } from '../../../platform/http/route.ts'
import {
  effectiveLevel,
  Watch,
  type Watched,
  watchedArtifact,
  watchedProject,
  watchedTracker,
} from './watched-object.ts'

export const getArtifactWatch = getWatchOf(watchedArtifact)
export const getTrackerWatch = getWatchOf(watchedTracker)
export const getProjectWatch = getWatchOf(watchedProject)

function getWatchOf<T>({ kind, name, param, find }: Watched<T>): Route {
  return readRoute({
    method: 'GET',
    path: `/${kind}s/:id/watch`,
    operationId: `get${name}Watch`,
    summary: `Show how much you are told of this ${kind}.`,
    access: 'signed_in',
    params: { id: param },
    answer: Watch,
    async handle({ context, viewer, params }) {
      const account = requireAccount(viewer)
      const around = await find(context, context.db, viewer, params.id)
      return { body: await effectiveLevel(context.db, account, around) }
    },
  })
}
