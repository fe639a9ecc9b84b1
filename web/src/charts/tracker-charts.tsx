import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Tracker } from '@waypost/sdk/api'
import { type ReactNode, useMemo } from 'react'
import { failureOf } from '../api.ts'
import { ApiCalls, type SnippetCall } from '../design/api-snippets.tsx'
import { SelectField } from '../design/field.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import type { SumScale } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { FilterBar } from '../trackers/filter-bar.tsx'
import { splitOrder } from '../trackers/tql/order.ts'
import { text } from '../board/messages.ts'
import { BarChart } from './bar-chart.tsx'
import styles from './charts.module.css'
import { coloredValues } from './colored-values.ts'
import { type ChartsSearch, CHART_SPANS, type ChartSpan } from './charts-search.ts'
import { countsQuery, timeSeriesParameters, timeSeriesQuery, type CountQuestion } from './count-queries.ts'
import { LineChart } from './line-chart.tsx'
import { workloadBars, burnDown, type TimeSeries, timeSeriesByGroup } from './time-series.ts'

/** Charts of a tracker, from its history. */
export function TrackerCharts({ tracker }: { tracker: Tracker }) {
  const { q = '', span = 'month', sum } = useSearch({ from: '/shell/trackers/$id/charts' })
  const navigate = useNavigate({ from: '/trackers/$id/charts' })
  const change = (next: ChartsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  // Counts ignore the order of the query.
  const { where } = splitOrder(q)
  const { status, contributor } = tracker.semantics
  const statusField = tracker.fields.find(({ field_id }) => field_id === status?.field_id)
  const numbers = tracker.fields.filter((field) => fieldType(field).isSummable)
  const added = numbers.find(({ name }) => name === sum)
  const filter = where === '' ? {} : { expert_query: where }
  const course: CountQuestion = { by: statusField?.name ?? '', ...filter }
  const burn: CountQuestion = { by: 'is_open', ...filter, ...(added && { sum: added.name }) }
  const people: CountQuestion = { by: '@assigned_to,is_open', ...filter }
  const byStatus = useQuery({ ...timeSeriesQuery(tracker.id, course, span), enabled: statusField !== undefined })
  const left = useQuery({ ...timeSeriesQuery(tracker.id, burn, span), enabled: statusField !== undefined })
  const byPerson = useQuery({ ...countsQuery(tracker.id, people), enabled: contributor?.field_id !== undefined })
  const order = statusField ? coloredValues(statusField) : []
  const statusCourse = useMemo(() => byStatus.data && timeSeriesByGroup(byStatus.data, order), [byStatus.data])
  const leftCourse = useMemo(() => left.data && burnDown(left.data, added?.name), [left.data, added])
  const failure = [byStatus, left, byPerson].map(({ error }) => failureOf(error)).find((each) => each?.status === 400)
  return (
    <>
      <FilterBar tracker={tracker} query={q} failure={failure} onChange={(next) => change({ q: next || undefined })} />
      <div className={styles['choose']}>
        <SelectField
          label={text('charts.span')}
          value={span}
          options={CHART_SPANS.map((value) => ({ value, label: text(`charts.span.${value}`) }))}
          onChange={(next) => change({ span: next })}
        />
        <SelectField
          label={text('charts.measure')}
          value={added?.name ?? ''}
          options={[
            { value: '', label: text('charts.count') },
            ...numbers.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(next) => change({ sum: next || undefined })}
        />
      </div>
      <Chart title={text('charts.left_title')} asked={left} isPossible={statusField !== undefined}>
        {leftCourse && (
          <Lines label={text('charts.left_title')} course={leftCourse} scale={added && fieldType(added).sumScale} />
        )}
      </Chart>
      <Chart title={text('charts.status_title')} asked={byStatus} isPossible={statusField !== undefined}>
        {statusCourse && <Lines label={text('charts.status_title')} course={statusCourse} />}
      </Chart>
      <Chart title={text('charts.people_title')} asked={byPerson} isPossible={contributor?.field_id !== undefined}>
        {byPerson.data && <BarChart label={text('charts.people_title')} bars={workloadBars(byPerson.data)} />}
      </Chart>
      <ApiCalls calls={callsOf(tracker, { burn, course, people }, span)} />
    </>
  )
}

interface ChartProps {
  title: string
  asked: Pick<UseQueryResult, 'error' | 'data' | 'refetch'>
  isPossible: boolean
  children: ReactNode
}

function Chart({ title, asked: { error, data, refetch }, isPossible, children }: ChartProps) {
  return (
    <Panel title={title}>
      {isPossible ? (
        <>
          {error && <RefusalNotice error={error} onRetry={() => void refetch()} />}
          {!error && data === undefined && <Loading />}
          {children}
        </>
      ) : (
        <Empty>{text('charts.no_semantics')}</Empty>
      )}
    </Panel>
  )
}

function Lines({ label, course, scale }: { label: string; course: TimeSeries; scale?: SumScale | undefined }) {
  if (course.lines.every(({ values }) => values.every((value) => value === 0)))
    return <Empty>{text('charts.nothing')}</Empty>
  return <LineChart label={label} course={course} scale={scale} />
}

function callsOf(
  tracker: Tracker,
  { burn, course, people }: Record<'burn' | 'course' | 'people', CountQuestion>,
  span: ChartSpan,
): readonly SnippetCall[] {
  const call = (label: string, query: SnippetCall['query']): SnippetCall => ({
    label,
    operation: 'GET /trackers/{id}/artifacts/groups',
    path: { id: tracker.id },
    ...(query && { query }),
  })
  return [
    call(text('charts.left_title'), { ...timeSeriesParameters(burn, span) }),
    call(text('charts.status_title'), { ...timeSeriesParameters(course, span) }),
    call(text('charts.people_title'), { ...people }),
  ]
}
