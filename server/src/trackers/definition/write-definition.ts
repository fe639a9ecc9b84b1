import { fieldTypeOf } from '../field-types/field-types.ts'
import { writeReport } from '../reports/write-report.ts'
import { type Action, type Element, type FieldId, type ListRule, type ListValueId, NONE_VALUE_ID } from '../tracker.ts'
import type { Semantics, Tracker, Transition, Workflow } from '../tracker.ts'
import { DEFAULT_WEBHOOK_EVENTS } from './sync-webhooks.ts'
import type { ActionDocument, RulesDocument, SemanticsDocument, TrackerDefinition } from './schemas.ts'
import { writeElement } from './write-element.ts'
import type { ReferenceNames } from './reference-lookup.ts'

/** The document of a tracker, with every member: writing it back unchanged changes nothing. */
export function writeDefinition(tracker: Tracker, names: ReferenceNames): Required<TrackerDefinition> {
  const { settings, grants, rules, reports, canned_responses, webhooks } = tracker
  const write = createWriter(tracker, names)
  return {
    format: 'waypost-tracker/1',
    label: tracker.label,
    item_name: tracker.item_name,
    description: tracker.description,
    color_name: tracker.color_name,
    settings: { ...settings },
    hierarchy: { parent: tracker.parent_id === null ? null : write.tracker(tracker.parent_id) },
    permissions: {
      full: grants.full.map(names.nameOfGroup),
      submitted_by_user: grants.submitted_by_user.map(names.nameOfGroup),
      submitted_by_group: grants.submitted_by_group.map(names.nameOfGroup),
      assigned_to_group: grants.assigned_to_group.map(names.nameOfGroup),
      admin: grants.admin.map(names.nameOfGroup),
    },
    elements: treeOf(tracker.elements, null, names),
    unused_elements: tracker.elements.filter(({ is_used }) => !is_used).map((each) => writeElement(each, [], names)),
    semantics: writeSemantics(tracker.semantics, write),
    workflow: tracker.workflow && writeWorkflow(tracker.workflow, write, names),
    rules: {
      dates: rules.dates.map(({ source, comparator, target }) => {
        return { source: write.field(source), comparator, target: write.field(target) }
      }),
      lists: writeListRules(rules.lists, write),
    },
    triggers: tracker.triggers.map(({ field_id, value, condition, when }) => ({
      target: { field: write.field(field_id), value: write.value(field_id, value) },
      condition,
      when: when.map((each) => write.foreign(each.tracker_id, each.field_id, each.value)),
    })),
    reports: reports.map((report) => writeReport(report, true, write.field)),
    canned_responses: canned_responses.map((each) => ({ ...each })),
    webhooks: webhooks.map(({ url, events = DEFAULT_WEBHOOK_EVENTS, format = 'form' }) => ({
      url,
      events: [...events],
      format,
    })),
  }
}

/** Every reference inside a structure resolves to one of its elements; an unresolved id is a bug. */
function createWriter({ elements }: Tracker, { trackers }: ReferenceNames) {
  const named = new Map(elements.map((element) => [element.id, element]))
  const valueOf = (element: Element | undefined, value: ListValueId | typeof NONE_VALUE_ID) => {
    if (value === NONE_VALUE_ID) return '@none'
    const known = element?.bind?.type === 'static' ? element.bind.values.find(({ id }) => id === value) : undefined
    return known?.key ?? `@${value}`
  }
  return {
    field: (id: FieldId) => named.get(id)?.name ?? `@${id}`,
    value: (field: FieldId, value: ListValueId | typeof NONE_VALUE_ID) => valueOf(named.get(field), value),
    tracker: (id: number) => trackers.find((each) => each.id === id)?.name ?? `@${id}`,
    foreign(tracker: number, field: FieldId, value: ListValueId) {
      const other = trackers.find((each) => each.id === tracker)
      const element = other?.elements.find((each) => each.id === field)
      return {
        tracker: other?.name ?? `@${tracker}`,
        field: element?.name ?? `@${field}`,
        value: valueOf(element, value),
      }
    },
  }
}

type Writer = ReturnType<typeof createWriter>

