import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReportOfWidget } from '@waypost/sdk/api'
import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { findChartField } from '../charts/chart-fields.ts'
import { timeSeriesQuery } from '../charts/count-queries.ts'
import { Sparkline } from '../charts/sparkline.tsx'
import { Icon } from '../design/icon.tsx'
import { Loading } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import { formatNumber } from '../messages/format-number.ts'
import { locale } from '../messages/language.ts'
import { trackerQuery } from '../trackers/tracker-query.ts'
import styles from './dashboard.module.css'
import { reportRowsQuery } from './dashboard-queries.ts'
import { text } from './messages.ts'
import { changeInDays } from './trend.ts'

const TREND_DAYS = 7
const STATUS = '@status'

const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })

interface Props {
  readonly report: ReportOfWidget
}

/** How many artifacts of a report the viewer may see, and how that has changed. */
export function CountWidget({ report }: Props) {
  const { data, error, refetch } = useQuery(reportRowsQuery(report.id, [], 0))
  const counts = useDailyCounts(report)
  if (error) return <RefusalNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <div className={styles['count']}>
      <p className={styles['number']}>
        <Link to="/trackers/$id" params={{ id: String(report.tracker.id) }} search={{ report: report.id }}>
          {formatNumber(data.size)}
        </Link>
        <span>{text('dashboard.in_tracker', { count: data.size, tracker: report.tracker.label })}</span>
      </p>
      {counts && <Trend change={changeInDays([...counts.slice(0, -1), data.size], TREND_DAYS)} />}
      {counts && <Sparkline values={counts} />}
    </div>
  )
}

function Trend({ change }: { readonly change: number | undefined }) {
  if (change === undefined) return null
  const icon = change === 0 ? Minus : change > 0 ? TrendingUp : TrendingDown
  return (
    <p className={styles['trend']}>
      <Icon of={icon} size={14} />
      {change === 0
        ? text('dashboard.trend.same', { days: TREND_DAYS })
        : text('dashboard.trend', { change: signed.format(change).replace('-', '−'), days: TREND_DAYS })}
    </p>
  )
}

/** The number of artifacts at the end of each day, undefined if the tracker has no status to count by. */
function useDailyCounts({ id, tracker: { id: trackerId } }: ReportOfWidget): readonly number[] | undefined {
  const { data: tracker } = useQuery(trackerQuery(trackerId))
  const hasStatus = tracker ? findChartField(tracker, STATUS) !== undefined : false
  // A chart of the same report has asked the same.
  const { data } = useQuery({
    ...timeSeriesQuery(trackerId, { by: STATUS, report: id }, 'month'),
    enabled: hasStatus,
  })
  return data?.series.map(({ total }) => total)
}
