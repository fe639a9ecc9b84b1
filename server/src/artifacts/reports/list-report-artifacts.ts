import { type Static, Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findReport, type FoundReport } from '../../trackers/reports/find-report.ts'
import type { Renderer, ReportId } from '../../trackers/tracker.ts'
import { fieldsOf } from '../reading/artifact-table.ts'
import { OUTPUT_FORMATS } from '../reading/flat-values.ts'
import { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { countFound } from '../search/find-ids.ts'
import { ignoredHeader } from '../search/ignored-header.ts'
import { pageFound, walkFound } from '../search/list-found.ts'
import { tabulateFound } from '../search/show-found.ts'
import { searchOfReport } from './search-of-report.ts'
import { columnsIn, type Look, showRows, tableColumns } from './show-rows.ts'
import { tableOfReport } from './table-of-report.ts'

const parameters = {
  values: Type.Optional(
    Type.Enum(['all', 'from_table_renderer'], { description: 'With all values, or with those of the columns.' }),
  ),
  table_renderer_id: Type.Optional(Type.Integer({ description: 'Which table is meant, where there are several.' })),
  output_format: Type.Optional(
    Type.Enum([...OUTPUT_FORMATS], { description: 'Flat: by the name of each field, a scalar or labels.' }),
  ),
  with_unsaved_changes: Type.Optional(Type.Boolean({ description: 'Nothing is unsaved here: it says nothing.' })),
}
const Query = Type.Object(parameters)

export const listReportArtifacts = readRoute({
  method: 'GET',
  path: '/tracker_reports/:id/artifacts',
  operationId: 'listReportArtifacts',
  summary: 'List the artifacts that a report finds, as far as the caller may see them.',
  access: 'everyone',
  params: { id: idParam<ReportId>('The report.') },
  query: parameters,
  pages: { default: 10, min: 0, max: 50 },
  sparse: true,
  answer: Type.Array(Type.Union([ArtifactRepresentation, Type.Record(Type.String(), Type.Unknown())])),
  async handle({ context, viewer, language, params, query, chosen, page }) {
    const audience = { context, db: context.db, viewer, language }
    requireSense(query, chosen)
    return untilUnchanged(async () => {
      const report = await findReport(context, context.db, viewer, params.id)
      const { sight } = report
      const { table, look } = lookAt(report, query, chosen)
      const search = await searchOfReport(audience, report, table)
      const found = await pageFound(audience, [sight], search, page, (ids) => showRows(audience, sight, ids, look))
      return found && { ...found, fieldNames: fieldsOf(sight), headers: ignoredHeader(search) }
    })
  },
  async exportRows({ context, viewer, language, params, query, chosen }, tx) {
    const audience = { context, db: tx, viewer, language }
    requireSense(query, chosen)
    const report = await findReport(context, tx, viewer, params.id)
    const { sight } = report
    const { table: renderer, look } = lookAt(report, query, chosen)
    const search = await searchOfReport(audience, report, renderer)
    return {
      size: await countFound(tx, [sight], search),
      fieldNames: fieldsOf(sight),
      headers: ignoredHeader(search),
      rows: walkFound(tx, [sight], search, (ids) => showRows(audience, sight, ids, look)),
      table(names) {
        const columns = tableColumns(sight, names, look)
        const rows = walkFound(tx, [sight], search, (ids) => tabulateFound(audience, sight, ids, columns))
        return { columns: columns.map(({ name }) => name), rows }
      },
    }
  },
})

/** A flat form is nothing but values. */
function requireSense({ values, output_format }: Static<typeof Query>, chosen: ReadonlySet<string> | undefined): void {
  if (output_format === undefined || output_format === 'nested') return
  if (values === undefined)
    throw new ApiError('parameter_conflict', { path: 'output_format', cause: 'flat_needs_values' })
  if (chosen) throw new ApiError('parameter_conflict', { path: 'fields' })
}

function lookAt(
  { report, sight }: FoundReport,
  query: Static<typeof Query>,
  chosen: ReadonlySet<string> | undefined,
): { table: Renderer | undefined; look: Look } {
  const table = tableOfReport(report, query)
  const look = {
    withValues: chosen ? chosen.has('values') : query.values !== undefined,
    format: query.output_format ?? 'nested',
    columns: query.values === 'from_table_renderer' && table ? columnsIn(table, sight) : undefined,
  }
  return { table, look }
}
