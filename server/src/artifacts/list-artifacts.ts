import { Type } from 'typebox'
import { idParam, readRoute } from '../platform/http/route.ts'
import { untilUnchanged } from '../platform/operation/until-unchanged.ts'
import { findTracker } from '../trackers/find-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { columnsOf, fieldsOf } from './reading/artifact-table.ts'
import { ArtifactRepresentation } from './reading/represent-artifact.ts'
import { Explanation, explainSearch } from './search/explain-search.ts'
import { countFound } from './search/find-ids.ts'
import { pageFound, walkFound } from './search/list-found.ts'
import { ignoredHeader } from './search/ignored-header.ts'
import { readSearch, searchParameters } from './search/read-search.ts'
import { showFound, tabulateFound } from './search/show-found.ts'

export const listArtifacts = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts',
  operationId: 'listArtifacts',
  summary: 'List the artifacts of a tracker, or those that fit criteria or a query.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    values: Type.Optional(
      Type.Enum(['all'], {
        description: 'With the values of every field; `fields` that name `values` ask for them too.',
      }),
    ),
    ...searchParameters,
    values_as_of: Type.Optional(
      Type.Boolean({ description: 'With `AS OF`: the values of that moment, and not those of today.' }),
    ),
    explain: Type.Optional(Type.Boolean({ description: 'How it would be answered, instead of the answer.' })),
  },
  body: Type.Unknown({ title: 'Criteria', description: 'Criteria, as in `query`.' }),
  bodyOptional: true,
  bodyJudged: 'by_handler',
  pages: { default: 100, min: 0, max: 1000 },
  sparse: true,
  answer: Type.Array(ArtifactRepresentation),
  otherAnswer: Explanation,
  async handle({ context, viewer, language, params, query, body, chosen, cut, page }) {
    const audience = { context, db: context.db, viewer, language }
    return untilUnchanged(async () => {
      const sight = await findTracker(context, context.db, viewer, params.id)
      const search = await readSearch(audience, sight, { ...query, body })
      if (query.explain || search.said?.query.isExplained)
        return { other: await explainSearch(context.db, [sight], search) }
      const form = {
        withValues: showsValues(query, chosen),
        fields: cut?.picked('values', fieldsOf(sight)),
        asOf: query.values_as_of ? search.asOf : undefined,
      }
      const found = await pageFound(audience, [sight], search, page, (ids) => showFound(audience, sight, ids, form))
      return found && { ...found, fieldNames: fieldsOf(sight), headers: ignoredHeader(search) }
    })
  },
  async exportRows({ context, viewer, language, params, query, body, chosen }, tx) {
    const audience = { context, db: tx, viewer, language }
    const sight = await findTracker(context, tx, viewer, params.id)
    const search = await readSearch(audience, sight, { ...query, body })
    const form = { withValues: showsValues(query, chosen), asOf: query.values_as_of ? search.asOf : undefined }
    return {
      size: await countFound(tx, [sight], search),
      fieldNames: fieldsOf(sight),
      headers: ignoredHeader(search),
      rows: walkFound(tx, [sight], search, (ids) => showFound(audience, sight, ids, form)),
      table(names) {
        const columns = columnsOf(sight, names)
        const rows = walkFound(tx, [sight], search, (ids) => tabulateFound(audience, sight, ids, columns, form.asOf))
        return { columns: columns.map(({ name }) => name), rows }
      },
    }
  },
})

function showsValues({ values }: { values?: 'all' }, chosen: ReadonlySet<string> | undefined): boolean {
  return chosen ? chosen.has('values') : values === 'all'
}
