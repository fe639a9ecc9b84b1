import type { Report } from '../tracker.ts'

/** The public reports with this one replaced or appended. At most one is the default. */
export function withReport(reports: readonly Report[], report: Report): Report[] {
  const others = report.is_default ? reports.map((each) => ({ ...each, is_default: false })) : reports
  const isKnown = reports.some(({ id }) => id === report.id)
  return isKnown ? others.map((each) => (each.id === report.id ? report : each)) : [...others, report]
}

export function withoutReport(reports: readonly Report[], { id }: Pick<Report, 'id'>): Report[] {
  return reports.filter((each) => each.id !== id)
}
