import { type Answer, bodyOf } from '@waypost/sdk/answer'
import type { Artifact, TrackerField } from '@waypost/sdk/api'
import { queryOf } from '@waypost/sdk'
import { api } from '../api.ts'
import type { Source } from './row-loader.ts'

const PAGE = 100

export interface TableView {
  readonly tracker: number
  /** A text of the query language. */
  readonly query: string
  readonly columns: readonly TrackerField[]
}

/** What the cells need, and no more. */
export function fieldsOf(columns: readonly TrackerField[]): string {
  return ['id', 'xref', 'title', ...columns.map(({ name }) => `values.${name}`)].join()
}

/** The question of the table, as the API takes it: the newest first, unless the query says otherwise. */
export function questionOf({ query, columns }: TableView) {
  return { ...(query !== '' && { expert_query: query }), order: 'desc' as const, fields: fieldsOf(columns) }
}

export function sourceOf(view: TableView): Source {
  const question = questionOf(view)
  const { tracker } = view
  return {
    tracker,
    page: PAGE,
    live: { tracker, ...question },
    async read(offset, limit, signal): Promise<Answer<Artifact[]>> {
      const query = { ...question, limit, offset }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: tracker }, query, signal })
      // `EXPLAIN` answers how, and not what.
      return answer.ok ? { ...answer, body: Array.isArray(answer.body) ? answer.body : [] } : answer
    },
    async *ids() {
      const query = { ...question, fields: 'id', limit: 1_000 }
      for await (const page of api.pages('GET /trackers/{id}/artifacts', { path: { id: tracker }, query }))
        yield bodyOf(page).map(({ id }) => id)
    },
  }
}

const PAGE_OF_REPORT = 50

/** The rows of a report whose question is not known. */
export function reportSourceOf(tracker: number, report: number, columns: readonly TrackerField[]): Source {
  const fields = fieldsOf(columns)
  return {
    tracker,
    page: PAGE_OF_REPORT,
    live: undefined,
    async read(offset, limit, signal): Promise<Answer<Artifact[]>> {
      const query = { fields, limit, offset }
      const answer = await api.call('GET /tracker_reports/{id}/artifacts', { path: { id: report }, query, signal })
      return answer.ok ? { ...answer, body: answer.body.filter(isArtifact) } : answer
    },
    async *ids() {
      const query = { fields: 'id', limit: PAGE_OF_REPORT }
      for await (const page of api.pages('GET /tracker_reports/{id}/artifacts', { path: { id: report }, query }))
        yield bodyOf(page).flatMap(({ id }) => (typeof id === 'number' ? [id] : []))
    },
  }
}

/** Flat rows are only for those who ask for them. */
function isArtifact(row: Artifact | Record<string, unknown>): row is Artifact {
  return 'xref' in row
}

export function reportExportPath(report: number, columns: readonly TrackerField[]): string {
  return `/tracker_reports/${report}/artifacts.csv${queryOf({ fields: csvFieldsOf(columns), bom: true })}`
}

function csvFieldsOf(columns: readonly TrackerField[]): string[] {
  return ['id', ...columns.map(({ name }) => `values.${name}`)]
}

export function exportPath(view: TableView): string {
  const question = { ...questionOf(view), fields: csvFieldsOf(view.columns), bom: true }
  return `/trackers/${view.tracker}/artifacts.csv${queryOf(question)}`
}
