import { useQuery } from '@tanstack/react-query'
import type { ReportOfWidget, Widget } from '@waypost/sdk/api'
import { useMemo } from 'react'
import { findChartField } from '../charts/chart-fields.ts'
import { coloredValues } from '../charts/colored-values.ts'
import type { ChartSpan } from '../charts/charts-search.ts'
import { countsQuery, timeSeriesQuery } from '../charts/count-queries.ts'
import { LineChart } from '../charts/line-chart.tsx'
import { barsByGroup, timeSeriesByGroup } from '../charts/time-series.ts'
import { ValueBars } from '../charts/value-bars.tsx'
import { Empty, Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { reportQuery, viewOfReport } from '../trackers/reports-query.ts'
import { splitOrder } from '../trackers/tql/order.ts'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { text } from './messages.ts'

interface ChartProps {
  readonly label: string
  readonly report: ReportOfWidget
  readonly by: string
}

interface Props extends ChartProps {
  /** Null: the current counts. */
  readonly span: Widget['span']
}

/** The artifacts of a report, counted by a field: now, or over time. */
export function ChartWidget({ span, ...chart }: Props) {
  return span === null ? <CurrentCounts {...chart} /> : <CountsOverTime {...chart} span={span} />
}

function CurrentCounts({ label, report, by }: ChartProps) {
  const { order, rows } = useCountedField(report, by)
  const { data, error, refetch } = useQuery(countsQuery(report.tracker.id, { by, report: report.id }))
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data || !order) return <Loading />
  if (data.total === 0) return <Empty>{text('dashboard.no_artifacts')}</Empty>
  return <ValueBars label={label} bars={barsByGroup(data, order)} rows={rows} />
}

function CountsOverTime({ label, report, by, span }: ChartProps & { readonly span: ChartSpan }) {
  const { order, rows } = useCountedField(report, by)
  const { data, error, refetch } = useQuery(timeSeriesQuery(report.tracker.id, { by, report: report.id }, span))
  const course = useMemo(() => data && order && timeSeriesByGroup(data, order), [data, order])
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!course) return <Loading />
  if (course.lines.length === 0) return <Empty>{text('charts.nothing')}</Empty>
  return <LineChart label={label} course={course} isStacked rows={rows} />
}

/** The values of the field in their order and colours, undefined while the tracker is loading, and the counted rows. */
function useCountedField({ id, tracker: { id: trackerId } }: ReportOfWidget, by: string) {
  const { data: tracker, isPending } = useQuery(trackerQuery(trackerId))
  const { data: report } = useQuery(reportQuery(id))
  return useMemo(() => {
    if (isPending) return {}
    const field = tracker && findChartField(tracker, by)
    if (!field) return { order: [] }
    const { query } = viewOfReport(report)
    // Without its query, the rows of the report have no address with another condition.
    const rows = query === undefined ? undefined : { tracker: trackerId, where: splitOrder(query).where, field }
    return { order: coloredValues(field), rows }
  }, [tracker, isPending, report, by])
}
