import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { ArtifactId } from '../artifact.ts'
import { findVersions } from './find-versions.ts'
import { Changeset, representChangesets } from './represent-changesets.ts'

export const diff = Type.Optional(
  Type.Boolean({ description: 'Adds `changes`: the difference to the previous version.' }),
)

export const listChangesets = readRoute({
  method: 'GET',
  path: '/artifacts/:id/changesets',
  operationId: 'listChangesets',
  summary: 'List the versions of an artifact that show the caller something.',
  description:
    'Lists who changed what and when, with values or differences on request. Everyone who may see the artifact; versions without anything readable are left out. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ArtifactId>('The artifact.') },
  query: {
    fields: Type.Optional(
      Type.Enum(['all', 'comments'], { description: '`comments`: only versions with a comment, without values.' }),
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], { description: 'The order of the whole list; oldest first by default.' }),
    ),
    diff,
  },
  pages: { default: 10, min: 1, max: 50 },
  answer: Type.Array(Changeset),
  async handle({ context, viewer, language, params, query, page }) {
    const audience = { context, db: context.db, viewer, language }
    const commentsOnly = query.fields === 'comments'
    const { now, size, rows } = await findVersions(audience, params.id, {
      commentsOnly,
      order: query.order ?? 'asc',
      page,
    })
    const { rows: shown, next, placeAt } = cutPage(rows, page.limit, ({ version }) => [version])
    const body = await representChangesets(audience, now, shown, { values: !commentsOnly, diff: query.diff === true })
    return { body, size, next, placeAt }
  },
})
