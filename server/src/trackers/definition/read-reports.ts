import { readReport } from '../reports/read-report.ts'
import type { Report } from '../tracker.ts'
import { pointer } from './problems.ts'
import { resolveElement, type DefinitionForm, type DefinitionContext } from './definition-context.ts'
import type { ReportDocument } from './schemas.ts'

/** The public reports of a tracker. A report keeps its id as long as its label is unchanged. */
export function readReports(
  given: readonly ReportDocument[],
  form: DefinitionForm,
  reading: DefinitionContext,
): Report[] {
  const { problems, stored } = reading
  const taken = new Set<Report['id']>()
  const defaults = given.flatMap((each, at) => (each.default === true ? [at] : []))
  for (const at of defaults.slice(1))
    problems.add(pointer('/reports', at, 'default'), 'duplicate_entry', { rule: 'unique' })
  return given.map((each, at) => {
    const path = pointer('/reports', at)
    // A private report belongs to an account, so a definition cannot contain one.
    if (each.public === false)
      problems.add(pointer(path, 'public'), 'parameter_not_allowed', { rule: 'one_of', allowed: [true] })
    const known = stored?.reports.find(({ id, label }) => label === each.label.trim() && !taken.has(id))
    const report = readReport(each, path, known, {
      problems,
      find: (name, place, isFit) => resolveElement(name, place, form, reading, isFit),
      newId: (kind) => reading.newId(kind),
    })
    taken.add(report.id)
    return report
  })
}
