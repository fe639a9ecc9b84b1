import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { GroupCountSeries, Tracker } from '@waypost/sdk/api'
import { countsQuery, timeSeriesQuery } from '../charts/count-queries.ts'
import { coloredValues } from '../charts/colored-values.ts'
import type { Hue } from '../design/hue.ts'
import { dueField } from '../field-types/due.tsx'
import { trackerQuery } from '../trackers/tracker-query.ts'
import { openCountsQuery, trackersQuery } from './projects-queries.ts'

/** Trackers after these show only how many artifacts are open. */
const MAX_DETAILED_TRACKERS = 12
/** Counts over time read every version of a tracker: too much for a page that is opened often. */
const MAX_ARTIFACTS_FOR_HISTORY = 2_000
const DAYS = 7

export interface TrackerHealth {
  readonly open: number
  readonly total: number
  /** Absent: the tracker has no due date. Null: not counted yet. */
  readonly overdue?: { readonly count: number; readonly q: string } | null
  /** Absent: not counted. Null: not counted yet. */
  readonly closedLately?: number | null
  /** The open artifacts at the end of each of the last thirty days. */
  readonly openByDay?: readonly number[]
  /** The open artifacts of each status, in its order. Null: not counted yet. */
  readonly statuses: readonly StatusCount[] | null
}

export interface StatusCount {
  readonly label: string
  readonly hue: Hue
  readonly count: number
}

/** The definitions of the trackers of a project, as far as they are loaded. */
export function useDefinitions(project: number): readonly Tracker[] {
  return useDefinitionQueries(project).flatMap(({ data }) => data ?? [])
}

function useDefinitionQueries(project: number) {
  const { data: trackers = [] } = useQuery(trackersQuery(project))
  return useQueries({
    queries: trackers.slice(0, MAX_DETAILED_TRACKERS).map(({ id }) => ({ ...trackerQuery(id), staleTime: 60_000 })),
  })
}

interface ProjectHealth {
  /** How much of each tracker is open, late and closed lately, by its id. Absent: not counted. */
  readonly trackers: ReadonlyMap<number, TrackerHealth>
  /** All trackers are counted, or cannot be. */
  readonly isCounted: boolean
}

export function useHealth(project: number): ProjectHealth {
  const { data: trackers = [] } = useQuery(trackersQuery(project))
  const definitionQueries = useDefinitionQueries(project)
  const definitions = definitionQueries.flatMap(({ data }) => data ?? [])
  const counts = useQueries({ queries: trackers.map(({ id }) => openCountsQuery(id)) })
  const isCounted = trackers.length > 0 && counts.every(({ isPending }) => !isPending)
  const small = trackers.filter((_, at) => {
    const total = counts[at]?.data?.total
    return total !== undefined && total <= MAX_ARTIFACTS_FOR_HISTORY
  })
  const { data: courses, isPending: isReadingHistory } = useQuery({
    ...coursesQuery(small.slice(0, MAX_DETAILED_TRACKERS).map(({ id }) => id)),
    enabled: isCounted,
  })
  const overdue = useQueries({ queries: definitions.map(overdueQuery) })
  const statuses = useQueries({
    queries: definitions.map((tracker) => ({
      ...countsQuery(tracker.id, { by: '@status' }),
      enabled: statusField(tracker) !== undefined,
    })),
  })
  const health = trackers.flatMap(({ id }, place): [number, TrackerHealth][] => {
    const found = counts[place]?.data
    if (!found) return []
    const isDefining = definitionQueries[place]?.isPending === true
    const at = definitions.findIndex((each) => each.id === id)
    const late = overdue[at]
    const course = courses?.get(id)
    return [
      [
        id,
        {
          ...found,
          ...(isDefining || late?.isPending ? { overdue: null } : late?.data && { overdue: late.data }),
          ...(isReadingHistory && small.length > 0 && { closedLately: null }),
          ...(course && readCourse(course)),
          statuses:
            isDefining || statuses[at]?.isLoading
              ? null
              : openStatuses(definitions[at], statuses[at]?.data?.groups ?? []),
        },
      ],
    ]
  })
  return { trackers: new Map(health), isCounted }
}

/** The counts over time, one tracker after the other: the server counts the history of few trackers at once. */
const coursesQuery = (trackers: readonly number[]) =>
  queryOptions({
    queryKey: ['trackers', 'courses', trackers],
    staleTime: 300_000,
    queryFn: async ({ client }) => {
      const courses = new Map<number, GroupCountSeries>()
      for (const id of trackers)
        courses.set(id, await client.fetchQuery(timeSeriesQuery(id, { by: 'is_open' }, 'month')))
      return courses
    },
  })

/** The open artifacts whose due date has passed; null: the tracker has no due date. */
const overdueQuery = (tracker: Tracker) =>
  queryOptions({
    queryKey: ['trackers', tracker.id, 'overdue'],
    staleTime: 60_000,
    queryFn: async ({ client }) => {
      const due = dueField(tracker)
      if (!due || !statusField(tracker)) return null
      const q = `@status = OPEN() AND ${due.name} < NOW()`
      const { total } = await client.fetchQuery(countsQuery(tracker.id, { by: 'is_open', expert_query: q }))
      return { count: total, q }
    },
  })

function statusField({ semantics, fields }: Tracker) {
  return fields.find(({ field_id }) => field_id === semantics.status?.field_id)
}

function openStatuses(
  tracker: Tracker | undefined,
  groups: readonly { readonly key: readonly unknown[]; readonly count: number }[],
): StatusCount[] {
  const field = tracker && statusField(tracker)
  if (!field) return []
  const open: readonly unknown[] = tracker.semantics.status?.value_ids ?? []
  const hues = new Map(coloredValues(field).map(({ label, hue }) => [label, hue]))
  return groups.flatMap(({ key: [value], count }) => {
    if (typeof value !== 'object' || value === null || !('label' in value) || !('id' in value)) return []
    const label = String(value.label)
    return open.includes(value.id) ? [{ label, hue: hues.get(label) ?? 'gray', count }] : []
  })
}

function readCourse({ series }: GroupCountSeries): Pick<TrackerHealth, 'closedLately' | 'openByDay'> {
  const count = (step: GroupCountSeries['series'][number] | undefined, isOpen: boolean) =>
    step?.groups.find(({ key: [state] }) => state === isOpen)?.count ?? 0
  const closed = count(series.at(-1), false) - count(series.at(-1 - DAYS), false)
  return { closedLately: Math.max(0, closed), openByDay: series.map((step) => count(step, true)) }
}
