import type { SemanticsOfTracker, WorkflowOfTracker } from './schemas.ts'
import type { TrackerAccess } from './tracker-access.ts'
import type { FieldId, ListValueId, Tracker, TrackerId, Transition, Workflow } from './tracker.ts'

/** Null if the viewer may not read the workflow field. */
export function representWorkflow(access: TrackerAccess): WorkflowOfTracker | null {
  const { workflow } = access.tracker
  const rules = rulesFor(access)
  if (!workflow) return { field_id: 0, is_used: '', is_legacy: false, is_advanced: false, rules, transitions: [] }
  if (!isReadable(access, workflow.field_id)) return null
  return {
    field_id: workflow.field_id,
    is_used: workflow.is_used ? '1' : '0',
    is_legacy: false,
    is_advanced: workflow.is_advanced,
    rules,
    transitions: inOrder(access.tracker, workflow)
      .filter((transition) => mayPerform(access, workflow, transition))
      .map(({ id, from, to }) => ({
        id,
        ...(access.administers && { uri: `tracker_workflow_transitions/${id}` }),
        from_id: from,
        to_id: to,
      })),
  }
}

/** Ordered by source state, new artifacts first, then by target state. */
function inOrder({ byId }: TrackerAccess['tracker'], { field_id, transitions }: Workflow): readonly Transition[] {
  const bind = byId.get(field_id)?.bind
  const values = bind?.type === 'static' ? bind.values.map(({ id }) => id) : []
  const rank = (id: ListValueId | null) => (id === null ? -1 : values.indexOf(id))
  return transitions.toSorted((one, other) => rank(one.from) - rank(other.from) || rank(one.to) - rank(other.to))
}

/** Omit rules on fields that the viewer may not read; they would reveal those fields. */
function rulesFor(access: TrackerAccess): WorkflowOfTracker['rules'] {
  const isVisible = (rule: { source: FieldId; target: FieldId }) =>
    isReadable(access, rule.source) && isReadable(access, rule.target)
  const { dates, lists } = access.tracker.rules
  return {
    dates: dates.filter(isVisible).map(({ source, target, comparator }) => ({
      source_field_id: source,
      target_field_id: target,
      comparator,
    })),
    lists: lists.filter(isVisible).map((rule) => ({
      source_field_id: rule.source,
      source_value_id: rule.source_value,
      target_field_id: rule.target,
      target_value_id: rule.target_value,
    })),
  }
}

function mayPerform(access: TrackerAccess, { field_id }: Workflow, { from, groups }: Transition): boolean {
  if (access.administers) return true
  const field = access.tracker.byId.get(field_id)
  if (!field) return false
  const mayChange = from === null ? access.maySubmit(field) : access.mayUpdate(field)
  return mayChange && (groups.length === 0 || groups.some((group) => access.groups.has(group)))
}

/** The configured semantics whose fields are readable. `seen`: the other trackers that the viewer may see. */
export function representSemantics(access: TrackerAccess, seen: ReadonlySet<TrackerId>): SemanticsOfTracker {
  const { semantics } = access.tracker
  const { title, description, status, contributor, initial_effort, done } = semantics
  const may = (...fields: (FieldId | null)[]) => fields.every((id) => id !== null && isReadable(access, id))
  const timeframe = timeframeOf(semantics.timeframe, may, seen)
  const progress = progressOf(semantics.progress, may)
  return {
    ...(title !== null && may(title) && { title: { field_id: title } }),
    ...(description !== null && may(description) && { description: { field_id: description } }),
    ...(status && may(status.field_id) && { status: { field_id: status.field_id, value_ids: [...status.open] } }),
    ...(contributor !== null && may(contributor) && { contributor: { field_id: contributor } }),
    ...(timeframe && { timeframe }),
    ...(progress && { progress }),
    ...(initial_effort !== null && may(initial_effort) && { initial_effort: { field_id: initial_effort } }),
    ...(done && status && may(status.field_id) && { done: { value_ids: [...done] } }),
  }
}

type May = (...fields: FieldId[]) => boolean

function timeframeOf(
  timeframe: Tracker['semantics']['timeframe'],
  may: May,
  seen: ReadonlySet<TrackerId>,
): SemanticsOfTracker['timeframe'] {
  if (timeframe === null) return undefined
  if ('implied_from' in timeframe) {
    const { implied_from: id } = timeframe
    return seen.has(id) ? { implied_from_tracker: { id, uri: `trackers/${id}` } } : undefined
  }
  if ('end' in timeframe) {
    const { start, end } = timeframe
    return may(start, end) ? { start_date_field_id: start, end_date_field_id: end } : undefined
  }
  const { start, duration } = timeframe
  return may(start, duration) ? { start_date_field_id: start, duration_field_id: duration } : undefined
}

function progressOf(progress: Tracker['semantics']['progress'], may: May): SemanticsOfTracker['progress'] {
  if (progress === null) return undefined
  if ('link_type' in progress) return { artifact_link_type: progress.link_type }
  const { total, remaining } = progress
  return may(total, remaining) ? { total_effort_field_id: total, remaining_effort_field_id: remaining } : undefined
}

function isReadable(access: TrackerAccess, id: FieldId): boolean {
  const field = access.tracker.byId.get(id)
  return field?.is_used === true && access.mayRead(field)
}
