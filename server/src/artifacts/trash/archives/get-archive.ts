import { requireSiteAdmin } from '../../../accounts/auth-errors.ts'
import { idParam, readRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { type ArchiveId, ArchiveSchema, readArchives, representArchives } from './archive.ts'

export const getArchive = readRoute({
  method: 'GET',
  path: '/archives/:id',
  operationId: 'getArchive',
  summary: 'Show the archive of a deleted artifact.',
  description:
    'Shows what an archive contains, without its content. Site administrators only. Unknown and expired archives are 404.',
  access: 'signed_in',
  params: { id: idParam<ArchiveId>('The archive.') },
  answer: ArchiveSchema,
  async handle({ context, viewer, params: { id } }) {
    requireSiteAdmin(viewer)
    const { rows } = await readArchives(context.db, { id }, { limit: 1, offset: 0, after: undefined })
    const [body] = await representArchives(context, rows)
    if (!body) throw new ApiError('not_found')
    return { body }
  },
})
