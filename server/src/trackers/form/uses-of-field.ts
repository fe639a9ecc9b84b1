import { ApiError } from '../../platform/messages/errors.ts'
import type { Details } from '../../platform/messages/reasons.ts'
import type { Action, Element, FieldId, Semantics, Tracker, Transition } from '../tracker.ts'
import { asksFor } from './names-in-reports.ts'

type Use = NonNullable<Details['used_by']>[number]

/** Refuses a change that removes a field from something that uses it. `parent` is the parent tracker, if any. */
export function requireUnneeded(tracker: Tracker, parent: Tracker | undefined, element: Element): void {
  const used_by = usesOf(tracker, parent, element)
  if (used_by.length > 0) throw new ApiError('rule_violated', { cause: 'field_in_use', used_by })
}

/** Everything that requires this element to be in use. */
function usesOf(tracker: Tracker, parent: Tracker | undefined, element: Element): Use[] {
  const { id } = element
  const { workflow, rules, triggers } = tracker
  const labelOf = (field: FieldId) => tracker.elements.find((each) => each.id === field)?.label ?? ''
  const other = ({ source, target }: { source: FieldId; target: FieldId }) => (source === id ? target : source)
  const touches = (rule: { source: FieldId; target: FieldId }) => rule.source === id || rule.target === id
  const rule = (type: string, field: FieldId): Use => ({ type, id: field, label: labelOf(field) })
  return unique([
    ...semanticsWith(tracker.semantics, id).map((name) => ({ type: 'semantic', id: name, label: name })),
    ...(workflow?.field_id === id ? [{ type: 'workflow', id: tracker.id, label: element.label }] : []),
    ...(workflow?.transitions ?? [])
      .filter((transition) => needs(transition, id))
      .map((transition) => ({ type: 'transition', id: transition.id, label: stepOf(tracker, transition) })),
    ...rules.dates.filter(touches).map((each) => rule('date_rule', other(each))),
    ...rules.lists.filter(touches).map((each) => rule('list_rule', other(each))),
    ...triggers.filter(({ field_id }) => field_id === id).map((each) => triggerUse(each.id, tracker)),
    ...(parent?.triggers ?? [])
      .filter(({ when }) => when.some(({ field_id }) => field_id === id))
      .map((each) => triggerUse(each.id, parent ?? tracker)),
    ...tracker.reports
      .filter((report) => asksFor(report, element))
      .map((report) => ({ type: 'report', id: report.id, label: report.label })),
    ...tracker.elements
      .filter((each) => each.is_used && each.parent_id === id)
      .map((each) => ({ type: 'field', id: each.id, label: each.label })),
  ])
}

function semanticsWith(semantics: Semantics, id: FieldId): string[] {
  const { title, description, status, contributor, timeframe, progress, initial_effort, tooltip } = semantics
  const fields: [string, readonly (FieldId | null | undefined)[]][] = [
    ['title', [title]],
    ['description', [description]],
    ['status', [status?.field_id]],
    ['contributor', [contributor]],
    ['timeframe', timeframe && 'start' in timeframe ? Object.values(timeframe) : []],
    ['progress', progress && 'total' in progress ? [progress.total, progress.remaining] : []],
    ['initial_effort', [initial_effort]],
    ['tooltip', tooltip],
  ]
  return fields.filter(([, ids]) => ids.includes(id)).map(([name]) => name)
}

function needs({ not_empty, actions }: Transition, id: FieldId): boolean {
  return not_empty.includes(id) || actions.some((action) => fieldsOf(action).includes(id))
}

function fieldsOf(action: Action): readonly FieldId[] {
  if (action.type === 'set_field_value') return [action.field_id]
  if (action.type === 'frozen_fields') return action.field_ids
  return action.type === 'hidden_fieldsets' ? action.fieldset_ids : []
}

function stepOf({ elements, workflow }: Tracker, { to }: Transition): string {
  const bind = elements.find(({ id }) => id === workflow?.field_id)?.bind
  return bind?.type === 'static' ? (bind.values.find(({ id }) => id === to)?.label ?? '') : ''
}

function triggerUse(id: number, { label }: Tracker): Use {
  return { type: 'trigger', id, label }
}

/** A pair of lists has many rules but counts as one use. */
function unique(uses: readonly Use[]): Use[] {
  return [...new Map(uses.map((use) => [`${use.type} ${use.id}`, use])).values()]
}
