import type { Group, GroupCounts, GroupCountSeries } from '@waypost/sdk/api'
import { text } from '../board/words.ts'

export interface Line {
  readonly label: string
  /** One for each day. */
  readonly values: readonly number[]
}

export interface Course {
  /** The last day of each step, such as `2026-03-01`. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
}

type Key = Group['key'][number] | undefined

/** A line for each group; those without a value come last, the others as they come. */
export function courseByGroup({ series }: GroupCountSeries, order: readonly string[]): Course {
  const found = new Set(series.flatMap(({ groups }) => groups.map(({ key: [value] }) => labelOf(value))))
  const rank = (label: string) => (order.includes(label) ? order.indexOf(label) : order.length)
  const labels = [...found].toSorted((one, other) => rank(one) - rank(other))
  return {
    days: daysOf(series),
    lines: labels.map((label) => ({
      label,
      values: series.map(({ groups }) => groups.find(({ key: [value] }) => labelOf(value) === label)?.count ?? 0),
    })),
  }
}

/** What was open at the end of each step, and all that there was: by number, or by what a field of numbers adds up to. */
export function burnDown({ series }: GroupCountSeries, sum: string | undefined): Course {
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

export interface Bar {
  readonly label: string
  readonly open: number
  readonly closed: number
}

/** Who has how many, those with the most open ones first. */
export function barsOf({ groups }: GroupCounts): Bar[] {
  const byPerson = Map.groupBy(groups, ({ key: [person] }) => labelOf(person, text('facts.nobody')))
  const count = (of: readonly Group[], isOpen: boolean) =>
    of.filter(({ key: [, state] }) => (state === true) === isOpen).reduce((all, group) => all + group.count, 0)
  return [...byPerson]
    .map(([label, of]) => ({ label, open: count(of, true), closed: count(of, false) }))
    .toSorted((one, other) => other.open - one.open || other.closed - one.closed)
}

function daysOf(series: GroupCountSeries['series']): string[] {
  return series.map(({ at }) => at.slice(0, 10))
}

function labelOf(key: Key, nothing = text('board.none')): string {
  if (key === null || key === undefined) return nothing
  if (typeof key !== 'object') return String(key)
  return 'label' in key ? key.label : (key.real_name ?? key.display_name)
}
