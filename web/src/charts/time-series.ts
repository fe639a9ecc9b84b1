import type { Group, GroupCounts, GroupCountSeries } from '@waypost/sdk/api'
import { text } from '../board/messages.ts'
import type { Hue } from '../design/hue.ts'
import type { RowGroupKey } from '../trackers/grouping/group-choice.ts'

export interface SeriesLine {
  readonly label: string
  /** The colour of the value; absent: that of its place in the chart. */
  readonly hue?: Hue | undefined
  /** One value per day. */
  readonly values: readonly number[]
  /** The value of its artifacts; absent: the line is no group. */
  readonly key?: RowGroupKey
}

export interface TimeSeries {
  /** The last day of each interval, such as `2026-03-01`. */
  readonly days: readonly string[]
  readonly lines: readonly SeriesLine[]
}

type Key = Group['key'][number] | undefined

/** A line per group, in the given order and colours; the group without a value comes last. */
export function timeSeriesByGroup(
  { series }: GroupCountSeries,
  order: readonly Pick<SeriesLine, 'label' | 'hue'>[],
): TimeSeries {
  const found = new Map(
    series.flatMap(({ groups }) =>
      groups.map(({ key: [value = null] }): [string, RowGroupKey] => [labelOf(value), value]),
    ),
  )
  const places = new Map(order.map(({ label }, index) => [label, index]))
  const rank = (label: string) => places.get(label) ?? order.length
  const labels = [...found.keys()].toSorted((one, other) => rank(one) - rank(other))
  return {
    days: daysOf(series),
    lines: labels.map((label) => ({
      label,
      hue: order[rank(label)]?.hue,
      key: found.get(label) ?? null,
      values: series.map(({ groups }) => groups.find(({ key: [value] }) => labelOf(value) === label)?.count ?? 0),
    })),
  }
}

/** Open and total at the end of each interval, as a count or as the sum of a number field. */
export function burnDown({ series }: GroupCountSeries, sum: string | undefined): TimeSeries {
  const sizeOf = (group: Group) => (sum === undefined ? group.count : (group.sum[sum] ?? 0))
  const total = (groups: readonly Group[]) => groups.reduce((all, group) => all + sizeOf(group), 0)
  const open = (groups: readonly Group[]) => groups.filter(({ key: [isOpen] }) => isOpen === true)
  return {
    days: daysOf(series),
    lines: [
      { label: text('charts.left'), values: series.map(({ groups }) => total(open(groups))) },
      { label: text('charts.all'), values: series.map(({ groups }) => total(groups)) },
    ],
  }
}

export interface WorkloadBar {
  readonly label: string
  /** The person; null: artifacts without one. */
  readonly key: RowGroupKey
  readonly open: number
  readonly closed: number
}

/** Artifacts per person, the most open ones first. */
export function workloadBars({ groups }: GroupCounts): WorkloadBar[] {
  const byPerson = Map.groupBy(groups, ({ key: [person] }) => labelOf(person, text('facts.unassigned')))
  const count = (of: readonly Group[], isOpen: boolean) =>
    of.filter(({ key: [, state] }) => (state === true) === isOpen).reduce((all, group) => all + group.count, 0)
  return [...byPerson]
    .map(([label, of]) => ({ label, key: of[0]?.key[0] ?? null, open: count(of, true), closed: count(of, false) }))
    .toSorted((one, other) => other.open - one.open || other.closed - one.closed)
}

export interface ValueBar {
  readonly label: string
  readonly hue: Hue | undefined
  readonly key: RowGroupKey
  readonly count: number
}

/** A bar per group, in the order of the response. */
export function barsByGroup(
  { groups }: GroupCounts,
  values: readonly Pick<SeriesLine, 'label' | 'hue'>[],
): readonly ValueBar[] {
  const hues = new Map(values.map(({ label, hue }) => [label, hue]))
  return groups.map(({ key: [value = null], count }) => {
    const label = labelOf(value)
    return { label, hue: hues.get(label), key: value, count }
  })
}

function daysOf(series: GroupCountSeries['series']): string[] {
  return series.map(({ at }) => at.slice(0, 10))
}

function labelOf(key: Key, nothing = text('board.none')): string {
  if (key === null || key === undefined) return nothing
  if (typeof key !== 'object') return String(key)
  if ('xref' in key) return key.label ?? key.xref
  return 'label' in key ? key.label : (key.real_name ?? key.display_name)
}

/** Each line with all lines after it added, so that areas stand on top of each other: the first one is at the top. */
export function stacked(lines: readonly SeriesLine[]): readonly (readonly number[])[] {
  const sums = lines.map(({ values }) => [...values])
  for (let at = sums.length - 2; at >= 0; at--)
    sums[at] = (sums[at] ?? []).map((value, day) => value + (sums[at + 1]?.[day] ?? 0))
  return sums
}
