import { idParam, readRoute } from '../../platform/http/route.ts'
import { findImport, Import, type ImportId, importVersion, representImports } from './import.ts'

export const getImport = readRoute({
  method: 'GET',
  path: '/imports/:id',
  operationId: 'getImport',
  summary: 'Show an import and how many artifacts it has.',
  description:
    'Shows the state of an import. Administrators of its project and site administrators. Others get 403 or 404.',
  access: 'signed_in',
  params: { id: idParam<ImportId>('The import.') },
  answer: Import,
  versioned: true,
  async handle({ context, viewer, params }) {
    const { row } = await findImport(context.db, viewer, params.id)
    const [body] = await representImports(context, context.db, viewer, [row])
    return { ...(body && { body }), version: importVersion(row) }
  },
})
