import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Reason } from '../../platform/words/reasons.ts'
import { createProblems } from '../definition/problems.ts'
import type { ReportDocument } from '../definition/schemas.ts'
import type { Sight } from '../sight.ts'
import { newPartIds } from '../store-tracker.ts'
import type { Report } from '../tracker.ts'
import { readReport } from './read-report.ts'

const MOST = 1000

interface Accepting {
  readonly isPublic: boolean
  /** The one that it is to become of; absent: a new one. */
  readonly known?: Report
}

/** The report that a request describes, with ids for what is new; else all that is wrong with it is told. */
export async function acceptReport(
  tx: Tx,
  sight: Sight,
  given: ReportDocument,
  { isPublic, known }: Accepting,
): Promise<Report> {
  if (given.default === true && !isPublic) throw new ApiError('parameter_conflict', { path: 'default' })
  const needs = { report: 0, renderer: 0 }
  read(given, sight, isPublic, known, (kind) => ++needs[kind])
  const ids = {
    report: await newPartIds(tx, sight.tracker, 'report', needs.report),
    renderer: await newPartIds(tx, sight.tracker, 'renderer', needs.renderer),
  }
  return read(given, sight, isPublic, known, (kind) => ids[kind].shift() ?? 0)
}

/** Nobody needs as many, and each of them is read with the list. */
export function requireRoom(reports: readonly Report[]): void {
  if (reports.length >= MOST) throw new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MOST } })
}

function read(
  given: ReportDocument,
  { tracker, readable }: Sight,
  isPublic: boolean,
  known: Report | undefined,
  newId: (kind: 'report' | 'renderer') => number,
): Report {
  const problems = createProblems()
  // Who administers the tracker knows all of its fields; others name those that they may read.
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

/** `/criteria/0/field` -> `criteria[0].field`, as bodies are pointed into. */
function pathOf(pointer: string): string {
  return pointer
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')
}