function treeOf(
  elements: readonly Element[],
  parent: FieldId | null,
  names: ReferenceNames,
): ReturnType<typeof writeElement>[] {
  return elements
    .filter(({ is_used, parent_id }) => is_used && parent_id === parent)
    .map((element) => {
      const content = fieldTypeOf(element).kind === 'container' ? treeOf(elements, element.id, names) : []
      return writeElement(element, content, names)
    })
}

function writeSemantics(semantics: Semantics, write: Writer): Required<SemanticsDocument> {
  const one = (id: FieldId | null) => (id === null ? null : write.field(id))
  const { status, done } = semantics
  const value = (id: ListValueId) => (status ? write.value(status.field_id, id) : `@${id}`)
  return {
    title: one(semantics.title),
    description: one(semantics.description),
    status: status && { field: write.field(status.field_id), open: status.open.map(value) },
    contributor: one(semantics.contributor),
    timeframe: writeTimeframe(semantics.timeframe, write),
    progress: writeProgress(semantics.progress, write),
    initial_effort: one(semantics.initial_effort),
    done: done && done.map(value),
    tooltip: semantics.tooltip.map(write.field),
  }
}

function writeTimeframe(given: Semantics['timeframe'], write: Writer): Required<SemanticsDocument>['timeframe'] {
  if (!given) return null
  if ('implied_from' in given) return { implied_from: write.tracker(given.implied_from) }
  if ('end' in given) return { start: write.field(given.start), end: write.field(given.end) }
  return { start: write.field(given.start), duration: write.field(given.duration) }
}

function writeProgress(given: Semantics['progress'], write: Writer): Required<SemanticsDocument>['progress'] {
  if (!given || 'link_type' in given) return given && { ...given }
  return { total: write.field(given.total), remaining: write.field(given.remaining) }
}

function writeWorkflow(
  workflow: Workflow,
  write: Writer,
  names: ReferenceNames,
): NonNullable<TrackerDefinition['workflow']> {
  const { field_id, is_used, is_advanced, transitions } = workflow
  const head = { field: write.field(field_id), used: is_used }
  const from = ({ from: id }: Transition) => (id === null ? '@new' : write.value(field_id, id))
  if (is_advanced)
    return {
      ...head,
      mode: 'advanced',
      transitions: transitions.map((each) => ({
        from: from(each),
        to: write.value(field_id, each.to),
        ...writeStep(each, write, names),
      })),
    }
  const states = Map.groupBy(transitions, ({ to }) => to)
  return {
    ...head,
    mode: 'simple',
    states: [...states].flatMap(([to, [first, ...rest]]) => {
      if (!first) return []
      return { to: write.value(field_id, to), from: [first, ...rest].map(from), ...writeStep(first, write, names) }
    }),
  }
}

function writeStep({ groups, not_empty, needs_comment, actions }: Transition, write: Writer, names: ReferenceNames) {
  return {
    conditions: {
      groups: groups.map(names.nameOfGroup),
      not_empty: not_empty.map(write.field),
      comment: needs_comment,
    },
    actions: actions.map((action) => writeAction(action, write)),
  }
}

function writeAction(action: Action, write: Writer): ActionDocument {
  const { type } = action
  if (type === 'set_field_value') return { type, field: write.field(action.field_id), value: action.value }
  if (type === 'run_job') return { type, job_url: action.job_url }
  if (type === 'frozen_fields') return { type, fields: action.field_ids.map(write.field) }
  return { type, fieldsets: action.fieldset_ids.map(write.field) }
}

function writeListRules(rules: readonly ListRule[], write: Writer): NonNullable<RulesDocument['lists']> {
  const pairs = Map.groupBy(rules, ({ source, target }) => `${source} ${target}`)
  return [...pairs.values()].flatMap((pair) => {
    const [first] = pair
    if (!first) return []
    const { source, target } = first
    const allow = Map.groupBy(pair, ({ source_value }) => write.value(source, source_value))
    const targets = [...allow].map(([key, some]) => [
      key,
      some.map(({ target_value }) => write.value(target, target_value)),
    ])
    return { source: write.field(source), target: write.field(target), allow: Object.fromEntries(targets) }
  })
}
