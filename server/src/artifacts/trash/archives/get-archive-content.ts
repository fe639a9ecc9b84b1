import { sql } from 'kysely'
import { requireSiteAdmin } from '../../../accounts/refusals.ts'
import { recordAudit } from '../../../platform/database/audit.ts'
import { idParam, readRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/words/errors.ts'
import { type ArchiveId, fileName } from './archive.ts'
import { zipArchive } from './archive-zip.ts'
import type { ArchivedPerson } from './people-document.ts'

interface Content {
  readonly artifact_id: number
  readonly project_id: number
  readonly written_on: Date | null
  readonly document: string | null
  readonly people: readonly ArchivedPerson[] | null
}

export const getArchiveContent = readRoute({
  method: 'GET',
  path: '/archives/:id/content',
  operationId: 'getArchiveContent',
  summary: 'Download the archive of a deleted artifact. The audit log tells who did.',
  access: 'signed_in',
  params: { id: idParam<ArchiveId>('The archive.') },
  file: 'application/zip',
  async handle({ context, viewer, origin, params: { id } }) {
    requireSiteAdmin(viewer)
    const { rows } = await sql<Content>`
      select artifact_id, project_id, written_on, document, people from artifact_archive where id = ${id}`.execute(
      context.db,
    )
    const [archive] = rows
    if (!archive) throw new ApiError('not_found')
    const { artifact_id, project_id, written_on, document, people } = archive
    if (!written_on || document === null || !people) throw new ApiError('not_set')
    const bytes = await zipArchive(document, people)
    await recordAudit(context.db, origin, { action: 'archive.read', object: `archives/${id}`, project_id })
    return { file: { bytes, name: fileName(artifact_id, written_on) } }
  },
})
