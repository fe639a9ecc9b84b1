import { Type } from 'typebox'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { rangeParameters, readTimeRange } from '../../platform/wire/time-range.ts'
import { TRASH_TYPES } from './read-trash.ts'
import { listDeleted, TrashEntry } from './represent-trash.ts'

export const listTrash = readRoute({
  method: 'GET',
  path: '/trash',
  operationId: 'listTrash',
  summary: 'List the trash of all projects, latest first.',
  description: 'Lists everything that is deleted and can be restored. Site administrators only. Others get 403.',
  access: 'signed_in',
  query: {
    type: Type.Optional(Type.Enum([...TRASH_TYPES])),
    project: Type.Optional(Type.Integer({ description: 'Only the trash of this project.' })),
    ...rangeParameters,
  },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(TrashEntry),
  async handle({ context, viewer, query: { type, project, ...range }, page }) {
    requireSiteAdmin(viewer)
    return listDeleted(context, viewer, { type, project, ...readTimeRange(context, viewer, range) }, page)
  },
})
