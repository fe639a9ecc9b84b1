import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { printQuery } from '../../trackers/search/tql/print-query.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { budgetOf } from './budget.ts'
import { fittingSql } from './find-ids.ts'
import type { ReadSearch } from './read-search.ts'

export const Explanation = Type.Object(
  {
    explain: Type.Object({
      normalized: Type.String({ description: 'The query as parsed.' }),
      fields: Type.Array(
        Type.Object({ name: Type.String(), field_id: Type.Integer(), type: Type.String() }, { title: 'SearchedField' }),
      ),
      terms: Type.Integer(),
      estimated_matches: Type.Integer({
        description: 'The number of rows that the database estimates, rounded up to a power of ten.',
      }),
      estimated_cost: Type.Number({
        description: 'The cost in database units, rounded up to a power of ten, for comparison with other queries.',
      }),
      uses: Type.Array(Type.String(), { description: 'The indexes in use.' }),
      ignored: Type.Array(Type.String()),
      warnings: Type.Array(Type.String()),
    }),
  },
  { title: 'Explanation' },
)

/** Describes the plan of a search without running it. */
export async function explainSearch(db: Db | Tx, accesses: readonly TrackerAccess[], search: ReadSearch) {
  const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
    explain (format json) ${fittingSql(accesses, search)}`.execute(db)
  const plan = planIn(rows[0]?.['QUERY PLAN'])
  const budget = budgetOf(search.condition, search.asOf)
  const fields = search.said?.bound.fields ?? search.criteria?.fields ?? []
  return {
    explain: {
      normalized: search.said ? printQuery(search.said.query) : JSON.stringify(search.criteria?.given ?? {}),
      fields: [...fields].map(({ id, name, type }) => ({ name, field_id: id, type })),
      terms: search.said?.bound.terms ?? fields.length,
      estimated_matches: magnitude(plan['Plan Rows']),
      estimated_cost: magnitude(plan['Total Cost']),
      uses: [...new Set(indexesIn(plan).map((node) => useOf(node, accesses)))].toSorted(),
      ignored: [...search.ignored],
      warnings: [
        ...(search.said?.bound.warnings ?? []),
        ...(budget ? [`no index serves ${LIMITS[budget.cause]}: refused after ${budget.milliseconds / 1000} s`] : []),
      ],
    },
  }
}

const LIMITS = {
  regular_expression: 'a regular expression',
  short_text: 'a text of fewer than three letters',
  as_of: 'a question about the past',
} as const

/** Estimates come from statistics over all rows, including hidden ones; show only the order of magnitude. */
function magnitude(estimate: unknown): number {
  const number = Number(estimate ?? 0)
  return number > 1 ? 10 ** Math.ceil(Math.log10(number)) : 1
}

type Plan = Readonly<Record<string, unknown>>

function planIn(answer: unknown): Plan {
  const [first]: unknown[] = Array.isArray(answer) ? answer : []
  const plan = isRecord(first) ? first['Plan'] : undefined
  return isRecord(plan) ? plan : {}
}

function indexesIn(plan: Plan): Plan[] {
  const below = Array.isArray(plan['Plans']) ? plan['Plans'].filter(isRecord) : []
  return ['Index Name' in plan ? [plan] : [], below.flatMap(indexesIn)].flat()
}

const NAMES: Readonly<Record<string, string>> = {
  artifact_words_parts: 'words',
  changeset_comment_parts: 'comments',
  changeset_comments: 'comments',
  artifact_link_pkey: 'links',
  artifact_link_to: 'links',
  artifact_made: 'submitted_on',
}

/** Describes an index in terms of the tracker: a value index is named by the field in its condition. */
function useOf(node: Plan, accesses: readonly TrackerAccess[]): string {
  const condition = node['Index Cond']
  const [, field] = (typeof condition === 'string' ? /field_id = '?(\d+)/.exec(condition) : null) ?? []
  const element = accesses.flatMap(({ tracker }) => tracker.elements).find(({ id }) => String(id) === field)
  return `index:${element?.name ?? NAMES[String(node['Index Name'])] ?? 'id'}`
}
