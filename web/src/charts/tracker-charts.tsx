import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Tracker } from '@waypost/sdk/api'
import { type ReactNode, useMemo } from 'react'
import { failureOf } from '../api.ts'
import type { SnippetCall } from '../design/api-snippets.tsx'
import { ChoiceMenu } from '../design/choice-menu.tsx'
import { Empty, Loading, Panel } from '../design/page.tsx'
import { RefusalNotice } from '../design/refusal.tsx'
import type { SumScale } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { FilterBar } from '../trackers/filter-bar.tsx'
import { MoreMenu } from '../trackers/more-menu.tsx'
import { splitOrder } from '../trackers/tql/order.ts'
import { text } from '../board/messages.ts'
import { BarChart } from './bar-chart.tsx'
import styles from './charts.module.css'
import { coloredValues } from './colored-values.ts'
import { chartFields } from './chart-fields.ts'
import { CHART_FORMS, type ChartsSearch, CHART_SPANS, type ChartSpan } from './charts-search.ts'
import { countsQuery, timeSeriesParameters, timeSeriesQuery, type CountQuestion } from './count-queries.ts'
import { LineChart } from './line-chart.tsx'
import type { CountedRows } from './rows-link.tsx'
import { barsByGroup, burnDown, type TimeSeries, timeSeriesByGroup, workloadBars } from './time-series.ts'
import { ValueBars } from './value-bars.tsx'

/** Charts of a tracker, from its history. */
export function TrackerCharts({ tracker }: { tracker: Tracker }) {
  const { q = '', span = 'month', sum, by, as } = useSearch({ from: '/shell/trackers/$id/charts' })
  const navigate = useNavigate({ from: '/trackers/$id/charts' })
  const change = (next: ChartsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  // Counts ignore the order of the query.
  const { where } = splitOrder(q)
  const { status, contributor } = tracker.semantics
  const statusField = tracker.fields.find(({ field_id }) => field_id === status?.field_id)
  const offered = chartFields(tracker)
  const counted = offered.find(({ name }) => name === by) ?? statusField
  const peopleField = tracker.fields.find(({ field_id }) => field_id === contributor?.field_id)
  const numbers = tracker.fields.filter((field) => fieldType(field).isSummable)
  const added = numbers.find(({ name }) => name === sum)
  const filter = where === '' ? {} : { expert_query: where }
  const course: CountQuestion = { by: counted?.name ?? '', ...filter }
  const burn: CountQuestion = { by: 'is_open', ...filter, ...(added && { sum: added.name }) }
  const people: CountQuestion = { by: '@assigned_to,is_open', ...filter }
  const overTime = useQuery({ ...timeSeriesQuery(tracker.id, course, span), enabled: counted !== undefined })
  const current = useQuery({ ...countsQuery(tracker.id, course), enabled: counted !== undefined })
  const left = useQuery({ ...timeSeriesQuery(tracker.id, burn, span), enabled: statusField !== undefined })
  const byPerson = useQuery({ ...countsQuery(tracker.id, people), enabled: contributor?.field_id !== undefined })
  const order = useMemo(() => (counted ? coloredValues(counted) : []), [counted])
  const valueCourse = useMemo(() => overTime.data && timeSeriesByGroup(overTime.data, order), [overTime.data, order])
  const countedRows = counted && { tracker: tracker.id, where, field: counted }
  // Areas of a list with several values would add up to more than there are artifacts.
  const usualForm = counted && fieldType(counted).list !== 'one' ? 'lines' : 'area'
  const form = as ?? usualForm
  const title = counted ? text('charts.over_time', { field: counted.label }) : text('charts.status_title')
  const nowTitle = text('charts.now', { field: counted?.label ?? '' })
  const leftCourse = useMemo(() => left.data && burnDown(left.data, added?.name), [left.data, added])
  const failure = [overTime, current, left, byPerson]
    .map(({ error }) => failureOf(error))
    .find((each) => each?.status === 400)
  return (
    <>
      <FilterBar tracker={tracker} query={q} failure={failure} onChange={(next) => change({ q: next || undefined })}>
        <ChoiceMenu
          label={text('charts.span')}
          isQuiet
          value={span}
          options={CHART_SPANS.map((value) => ({ value, label: text(`charts.span.${value}`) }))}
          onChange={(next) => change({ span: next })}
        />
        {offered.length > 0 && (
          <ChoiceMenu
            label={text('charts.by')}
            isQuiet
            value={counted?.name ?? ''}
            options={offered.map(({ name, label }) => ({ value: name, label }))}
            onChange={(name) => change({ by: name === statusField?.name ? undefined : name })}
          />
        )}
        <ChoiceMenu
          label={text('charts.as')}
          isQuiet
          value={form}
          options={CHART_FORMS.map((value) => ({ value, label: text(`charts.as.${value}`) }))}
          onChange={(next) => change({ as: next === usualForm ? undefined : next })}
        />
        <ChoiceMenu
          label={text('charts.measure')}
          isQuiet
          value={added?.name ?? ''}
          options={[
            { value: '', label: text('charts.count') },
            ...numbers.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(next) => change({ sum: next || undefined })}
        />
        <MoreMenu calls={callsOf(tracker, { burn, course, people }, span, title)} />
      </FilterBar>
      <div className={styles['charts']}>
        <Chart title={text('charts.left_title')} asked={left} isPossible={statusField !== undefined}>
          {leftCourse && (
            <Lines label={text('charts.left_title')} course={leftCourse} scale={added && fieldType(added).sumScale} />
          )}
        </Chart>
        <Chart title={title} asked={overTime} isPossible={counted !== undefined}>
          {valueCourse && <Lines label={title} course={valueCourse} isStacked={form === 'area'} rows={countedRows} />}
        </Chart>
        {counted && (
          <Chart title={nowTitle} asked={current} isPossible>
            {current.data && <ValueBars label={nowTitle} bars={barsByGroup(current.data, order)} rows={countedRows} />}
          </Chart>
        )}
        <Chart title={text('charts.people_title')} asked={byPerson} isPossible={contributor?.field_id !== undefined}>
          {byPerson.data && (
            <BarChart
              label={text('charts.people_title')}
              bars={workloadBars(byPerson.data)}
              rows={peopleField && { tracker: tracker.id, where, field: peopleField }}
            />
          )}
        </Chart>
      </div>
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

interface LinesProps {
  label: string
  course: TimeSeries
  scale?: SumScale | undefined
  isStacked?: boolean
  rows?: CountedRows | undefined
}

function Lines(props: LinesProps) {
  const { course } = props
  if (course.lines.every(({ values }) => values.every((value) => value === 0)))
    return <Empty>{text('charts.nothing')}</Empty>
  return <LineChart {...props} />
}

function callsOf(
  tracker: Tracker,
  { burn, course, people }: Record<'burn' | 'course' | 'people', CountQuestion>,
  span: ChartSpan,
  title: string,
): readonly SnippetCall[] {
  const call = (label: string, query: SnippetCall['query']): SnippetCall => ({
    label,
    operation: 'GET /trackers/{id}/artifacts/groups',
    path: { id: tracker.id },
    ...(query && { query }),
  })
  return [
    call(text('charts.left_title'), { ...timeSeriesParameters(burn, span) }),
    call(title, { ...timeSeriesParameters(course, span) }),
    call(text('charts.people_title'), { ...people }),
  ]
}
