import { type Answer, bodyOf } from '@waypost/sdk/answer'
import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { toQueryString } from '@waypost/sdk'
import { api } from '../api.ts'
import { isArtifact } from './is-artifact.ts'
import type { RowSource } from './row-loader.ts'

const PAGE_SIZE = 100

export interface TableQuery {
  readonly tracker: number
  /** A TQL query. */
  readonly query: string
  readonly columns: readonly TrackerField[]
}

/** Only the members that the cells need. */
export function columnFields(columns: readonly TrackerField[]): string {
  return ['id', 'xref', 'title', 'is_open', ...columns.map(({ name }) => `values.${name}`)].join()
}

/** The query parameters of the table: newest first, unless the query has an order. */
export function tableQuestion({ query, columns }: TableQuery) {
  return { ...(query !== '' && { expert_query: query }), order: 'desc' as const, fields: columnFields(columns) }
}

/** Reads consecutive rows of the table. */
export async function readRows(
  view: TableQuery,
  range: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<Answer<Artifact[]>> {
  const query = { ...tableQuestion(view), ...range }
  const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: view.tracker }, query, signal })
  // `EXPLAIN` returns a plan instead of rows.
  return answer.ok ? { ...answer, body: Array.isArray(answer.body) ? answer.body : [] } : answer
}

export function tableSource(view: TableQuery): RowSource {
  const question = tableQuestion(view)
  const { tracker } = view
  return {
    tracker,
    page: PAGE_SIZE,
    live: { tracker, ...question },
    read: (offset, limit, signal) => readRows(view, { offset, limit }, signal),
    async *ids() {
      const query = { ...question, fields: 'id', limit: 1_000 }
      for await (const page of api.pages('GET /trackers/{id}/artifacts', { path: { id: tracker }, query }))
        yield bodyOf(page).map(({ id }) => id)
    },
  }
}

const REPORT_PAGE_SIZE = 50

/** The rows of a report whose criteria are not known. */
export function reportSource(tracker: number, report: number, columns: readonly TrackerField[]): RowSource {
  const fields = columnFields(columns)
  return {
    tracker,
    page: REPORT_PAGE_SIZE,
    live: undefined,
    async read(offset, limit, signal): Promise<Answer<Artifact[]>> {
      const query = { fields, limit, offset }
      const answer = await api.call('GET /tracker_reports/{id}/artifacts', { path: { id: report }, query, signal })
      return answer.ok ? { ...answer, body: answer.body.filter(isArtifact) } : answer
    },
    async *ids() {
      const query = { fields: 'id', limit: REPORT_PAGE_SIZE }
      for await (const page of api.pages('GET /tracker_reports/{id}/artifacts', { path: { id: report }, query }))
        yield bodyOf(page).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
    },
  }
}

export function reportExportPath(report: number, columns: readonly TrackerField[]): string {
  return `/tracker_reports/${report}/artifacts.csv${toQueryString({ fields: csvFieldsOf(columns), bom: true })}`
}

function csvFieldsOf(columns: readonly TrackerField[]): string[] {
  return ['id', ...columns.map(({ name }) => `values.${name}`)]
}

export function exportPath(view: TableQuery): string {
  const question = { ...tableQuestion(view), fields: csvFieldsOf(view.columns), bom: true }
  return `/trackers/${view.tracker}/artifacts.csv${toQueryString(question)}`
}
