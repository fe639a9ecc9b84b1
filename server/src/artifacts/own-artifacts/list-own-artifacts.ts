import { Type } from 'typebox'
import { requireSelf, userParam } from '../../accounts/users/find-user.ts'
import { cutPage } from '../../platform/http/pages.ts'
import { readRoute } from '../../platform/http/route.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findArtifactsInOrder } from '../reading/find-artifact.ts'
import { findOwnIds, type OwnershipFilter } from './find-own-ids.ts'
import { OwnArtifact, representOwn } from './represent-own.ts'

const Query = Type.Object({
  submitted_by: Type.Optional(Type.Boolean()),
  assigned_to: Type.Optional(Type.Boolean()),
})

export const listOwnArtifacts = readRoute({
  method: 'GET',
  path: '/users/:id/artifacts',
  operationId: 'listOwnArtifacts',
  summary: 'List the open artifacts that you submitted or that are assigned to you, latest update first.',
  description:
    'Lists the open work of an account over all projects, with status, priority and due date. The account itself only. `query` has to name `assigned_to` or `submitted_by`.',
  access: 'everyone',
  params: { id: userParam },
  query: {
    query: Type.String({
      description: '`{"submitted_by":true,"assigned_to":true}`: one of them, or both combined by "or".',
    }),
  },
  pages: { default: 250, min: 1, max: 250 },
  formats: { sparse: true },
  answer: Type.Array(OwnArtifact),
  async handle({ context, viewer, params, query, page }) {
    const { db } = context
    const owning = readOwning(query.query)
    const account = await requireSelf(context, viewer, params.id)
    return retryOnConflict(async () => {
      const { rows, size } = await findOwnIds(db, viewer, account, owning, page)
      const cut = cutPage(rows, page.limit, ({ place }) => place)
      const ids = cut.rows.map(({ id }) => id)
      const found = await findArtifactsInOrder(context, db, viewer, ids, { extent: 'head' })
      // Pages are full: if an artifact disappeared after the count, the page is read again.
      if (found.length < ids.length) return undefined
      return { body: found.map((each) => representOwn(context, each)), size, next: cut.next, placeAt: cut.placeAt }
    })
  },
})

function readOwning(text: string): OwnershipFilter {
  const { submitted_by = false, assigned_to = false } = readJsonQuery(Query, text)
  if (!submitted_by && !assigned_to) throw new ApiError('query_malformed', { path: 'query' })
  return { submitted_by, assigned_to }
}
