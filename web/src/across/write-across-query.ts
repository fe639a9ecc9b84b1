import { quoted } from '../trackers/tql/tokens.ts'
import { type AcrossOrder, type AcrossSearch, type AcrossShow, namesIn, USUAL_COLUMNS } from './across-search.ts'

const SHOWN: Readonly<Record<AcrossShow, string>> = {
  open: '@status = OPEN()',
  mine: '@status = OPEN() AND @assigned_to = MYSELF()',
  all: '@id > 0',
}

const ORDERS: Readonly<Record<AcrossOrder, string>> = {
  changed: '@last_update_date DESC',
  created: '@submitted_on DESC',
  title: '@title',
}

export function columnsOf({ columns }: AcrossSearch): readonly string[] {
  const named = namesIn(columns)
  return named.length > 0 ? named : USUAL_COLUMNS
}

/** The report as a query over many trackers. */
export function writeAcrossQuery(search: AcrossSearch): string {
  const { project, show = 'open', where, order = 'changed' } = search
  const trackers = namesIn(search.trackers)
  const sources = [
    project === undefined ? '@project = MY_PROJECTS()' : `@project.name = ${quoted(project)}`,
    ...(trackers.length > 0 ? [`@tracker.name IN (${trackers.map(quoted).join(', ')})`] : []),
  ]
  const conditions = [SHOWN[show], ...(where === undefined ? [] : [`(${where})`])]
  return `SELECT ${columnsOf(search).join(', ')} FROM ${sources.join(' AND ')} WHERE ${conditions.join(' AND ')} ORDER BY ${ORDERS[order]}`
}
