import { Type } from 'typebox'
import { idParam, readRoute } from '../platform/http/route.ts'
import { attemptWithTracker, findTracker } from '../trackers/find-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import type { ArtifactId } from './artifact.ts'
import { selectTableColumns, listReadableFields } from './reading/artifact-table.ts'
import { ArtifactRepresentation } from './reading/represent-artifact.ts'
import { Explanation, explainSearch } from './search/explain-search.ts'
import { countFound } from './search/find-ids.ts'
import { pageEntries } from './search/list-entries.ts'
import { pageFound, streamFound } from './search/list-found.ts'
import { ignoredHeader } from './search/ignored-header.ts'
import { readSearch, searchParameters } from './search/read-search.ts'
import { inBatches, showFound, tabulateFound } from './search/show-found.ts'

export const listArtifacts = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts',
  operationId: 'listArtifacts',
  summary: 'List the artifacts of a tracker, or those that match criteria or a query.',
  description:
    'The search of a tracker: criteria in `query` or in the body, or the query language in `expert_query`; also as NDJSON and CSV. Everyone who may see the tracker; each caller gets the artifacts that they may read. Unknown and unreadable fields are refused alike; a query that is too expensive is 400.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    values: Type.Optional(
      Type.Enum(['all'], {
        description: 'Includes the values of every field; so does `values` in `fields`.',
      }),
    ),
    ...searchParameters,
    values_as_of: Type.Optional(
      Type.Boolean({ description: 'With `AS OF`: shows the values of that moment instead of the current ones.' }),
    ),
    size: Type.Optional(
      Type.Enum(['later'], {
        description:
          'Leaves out `X-PAGINATION-SIZE` if counting takes more than 300 ms; `Link` then has `rel="size"`, a page without rows that has the size.',
      }),
    ),
    explain: Type.Optional(Type.Boolean({ description: 'Returns the query plan instead of the result.' })),
  },
  body: Type.Unknown({ title: 'Criteria', description: 'Criteria, as in `query`.' }),
  bodyRules: { isOptional: true, isValidatedByHandler: true, sameAsParameter: 'query' },
  pages: { default: 100, min: 0, max: 1000 },
  formats: {
    sparse: true,
    async exportRows({ context, viewer, language, params, query, body, chosen }, tx) {
      const audience = { context, db: tx, viewer, language }
      const access = await findTracker(context, tx, viewer, params.id)
      const search = await readSearch(audience, access, { ...query, body })
      const form = { withValues: showsValues(query, chosen), asOf: query.values_as_of ? search.asOf : undefined }
      return {
        size: await countFound(tx, [access], search),
        fieldNames: listReadableFields(access),
        headers: ignoredHeader(search),
        rows: streamFound(tx, [access], search, (ids) => showFound(audience, access, ids, form)),
        table(names) {
          const columns = selectTableColumns(access, names)
          const rows = streamFound(tx, [access], search, (ids) =>
            tabulateFound(audience, access, ids, columns, form.asOf),
          )
          return { columns: columns.map(({ name }) => name), rows }
        },
      }
    },
  },
  answer: Type.Array(ArtifactRepresentation),
  answerOptions: { alternative: Explanation },
  async handle({ context, viewer, language, params, query, body, chosen, cut, page, format, printElements }) {
    const audience = { context, db: context.db, viewer, language }
    return attemptWithTracker(context, viewer, params.id, async (access) => {
      const search = {
        ...(await readSearch(audience, access, { ...query, body })),
        isSizeOptional: query.size === 'later',
      }
      if (query.explain || search.said?.query.isExplained) {
        const { tracker } = await findTracker(context, context.db, viewer, params.id)
        if (tracker.stamp !== access.tracker.stamp) return undefined
        return { other: await explainSearch(context.db, [access], search) }
      }
      const form = {
        withValues: showsValues(query, chosen),
        fields: cut?.picked('values', listReadableFields(access)),
        asOf: query.values_as_of ? search.asOf : undefined,
      }
      const show = (ids: readonly ArtifactId[]) => showFound(audience, access, ids, form)
      const facts = { fieldNames: listReadableFields(access), headers: ignoredHeader(search) }
      if (printElements) {
        const found = await pageFound(audience, [access], search, page, (ids) =>
          inBatches(ids, async (some) => printElements(await show(some))),
        )
        return found && { size: found.size, next: found.next, printed: found.body, ...facts }
      }
      if (format === 'json' && !form.withValues && !form.asOf && !chosen && !cut) {
        const found = await pageEntries(audience, access, search, page)
        return found && { ...found, ...facts }
      }
      const found = await pageFound(audience, [access], search, page, show)
      return found && { ...found, ...facts }
    })
  },
})

function showsValues({ values }: { values?: 'all' }, chosen: ReadonlySet<string> | undefined): boolean {
  return chosen ? chosen.has('values') : values === 'all'
}
