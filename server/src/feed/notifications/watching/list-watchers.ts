import { sql } from 'kysely'
import { Type } from 'typebox'
import { UserMinimal } from '../../../accounts/users/schemas.ts'
import { representUserMinimal } from '../../../accounts/users/user.ts'
import { findVisibleUsers } from '../../../accounts/users/find-users-by.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { findArtifact } from '../../../artifacts/reading/find-artifact.ts'
import { idParam, readRoute } from '../../../platform/http/route.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'

export const listWatchers = readRoute({
  method: 'GET',
  path: '/artifacts/:id/watchers',
  operationId: 'listWatchers',
  summary: 'List the watchers of this artifact that you may see.',
  description:
    'Shows who is told of changes of an artifact. Everyone who may see the artifact; people that the caller may not see are left out. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  pages: 'whole',
  answer: Type.Array(UserMinimal),
  async handle({ context, viewer, params: { id } }) {
    await findArtifact(context, context.db, viewer, id)
    const { rows } = await sql<{ account_id: AccountId }>`
      select account_id from watch where kind = 'artifact' and object_id = ${id} and level <> 'none'`.execute(
      context.db,
    )
    const seen = await findVisibleUsers(
      context,
      context.db,
      viewer,
      rows.map(({ account_id }) => account_id),
    )
    const body = [...seen.values()]
      .toSorted((one, other) => (one.login < other.login ? -1 : 1))
      .map((row) => representUserMinimal(context, row))
    return { body, size: body.length }
  },
})
