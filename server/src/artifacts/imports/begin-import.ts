import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findProject } from '../../projects/find-project.ts'
import { MAX_RESERVED_ID, type ProjectId } from '../../projects/project.ts'
import { hideDuringImport } from '../../projects/switch-importing.ts'
import { requireUnarchived } from '../../projects/writable-project.ts'
import {
  Import,
  type ImportId,
  ImportSource,
  importVersion,
  readImports,
  representImports,
  requireImporter,
} from './import.ts'

export const beginImport = writeRoute({
  method: 'POST',
  path: '/projects/:id/imports',
  operationId: 'beginImport',
  summary: 'Begin an import into a project, which is hidden until the import is finished.',
  description:
    'Begins an import; the project is hidden from everyone but its members until it is finished. Site administrators, and project administrators if the setting `may_import` is on. A second running import is 400; others get 403.',
  access: 'signed_in',
  action: 'import.begin',
  params: { id: idParam<ProjectId>('The project.') },
  body: Type.Object({ source: ImportSource }, { additionalProperties: false }),
  answer: Import,
  status: 201,
  versioned: true,
  dryRun: { omits: ['id', 'uri', 'started_on'] },
  async handle({ context, viewer, params: { id }, body: { source } }, work) {
    const project = await findProject(work.tx, viewer, id)
    requireImporter(context, viewer, project)
    if (id <= MAX_RESERVED_ID) throw new ApiError('project_protected')
    requireUnarchived(project.status)
    if (!(await hideDuringImport(work, id))) throw await whyNot(work.tx, id)

    const { rows } = await sql<{ id: ImportId }>`
      insert into artifact_import (project_id, source, state, started_by, started_on)
      values (${id}, ${source}, 'running', ${requireAccount(viewer)}, ${context.clock.now()})
      returning id`.execute(work.tx)
    const made = rows[0]?.id ?? null
    const found = await readImports(work.tx, sql`artifact_import.id = ${made}`)
    await work.change({
      object: 'imports',
      made: `imports/${made}`,
      op: 'create',
      project_id: id,
      after: { project_id: id, source },
    })
    const [body] = await representImports(context, work.tx, viewer, found)
    const [row] = found
    if (!body || !row) throw new TypeError('The new import is not there.')
    return { body, location: body.uri, version: importVersion(row) }
  },
})

async function whyNot(tx: Tx, project: ProjectId): Promise<ApiError> {
  const [running] = await readImports(
    tx,
    sql`artifact_import.project_id = ${project} and artifact_import.state = 'running'`,
  )
  return running
    ? new ApiError('import_running', { id: running.id })
    : new ApiError('rule_violated', { cause: 'project_not_active' })
}
