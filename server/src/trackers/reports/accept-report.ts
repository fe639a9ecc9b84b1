import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Reason } from '../../platform/messages/reasons.ts'
import { createDefinitionProblems } from '../definition/problems.ts'
import type { ReportDocument } from '../definition/schemas.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import { newPartIds } from '../store-tracker.ts'
import type { Report } from '../tracker.ts'
import { readReport } from './read-report.ts'

const MAX_REPORTS = 1000

interface Accepting {
  readonly isPublic: boolean
  /** The report to update; absent: a new one. */
  readonly known?: Report
}

/** Parses the report of a request, with ids for new parts; throws an error with all problems. */
export async function acceptReport(
  tx: Tx,
  access: TrackerAccess,
  given: ReportDocument,
  { isPublic, known }: Accepting,
): Promise<Report> {
  if (given.default === true && !isPublic) throw new ApiError('parameter_conflict', { path: 'default' })
  const needs = { report: 0, renderer: 0 }
  read(given, access, isPublic, known, (kind) => ++needs[kind])
  const ids = {
    report: await newPartIds(tx, access.tracker, 'report', needs.report),
    renderer: await newPartIds(tx, access.tracker, 'renderer', needs.renderer),
  }
  return read(given, access, isPublic, known, (kind) => ids[kind].shift() ?? 0)
}

/** Limited because every report is loaded with the list. */
export function requireReportLimit(reports: readonly Report[]): void {
  if (reports.length >= MAX_REPORTS)
    throw new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MAX_REPORTS } })
}

function read(
  given: ReportDocument,
  { tracker, readable }: TrackerAccess,
  isPublic: boolean,
  known: Report | undefined,
  newId: (kind: 'report' | 'renderer') => number,
): Report {
  const problems = createDefinitionProblems()
  // Administrators of the tracker may use all fields, others only those they may read.
  const fields = isPublic ? tracker.elements.filter(({ is_used }) => is_used) : readable
  const report = readReport(given, '', known, {
    problems,
    find(name, path, isFit) {
      const field = fields.find((each) => each.name === name)
      if (field && isFit(field)) return field
      if (field)
        problems.add(path, 'parameter_not_allowed', {
          rule: 'one_of',
          allowed: fields.filter(isFit).map((each) => each.name),
        })
      else problems.add(path, 'reference_unknown', { rule: 'exists' })
      return undefined
    },
    newId,
  })
  const all = problems.all.map((each) => ({ ...each, path: pathOf(each.path) }))
  const [first] = all
  if (!first) return report
  const { reason, ...details } = first
  throw new ApiError<Reason>(reason, { ...details, ...(all.length > 1 && { all }) })
}

/** `/criteria/0/field` -> `criteria[0].field`, the path format of body errors. */
function pathOf(pointer: string): string {
  return pointer
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')
}
