import { requireAccount } from '../../../accounts/refusals.ts'
import { type Route, writeRoute } from '../../../platform/http/route.ts'
import {
  addressOf,
  effectiveLevel,
  Watch,
  type Watched,
  watchedArtifact,
  watchedProject,
  watchedTracker,
} from './watched-object.ts'

export const deleteArtifactWatch = deleteWatchOf(watchedArtifact)
export const deleteTrackerWatch = deleteWatchOf(watchedTracker)
export const deleteProjectWatch = deleteWatchOf(watchedProject)

function deleteWatchOf<T>({ kind, name, param, find }: Watched<T>): Route {
  return writeRoute({
    method: 'DELETE',
    path: `/${kind}s/:id/watch`,
    operationId: `delete${name}Watch`,
    summary: `Be told as much of this ${kind} as of what is around it.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    answer: Watch,
    async handle({ context, viewer, params }, work) {
      const account_id = requireAccount(viewer)
      const around = await find(context, work.tx, viewer, params.id)
      const [object] = around
      const before = await effectiveLevel(work.tx, account_id, around)
      await work.tx
        .deleteFrom('watch')
        .where('account_id', '=', account_id)
        .where('kind', '=', kind)
        .where('object_id', '=', object.id)
        .execute()
      const after = await effectiveLevel(work.tx, account_id, around)
      if (before.inherited_from === null)
        await work.change({ object: `${addressOf(object)}/watch`, op: 'delete', before, after })
      return { body: after }
    },
  })
}
