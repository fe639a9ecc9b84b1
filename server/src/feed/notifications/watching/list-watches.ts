import { Type } from 'typebox'
import { requireAccount } from '../../../accounts/auth-errors.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { LevelSchema } from '../level.ts'
import { findWatches } from './find-watches.ts'
import { nameWatches } from './name-watches.ts'

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
      {
        object: Type.String({ description: 'Its address below `/api`.' }),
        level: LevelSchema,
        label: Type.String({ description: 'The name of the project or tracker, or the title of the artifact.' }),
        xref: nullable(Type.String(), 'The reference of an artifact; null for others.'),
        html_url: Type.String({ description: 'The address of its page.' }),
      },
      { title: 'WatchedObject' },
    ),
  ),
  async handle({ context, viewer }) {
    const watches = await findWatches(context.db, viewer, requireAccount(viewer))
    const body = await nameWatches(context, viewer, watches)
    return { body, size: body.length }
  },
})
