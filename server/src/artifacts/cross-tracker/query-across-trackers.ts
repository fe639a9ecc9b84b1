import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { Explanation, explainSearch } from '../search/explain-search.ts'
import { countFound } from '../search/find-ids.ts'
import { pageFound, streamFound } from '../search/list-found.ts'
import { Selected, columnType } from './columns.ts'
import { parseCrossTrackerQuery } from './cross-tracker-query.ts'
import { type SearchAcross, searchAcross } from './search-across.ts'
import { showColumns, tabulateColumns } from './show-columns.ts'

const Row = Type.Record(Type.String(), Type.Unknown(), {
  title: 'SelectedCells',
  description: 'By column name; the content of a cell depends on the type of the column.',
})

export const queryAcrossTrackers = readRoute({
  method: 'GET',
  path: '/crosstracker_query/content',
  operationId: 'queryAcrossTrackers',
  summary: 'Show columns of the artifacts that a query finds in several trackers.',
  description:
    'Runs a query of the query language over the trackers that it names, and answers columns. Everyone; trackers and fields that the caller may not read do not take part. A query without readable trackers, or with too many, is refused.',
  access: 'everyone',
  query: {
    query: Type.String({
      description:
        '`{"tql_query":"SELECT @pretty_title FROM @project = \'self\' WHERE @status = OPEN()","project_id":101}`; the project is the meaning of `self`, and may be omitted if the query names its projects.',
    }),
    explain: Type.Optional(Type.Boolean({ description: 'Returns the query plan instead of the result.' })),
  },
  pages: { default: 50, min: 1, max: 50 },
  answer: Type.Object({ selected: Type.Array(Selected), artifacts: Type.Array(Row) }),
  answerOptions: { alternative: Explanation },
  async handle({ context, viewer, language, query: { query, explain }, page }) {
    const audience = { context, db: context.db, viewer, language }
    const question = parseCrossTrackerQuery(query, { columns: context.settings.current.query_columns })
    return retryOnConflict(async () => {
      const search = await searchAcross(audience, question)
      const { accesses } = search
      if (explain || question.query.isExplained) return { other: await explainSearch(context.db, accesses, search) }
      const found = await pageFound(audience, accesses, search, page, (ids) => showColumns(audience, search, ids))
      return found && { ...found, body: { selected: selectedBy(search), artifacts: found.body } }
    })
  },
  formats: {
    async exportRows({ context, viewer, language, query: { query } }, tx) {
      const audience = { context, db: tx, viewer, language }
      const question = parseCrossTrackerQuery(query, { columns: context.settings.current.query_columns })
      const search = await searchAcross(audience, question)
      const { accesses, columns } = search
      return {
        size: await countFound(tx, accesses, search),
        rows: streamFound(tx, accesses, search, (ids) => showColumns(audience, search, ids)),
        table: () => ({
          columns: ['id', ...columns.map(({ name }) => name)],
          rows: streamFound(tx, accesses, search, (ids) => tabulateColumns(audience, search, ids)),
        }),
      }
    },
  },
})

function selectedBy({ columns }: SearchAcross) {
  const selected = columns.map((column) => ({ name: column.name, type: columnType(column) }))
  return [{ name: '@artifact', type: 'artifact' as const }, ...selected]
}
