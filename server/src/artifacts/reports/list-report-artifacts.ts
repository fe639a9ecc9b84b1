import { type Static, Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findReport, type FoundReport } from '../../trackers/reports/find-report.ts'
import type { Renderer, ReportId } from '../../trackers/tracker.ts'
import { listReadableFields } from '../reading/artifact-table.ts'
import { OUTPUT_FORMATS } from '../reading/flat-values.ts'
import { ArtifactRepresentation } from '../reading/represent-artifact.ts'
import { countFound } from '../search/find-ids.ts'
import { ignoredHeader } from '../search/ignored-header.ts'
import { pageFound, streamFound } from '../search/list-found.ts'
import { tabulateFound } from '../search/show-found.ts'
import { searchOfReport } from './search-of-report.ts'
import { readableColumns, type RowFormat, showRows, tableColumns } from './show-rows.ts'
import { tableOfReport } from './table-of-report.ts'

const parameters = {
  values: Type.Optional(
    Type.Enum(['all', 'from_table_renderer'], { description: 'Includes all values, or those of the columns.' }),
  ),
  table_renderer_id: Type.Optional(Type.Integer({ description: 'The table, if there are several.' })),
  output_format: Type.Optional(
    Type.Enum([...OUTPUT_FORMATS], { description: 'Flat: a scalar or labels by field name.' }),
  ),
  with_unsaved_changes: Type.Optional(
    Type.Boolean({
      description: 'Without effect: reports have no unsaved changes here.',
      mayBeEmpty: true, // As before: it is older than the rule for flags.
    }),
  ),
}
const Query = Type.Object(parameters)

export const listReportArtifacts = readRoute({
  method: 'GET',
  path: '/tracker_reports/:id/artifacts',
  operationId: 'listReportArtifacts',
  summary: 'List the artifacts of a report that the caller may see.',
  description:
    'Runs a saved search, optionally with values. Everyone who may see the report. Criteria on fields that the caller may not read are left out and named in `X-Criteria-Ignored`.',
  access: 'everyone',
  params: { id: idParam<ReportId>('The report.') },
  query: parameters,
  pages: { default: 10, min: 0, max: 50 },
  formats: {
    sparse: true,
    async exportRows({ context, viewer, language, params, query, chosen }, tx) {
      const audience = { context, db: tx, viewer, language }
      requireSense(query, chosen)
      const report = await findReport(context, tx, viewer, params.id)
      const { access } = report
      const { table: renderer, look } = lookAt(report, query, chosen)
      const search = await searchOfReport(audience, report, renderer)
      return {
        size: await countFound(tx, [access], search),
        fieldNames: listReadableFields(access),
        headers: ignoredHeader(search),
        rows: streamFound(tx, [access], search, (ids) => showRows(audience, access, ids, look)),
        table(names) {
          const columns = tableColumns(access, names, look)
          const rows = streamFound(tx, [access], search, (ids) => tabulateFound(audience, access, ids, columns))
          return { columns: columns.map(({ name }) => name), rows }
        },
      }
    },
  },
  answer: Type.Array(Type.Union([ArtifactRepresentation, Type.Record(Type.String(), Type.Unknown())])),
  async handle({ context, viewer, language, params, query, chosen, page }) {
    const audience = { context, db: context.db, viewer, language }
    requireSense(query, chosen)
    return retryOnConflict(async () => {
      const report = await findReport(context, context.db, viewer, params.id)
      const { access } = report
      const { table, look } = lookAt(report, query, chosen)
      const search = await searchOfReport(audience, report, table)
      const found = await pageFound(audience, [access], search, page, (ids) => showRows(audience, access, ids, look))
      return found && { ...found, fieldNames: listReadableFields(access), headers: ignoredHeader(search) }
    })
  },
})

/** A flat form consists of values only. */
function requireSense({ values, output_format }: Static<typeof Query>, chosen: ReadonlySet<string> | undefined): void {
  if (output_format === undefined || output_format === 'nested') return
  if (values === undefined)
    throw new ApiError('parameter_conflict', { path: 'output_format', cause: 'flat_needs_values' })
  if (chosen) throw new ApiError('parameter_conflict', { path: 'fields' })
}

function lookAt(
  { report, access }: FoundReport,
  query: Static<typeof Query>,
  chosen: ReadonlySet<string> | undefined,
): { table: Renderer | undefined; look: RowFormat } {
  const table = tableOfReport(report, query)
  const look = {
    withValues: chosen ? chosen.has('values') : query.values !== undefined,
    format: query.output_format ?? 'nested',
    columns: query.values === 'from_table_renderer' && table ? readableColumns(table, access) : undefined,
  }
  return { table, look }
}
