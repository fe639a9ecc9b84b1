import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { Explanation, explainSearch } from '../search/explain-search.ts'
import { countFound } from '../search/find-ids.ts'
import { pageFound, walkFound } from '../search/list-found.ts'
import { Selected, typeOf } from './columns.ts'
import { readQuestion } from './question.ts'
import { type SearchAcross, searchAcross } from './search-across.ts'
import { showColumns, tabulateColumns } from './show-columns.ts'

const Row = Type.Record(Type.String(), Type.Unknown(), {
  title: 'SelectedCells',
  description: 'By the name of each column; what stands in a cell follows from the type of the column.',
})

export const queryAcrossTrackers = readRoute({
  method: 'GET',
  path: '/crosstracker_query/content',
  operationId: 'queryAcrossTrackers',
  summary: 'Show columns of the artifacts that a query finds in several trackers.',
  access: 'everyone',
  query: {
    query: Type.String({
      description:
        '`{"tql_query":"SELECT @pretty_title FROM @project = \'self\' WHERE @status = OPEN()","project_id":101}`; the project is what `self` means, and may be left out where the query names its projects.',
    }),
    explain: Type.Optional(Type.Boolean({ description: 'How it would be answered, instead of the answer.' })),
  },
  pages: { default: 50, min: 1, max: 50 },
  answer: Type.Object({ selected: Type.Array(Selected), artifacts: Type.Array(Row) }),
  otherAnswer: Explanation,
  async handle({ context, viewer, language, query: { query, explain }, page }) {
    const audience = { context, db: context.db, viewer, language }
    const question = readQuestion(query, { columns: context.settings.current.query_columns })
    return untilUnchanged(async () => {
      const search = await searchAcross(audience, question)
      const { sights } = search
      if (explain || question.query.isExplained) return { other: await explainSearch(context.db, sights, search) }
      const found = await pageFound(audience, sights, search, page, (ids) => showColumns(audience, search, ids))
      return found && { ...found, body: { selected: selectedBy(search), artifacts: found.body } }
    })
  },
  async exportRows({ context, viewer, language, query: { query } }, tx) {
    const audience = { context, db: tx, viewer, language }
    const question = readQuestion(query, { columns: context.settings.current.query_columns })
    const search = await searchAcross(audience, question)
    const { sights, columns } = search
    return {
      size: await countFound(tx, sights, search),
      rows: walkFound(tx, sights, search, (ids) => showColumns(audience, search, ids)),
      table: () => ({
        columns: ['id', ...columns.map(({ name }) => name)],
        rows: walkFound(tx, sights, search, (ids) => tabulateColumns(audience, search, ids)),
      }),
    }
  },
})

function selectedBy({ columns }: SearchAcross) {
  const selected = columns.map((column) => ({ name: column.name, type: typeOf(column) }))
  return [{ name: '@artifact', type: 'artifact' as const }, ...selected]
}
