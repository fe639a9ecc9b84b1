import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { LevelSchema } from '../level.ts'
import { findWatches } from './find-watches.ts'

export const listWatches = readRoute({
  method: 'GET',
  path: '/users/self/watches',
  operationId: 'listWatches',
  summary: 'List your watches.',
  description:
    'Lists everything that the caller has chosen a level for. Every signed-in account, for itself. Watches of others cannot be read.',
  access: 'signed_in',
  pages: 'whole',
  answer: Type.Array(
    Type.Object(
      { object: Type.String({ description: 'Its address below `/api`.' }), level: LevelSchema },
      { title: 'WatchedObject' },
    ),
  ),
  async handle({ context, viewer }) {
    const body = await findWatches(context.db, viewer, requireAccount(viewer))
    return { body, size: body.length }
  },
})
