import { sql } from 'kysely'
import { Type } from 'typebox'
import { findUsersBy } from '../../accounts/users/find-users-by.ts'
import { listUsers } from '../../accounts/users/find-user.ts'
import { UserFull } from '../../accounts/users/schemas.ts'
import { representUser } from '../../accounts/users/user.ts'
import { maySee } from '../../accounts/users/visibility.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { requireProjectAdmin } from '../find-project.ts'
import { groupAccounts, findGroupOfProject } from './find-user-group.ts'
import { groupParam } from './user-group-id.ts'

const Query = Type.Object({ identifier: Type.Optional(Type.String()) })

export const listGroupUsers = readRoute({
  method: 'GET',
  path: '/user_groups/:id/users',
  operationId: 'listGroupUsers',
  summary: 'List the users in a group.',
  description:
    'Lists the members of a group. Project administrators. Other members get 403; an unknown `identifier` is 400.',
  access: 'signed_in',
  params: { id: groupParam },
  query: {
    query: Type.Optional(Type.String({ description: '`{"identifier":"<login>"}`: that user, if in the group.' })),
  },
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(UserFull),
  async handle({ context, viewer, params, query, page }) {
    const { identifier } = readJsonQuery(Query, query.query)
    const found = await findGroupOfProject(context.db, viewer, params.id)
    requireProjectAdmin(viewer, found.project)
    const named = identifier === undefined ? sql`true` : await matchesLogin(context, viewer, identifier)
    const condition = sql<boolean>`account.id in (${groupAccounts(found)}) and ${named} and ${maySee(context, viewer)}`
    const { rows, size, next } = await listUsers(context.db, condition, page)
    return { body: rows.map((row) => representUser(context, viewer, row)), size, next }
  },
})

async function matchesLogin(context: Context, viewer: Viewer, login: string) {
  const [user] = await findUsersBy(context, context.db, viewer, 'username', [login])
  if (!user) throw new ApiError('reference_unknown', { path: 'query.identifier', rule: 'exists' })
  return sql`account.id = ${user.id}`
}
