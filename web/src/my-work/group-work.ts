import type { OwnArtifact } from '@waypost/sdk/api'
import { endOfWeek, localDay } from '../design/due-day.tsx'
import { toHue } from '../design/hue.ts'
import type { Hue } from '../design/hue.ts'
import { priorityRank, toPriorityLevel } from '../design/priority-icon.tsx'

export const WORK_GROUPINGS = ['due', 'status', 'project'] as const
export type WorkGrouping = (typeof WORK_GROUPINGS)[number]

/** Urgent work without a date is not after work that has time until next week. */
export const DUE_GROUPS = ['overdue', 'today', 'urgent', 'week', 'later', 'none'] as const

interface Grouped {
  /** Identifies the group in its grouping. */
  readonly key: string
  readonly items: readonly OwnArtifact[]
}

/** Artifacts with the same due period, status or project. */
export type WorkGroup =
  | (Grouped & { readonly by: 'due'; readonly due: (typeof DUE_GROUPS)[number] })
  | (Grouped & { readonly by: 'status'; readonly status: OwnArtifact['status']; readonly hue: Hue })
  | (Grouped & { readonly by: 'project'; readonly project: OwnArtifact['tracker']['project'] })

/** The groups that have artifacts, the most urgent first; in each, by priority, then by due date. Coming days by date. */
export function groupWork(items: readonly OwnArtifact[], by: WorkGrouping, now = new Date()): readonly WorkGroup[] {
  const today = localDay(now)
  const sorted = items.toSorted(byUrgency)
  switch (by) {
    case 'due': {
      const groups = Map.groupBy(sorted, (item) => duePeriod(item, today))
      return DUE_GROUPS.flatMap((due) => {
        const within = groups.get(due)
        if (!within) return []
        return [{ by, key: due, due, items: due === 'week' || due === 'later' ? within.toSorted(byDay) : within }]
      })
    }
    case 'status': {
      const groups = Map.groupBy(sorted, ({ status }) => status?.value.toLowerCase() ?? '')
      return [...groups]
        .map(([key, within]) => {
          const status = within[0]?.status ?? null
          return { by, key, status, hue: toHue(status?.color), items: within }
        })
        .toSorted((one, other) => meanProgress(other.items) - meanProgress(one.items))
    }
    case 'project': {
      const groups = Map.groupBy(sorted, ({ tracker }) => tracker.project.id)
      return [...groups.values()]
        .flatMap((within) => {
          const project = within[0]?.tracker.project
          return project ? [{ by, key: String(project.id), project, items: within }] : []
        })
        .toSorted((one, other) => one.project.label.localeCompare(other.project.label))
    }
    default:
      return by satisfies never
  }
}

/** The first groups until the limit of rows; the last one may be cut. Counts come from the whole groups. */
export function cutGroups(groups: readonly WorkGroup[], limit: number): readonly WorkGroup[] {
  let left = limit
  return groups.flatMap((group) => {
    const items = group.items.slice(0, Math.max(left, 0))
    left -= group.items.length
    return items.length > 0 ? [{ ...group, items }] : []
  })
}

/** The calendar day of the due date. A day has no time zone; an instant has. */
export function dueDay({ due }: Pick<OwnArtifact, 'due'>): string | undefined {
  if (!due) return undefined
  return due.is_time_displayed ? localDay(new Date(due.value)) : due.value.slice(0, 10)
}

function duePeriod(item: OwnArtifact, today: string): (typeof DUE_GROUPS)[number] {
  const day = dueDay(item)
  if (day === undefined) return item.priority && toPriorityLevel(item.priority.value) === 'urgent' ? 'urgent' : 'none'
  if (day <= today) return day < today ? 'overdue' : 'today'
  return day <= endOfWeek(today) ? 'week' : 'later'
}

/** Artifacts without a date are last. */
const NO_DAY = '9999-12-31'

function byUrgency(one: OwnArtifact, other: OwnArtifact): number {
  const rank = priorityRank(one.priority?.value) - priorityRank(other.priority?.value)
  if (rank !== 0) return rank
  const order = byDay(one, other)
  if (order !== 0) return order
  return one.last_modified_date < other.last_modified_date ? 1 : -1
}

function byDay(one: OwnArtifact, other: OwnArtifact): number {
  const [day, otherDay] = [dueDay(one) ?? NO_DAY, dueDay(other) ?? NO_DAY]
  if (day === otherDay) return 0
  return day < otherDay ? -1 : 1
}

/** A value may have another place in each tracker. Artifacts without a status are last. */
function meanProgress(items: readonly OwnArtifact[]): number {
  return items.reduce((sum, { status }) => sum + (status?.progress ?? -1), 0) / items.length
}
