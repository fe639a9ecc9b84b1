import { sql } from 'kysely'
import { requireSiteAdmin } from '../../../accounts/auth-errors.ts'
import { recordAudit } from '../../../platform/database/audit.ts'
import { idParam, readRoute } from '../../../platform/http/route.ts'
import { ApiError } from '../../../platform/messages/errors.ts'
import { type ArchiveId, fileName } from './archive.ts'
import { zipArchive, zipPart } from './archive-zip.ts'
import type { ArchivedPerson } from './people-document.ts'
import { findArchived } from './write-archive.ts'

interface Content {
  readonly artifact_id: number
  readonly project_id: number
  readonly written_on: Date | null
  readonly document: string | null
  readonly people: readonly ArchivedPerson[] | null
  readonly size: number | null
  readonly sha256: string | null
}

export const getArchiveContent = readRoute({
  method: 'GET',
  path: '/archives/:id/content',
  operationId: 'getArchiveContent',
  summary: 'Download the archive of a deleted artifact. The audit log records each download.',
  description:
    'Sends an archive as a file. Site administrators only. An archive that is not written yet is 404 `not_set`.',
  access: 'signed_in',
  params: { id: idParam<ArchiveId>('The archive.') },
  formats: { file: 'application/zip' },
  async handle({ context, viewer, origin, params: { id } }) {
    requireSiteAdmin(viewer)
    const { rows } = await sql<Content>`
      select artifact_id, project_id, written_on, document, people, size, sha256 from artifact_archive where id = ${id}`.execute(
      context.db,
    )
    const [archive] = rows
    if (!archive) throw new ApiError('not_found')
    const { artifact_id, project_id, written_on, document, people, size, sha256 } = archive
    if (!written_on || document === null || !people || size === null) throw new ApiError('not_set')
    const parts = { document, people, files: await findArchived(context.db, id) }
    await recordAudit(context.db, origin, { action: 'archive.read', object: `archives/${id}`, project_id })
    return {
      file: {
        name: fileName(artifact_id, written_on),
        size,
        etag: `"${sha256}"`,
        open: async (range) => (range ? zipPart(context, parts, range) : zipArchive(context, parts)),
      },
    }
  },
})
