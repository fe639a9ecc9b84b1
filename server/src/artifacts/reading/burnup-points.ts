import type { FieldId } from '../../trackers/tracker.ts'
import { CHILD } from '../links/link-field.ts'
import { type Descendant, findChildren } from './descendants.ts'
import type { FoundArtifact } from './find-artifact.ts'
import type { Audience } from './audience.ts'
import type { ChartDay } from './timeframe.ts'
import { findValueHistory, type ValueHistory } from './value-history.ts'

/** The completed part of the children at the end of each day, by effort and by count. */
export async function burnupPoints(
  audience: Audience,
  { artifact, forward }: FoundArtifact,
  days: readonly ChartDay[],
) {
  const children = forward.some(({ type }) => type === CHILD) ? await findChildren(audience, [artifact.id]) : []
  const history = await findValueHistory(
    audience,
    children.flatMap((child) =>
      [effortField(child), statusField(child)].flatMap((field) =>
        field === undefined ? [] : [{ artifact: child.id, field }],
      ),
    ),
  )
  const points = days.map(({ date, until }) => {
    const there = children.filter(({ submitted_on }) => submitted_on <= until)
    const done = there.filter((child) => isDone(child, history, until))
    const efforts = (those: readonly Descendant[]) =>
      those.reduce((sum, child) => sum + effortOf(child, history, until), 0)
    return {
      efforts: { date, team_effort: efforts(done), total_effort: efforts(there) },
      elements: { date, closed_elements: done.length, total_elements: there.length },
    }
  })
  return {
    points_with_date: points.map(({ efforts }) => efforts),
    points_with_date_count_elements: points.map(({ elements }) => elements),
  }
}

function effortField({ access: { tracker, mayRead } }: Descendant): FieldId | undefined {
  const { initial_effort } = tracker.semantics
  const field = initial_effort === null ? undefined : tracker.byId.get(initial_effort)
  return field && mayRead(field) ? field.id : undefined
}

function statusField({ access: { tracker, mayRead } }: Descendant): FieldId | undefined {
  const { status } = tracker.semantics
  const field = status ? tracker.byId.get(status.field_id) : undefined
  return field && mayRead(field) ? field.id : undefined
}

/** A number, or a list value whose label is a number. */
function effortOf(child: Descendant, history: ValueHistory, moment: Date): number {
  const field = effortField(child)
  const stored = field === undefined ? undefined : history.at(child.id, field, moment)
  if (typeof stored === 'number') return stored
  const bind = field === undefined ? undefined : child.access.tracker.byId.get(field)?.bind
  const label = bind?.type === 'static' ? bind.values.find(({ id }) => id === firstOf(stored))?.label : undefined
  return Number(label ?? 0) || 0
}

/** A status that the semantic defines as done; without a definition, any status that is not open. */
function isDone(child: Descendant, history: ValueHistory, moment: Date): boolean {
  const { status, done } = child.access.tracker.semantics
  const field = statusField(child)
  const value = field === undefined ? undefined : firstOf(history.at(child.id, field, moment))
  if (!status || value === undefined) return false
  return done ? done.some((id) => id === value) : !status.open.some((id) => id === value)
}

function firstOf(stored: unknown): number | undefined {
  const [first]: unknown[] = Array.isArray(stored) ? stored : []
  return typeof first === 'number' ? first : undefined
}
