import { requireAccount } from '../../../accounts/auth-errors.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../../../artifacts/object-kinds.ts'
import { type Route, writeRoute } from '../../../platform/http/route.ts'
import { watchedObjectAddress, effectiveLevel, WatchSchema } from './watched-object.ts'

export const deleteArtifactWatch = defineDeleteWatch(artifactKind)
export const deleteTrackerWatch = defineDeleteWatch(trackerKind)
export const deleteProjectWatch = defineDeleteWatch(projectKind)

function defineDeleteWatch<T>({ kind, name, param, find }: ObjectKind<T>): Route {
  return writeRoute({
    method: 'DELETE',
    path: `/${kind}s/:id/watch`,
    operationId: `delete${name}Watch`,
    summary: `Remove the watch of this ${kind}; inherit the level of its container.`,
    description: `Forgets the level that the caller chose for this ${kind}; it is also accepted if there is none. Signed-in people who may see it. Hidden and absent objects are 404.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    answer: WatchSchema,
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
        await work.change({ object: `${watchedObjectAddress(object)}/watch`, op: 'delete', before, after })
      return { body: after }
    },
  })
}
