import { Type } from 'typebox'
import { requireSiteAdmin } from '../../../accounts/auth-errors.ts'
import { cutPage } from '../../../platform/http/pages.ts'
import { readRoute } from '../../../platform/http/route.ts'
import { rangeParameters, readTimeRange } from '../../../platform/wire/time-range.ts'
import { ARCHIVE_STATES, ArchiveSchema, readArchives, representArchives } from './archive.ts'

const id = Type.Optional(Type.Integer())

export const listArchives = readRoute({
  method: 'GET',
  path: '/archives',
  operationId: 'listArchives',
  summary: 'List archives of deleted artifacts, newest first.',
  description:
    'Lists the archives that are written when artifacts are deleted, if the platform keeps them. Site administrators only. Others get 403.',
  access: 'signed_in',
  query: {
    project: id,
    tracker: id,
    artifact: id,
    deleted_by: id,
    state: Type.Optional(Type.Enum([...ARCHIVE_STATES])),
    ...rangeParameters,
  },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(ArchiveSchema),
  async handle({ context, viewer, query: { project, tracker, artifact, deleted_by, state, ...range }, page }) {
    requireSiteAdmin(viewer)
    const filter = { project, tracker, artifact, deleted_by, state, ...readTimeRange(context, viewer, range) }
    const found = await readArchives(context.db, filter, page)
    const { rows, next } = cutPage(found.rows, page.limit, (archive) => [archive.id])
    return { body: await representArchives(context, rows), size: found.size, next }
  },
})
