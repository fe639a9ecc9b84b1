import { sql } from 'kysely'
import { Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { showAfterImport } from '../../projects/switch-importing.ts'
import { findImportForWrite, Import, type ImportId, importVersion, type ImportRow, representImports } from './import.ts'
import { resolveImportedKeys } from './resolve-keys.ts'

export const finishImport = writeRoute({
  method: 'PATCH',
  path: '/imports/:id',
  operationId: 'finishImport',
  summary: 'Finish an import: the project becomes visible again.',
  description:
    'Ends an import and makes the project active; one event tells it. Those who may import into the project. An import that has ended is refused; others get 403 or 404.',
  access: 'signed_in',
  action: 'import.finish',
  params: { id: idParam<ImportId>('The import.') },
  body: Type.Object({ state: Type.Enum(['finished']) }, { additionalProperties: false }),
  answer: Import,
  versioned: true,
  dryRun: { omits: ['finished_on'] },
  async handle({ context, viewer, params, headers }, work) {
    const { row: before } = await findImportForWrite(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], importVersion(before))
    const after: ImportRow =
      before.state === 'finished'
        ? before
        : {
            ...before,
            state: 'finished',
            finished_by: requireAccount(viewer),
            finished_on: context.clock.now(),
            version: before.version + 1,
          }
    if (after !== before) {
      const { id, project_id, source, artifacts } = after
      await sql`
        update artifact_import set state = 'finished', finished_by = ${after.finished_by},
          finished_on = ${after.finished_on}, version = version + 1
        where id = ${id}`.execute(work.tx)
      await resolveImportedKeys(work.tx, id)
      await showAfterImport(work, project_id)
      await work.change({
        object: `imports/${id}`,
        op: 'update',
        project_id,
        before: { state: before.state },
        after: { state: after.state },
      })
      // The one event of the import: readers of the feed list the artifacts of the project again.
      await work.recordEvent({
        type: 'project.imported',
        object: `projects/${project_id}`,
        project_id,
        payload: { import_id: id, source, artifacts },
      })
    }
    const [body] = await representImports(context, work.tx, viewer, [after])
    return { ...(body && { body }), version: importVersion(after) }
  },
})
