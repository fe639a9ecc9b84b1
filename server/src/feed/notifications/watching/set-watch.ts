import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { artifactKind, type ObjectKind, projectKind, trackerKind } from '../../../artifacts/object-kinds.ts'
import { type Route, writeRoute } from '../../../platform/http/route.ts'
import { LevelSchema } from '../level.ts'
import { watchedObjectAddress, effectiveLevel, WatchSchema } from './watched-object.ts'

export const setArtifactWatch = defineSetWatch(artifactKind)
export const setTrackerWatch = defineSetWatch(trackerKind)
export const setProjectWatch = defineSetWatch(projectKind)

function defineSetWatch<T>({ kind, name, param, find }: ObjectKind<T>): Route {
  return writeRoute({
    method: 'PUT',
    path: `/${kind}s/:id/watch`,
    operationId: `set${name}Watch`,
    summary: `Choose the notification level of this ${kind}.`,
    description: `Decides which changes of this ${kind} the caller is told of: all, status, mentions or none. Signed-in people who may see it. Hidden and absent objects are 404.`,
    access: 'signed_in',
    action: null,
    params: { id: param },
    body: Type.Object({ level: LevelSchema }),
    answer: WatchSchema,
    async handle({ context, viewer, params, body: { level } }, work) {
      const account_id = requireAccount(viewer)
      const around = await find(context, work.tx, viewer, params.id)
      const [object] = around
      const before = await effectiveLevel(work.tx, account_id, around)
      const after = { level, inherited_from: null }
      await work.tx
        .insertInto('watch')
        .values({ account_id, kind, object_id: object.id, level })
        .onConflict((clash) => clash.columns(['account_id', 'kind', 'object_id']).doUpdateSet({ level }))
        .execute()
      await work.change({ object: `${watchedObjectAddress(object)}/watch`, op: 'update', before, after })
      return { body: after }
    },
  })
}
