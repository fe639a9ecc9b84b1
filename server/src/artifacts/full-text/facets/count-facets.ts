import type { AccountId } from '../../../platform/http/viewer.ts'
import type { ProjectId } from '../../../projects/project.ts'
import type { TrackerId } from '../../../trackers/tracker.ts'
import type { ArtifactId } from '../../artifact.ts'

/** An artifact that matches a search, with the values that its facets count. */
export interface FacetedMatch {
  readonly id: ArtifactId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId
  /** As `RANK`. */
  readonly rank: number
  readonly changed_on: Date
  readonly is_open: boolean
  readonly assignees: readonly AccountId[]
}

export interface FacetFilter {
  readonly project?: number | undefined
  readonly tracker?: number | undefined
  readonly is_open?: boolean | undefined
  /** 0: without an assignee. */
  readonly assignee?: number | undefined
  /** Days. */
  readonly changed_within?: number | undefined
}

export const CHANGED_WITHIN_DAYS = [1, 7, 30, 365] as const
export const UNASSIGNED = 0
const MAX_FACET_VALUES = 20
const DAY_MS = 24 * 60 * 60 * 1000

export interface CountedValue<Value> {
  readonly value: Value
  readonly count: number
}

export interface FacetCounts {
  readonly projects: readonly CountedValue<ProjectId>[]
  readonly trackers: readonly CountedValue<TrackerId>[]
  readonly is_open: readonly CountedValue<boolean>[]
  /** 0: without an assignee. */
  readonly assignees: readonly CountedValue<number>[]
  readonly changed_within: readonly CountedValue<number>[]
}

/** True if the match has all values of the filter. */
export function passesFilter(match: FacetedMatch, filter: FacetFilter, now: Date): boolean {
  const { project, tracker, is_open, assignee, changed_within } = filter
  return (
    (project === undefined || match.project_id === project) &&
    (tracker === undefined || match.tracker_id === tracker) &&
    (is_open === undefined || match.is_open === is_open) &&
    (assignee === undefined || assigneesOrNone(match).includes(assignee)) &&
    (changed_within === undefined || isWithin(match, changed_within, now))
  )
}

/** The values of each facet by number of matches. A facet ignores its part of the filter, so that it can be changed. */
export function countFacets(matches: readonly FacetedMatch[], filter: FacetFilter, now: Date): FacetCounts {
  const without = (facet: keyof FacetFilter) => {
    const others = { ...filter, [facet]: undefined }
    return matches.filter((match) => passesFilter(match, others, now))
  }
  const recent = without('changed_within')
  return {
    projects: mostFrequent(without('project').map(({ project_id }) => project_id)),
    trackers: mostFrequent(without('tracker').map(({ tracker_id }) => tracker_id)),
    is_open: mostFrequent(without('is_open').map(({ is_open }) => is_open)),
    assignees: mostFrequent(without('assignee').flatMap(assigneesOrNone)),
    changed_within: CHANGED_WITHIN_DAYS.map((days) => ({
      value: days,
      count: recent.filter((match) => isWithin(match, days, now)).length,
    })),
  }
}

function assigneesOrNone({ assignees }: FacetedMatch): readonly number[] {
  return assignees.length === 0 ? [UNASSIGNED] : assignees
}

function isWithin({ changed_on }: FacetedMatch, days: number, now: Date): boolean {
  return changed_on.getTime() > now.getTime() - days * DAY_MS
}

function mostFrequent<Value>(values: readonly Value[]): CountedValue<Value>[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const facets = [...counts].map(([value, count]) => ({ value, count }))
  return facets
    .toSorted((one, other) => other.count - one.count || Number(one.value) - Number(other.value))
    .slice(0, MAX_FACET_VALUES)
}
