import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { hiddenFrom } from '../../accounts/refusals.ts'
import { toId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { fieldTypeOf } from '../fields/field-types.ts'
import { changeTracker } from '../change-tracker.ts'
import { findTracker } from '../find-tracker.ts'
import { findTrackerToChange } from '../find-part.ts'
import { representTracker } from '../represent-tracker.ts'
import { TrackerFull } from '../schemas.ts'
import type { Sight } from '../sight.ts'
import { newPartIds, versionOf } from '../store-tracker.ts'
import type { ActionId, Element, TrackerId, Transition, Workflow } from '../tracker.ts'
import { simplified } from './replace-transition.ts'

const Changes = Type.Object({
  delete_transitions_rules: Type.Optional(Type.Literal(true, { description: 'Removes the workflow.' })),
  set_transitions_rules: Type.Optional(
    Type.Object({
      field_id: Type.Optional(Type.Integer({ description: 'Makes a workflow on this field.' })),
      is_used: Type.Optional(Type.Boolean({ description: 'Switches it on or off.' })),
    }),
  ),
  is_legacy: Type.Optional(Type.Literal(false)),
  is_advanced: Type.Optional(
    Type.Boolean({ description: 'Whether each transition has its own conditions and actions, or each value.' }),
  ),
})
type Changes = Static<typeof Changes>

const Query = Type.Object({ workflow: Type.Optional(Changes) })
const KEYS = Object.keys(Changes.properties)

export const updateWorkflow = writeRoute({
  method: 'PATCH',
  path: '/trackers/:id',
  operationId: 'updateTrackerWorkflow',
  summary: 'Make, switch or remove the workflow of a tracker.',
  access: 'signed_in',
  action: 'tracker.workflow',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: { query: Type.Optional(Type.String({ description: '`{"workflow":{…}}`; it may be the body as well.' })) },
  body: Query,
  bodyOptional: true,
  answer: TrackerFull,
  versioned: true,
  async handle({ context, viewer, params, query, body, headers, language }, work) {
    const changes = readChanges(query.query, body)
    const sight = await findTrackerToChange(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], versionOf(sight.tracker))
    const workflow = changed(sight, changes)
    const fresh = await newPartIds(work.tx, sight.tracker, 'action', workflow ? repeated(workflow).size : 0)
    const after = workflow && withOwnActions(workflow, fresh)
    await changeTracker(work, sight.tracker, { workflow: after }, { now: context.clock.now() })
    const shown = await findTracker(context, work.tx, viewer, params.id)
    return { body: await representTracker(context, work.tx, shown, language), version: versionOf(shown.tracker) }
  },
})

/** From the address or from the body; both together must say the same. */
function readChanges(text: string | undefined, body: Static<typeof Query> | undefined): Changes {
  const { workflow: asked } = readJsonQuery(Query, text)
  const { workflow: sent } = body ?? {}
  if (asked && sent && !isDeepStrictEqual(asked, sent)) throw new ApiError('parameter_conflict', { path: 'query' })
  const changes = asked ?? sent
  if (!changes) throw new ApiError('parameter_required', { path: 'query', rule: 'required' })
  if (Object.keys(changes).length === 0) throw new ApiError('query_unknown_key', { path: 'workflow', allowed: KEYS })
  if (changes.delete_transitions_rules && changes.set_transitions_rules)
    throw new ApiError('parameter_conflict', {
      path: 'workflow.delete_transitions_rules',
      cause: 'set_and_delete_workflow',
    })
  return changes
}

function changed(sight: Sight, changes: Changes): Workflow | null {
  const { delete_transitions_rules, set_transitions_rules: set = {}, is_legacy, is_advanced } = changes
  let { workflow } = sight.tracker
  if (delete_transitions_rules) {
    existing(workflow)
    workflow = null
  }
  if (set.field_id !== undefined) workflow = made(sight, set.field_id)
  if (set.is_used !== undefined) workflow = { ...existing(workflow), is_used: set.is_used }
  if (is_legacy !== undefined) existing(workflow) // No workflow here is older than this.
  if (is_advanced !== undefined) workflow = inMode(existing(workflow), is_advanced)
  return workflow
}

function existing(workflow: Workflow | null): Workflow {
  if (!workflow) throw new ApiError('rule_violated', { cause: 'workflow_missing' })
  return workflow
}

/** Not in use until somebody says so: without a transition nothing could be done with the field. */
function made({ tracker, viewer }: Sight, id: number): Workflow {
  if (tracker.workflow) throw new ApiError('rule_violated', { cause: 'workflow_exists' })
  const field = tracker.elements.find((element) => element.id === id && element.is_used)
  if (!field) throw hiddenFrom(viewer)
  if (!isSuitable(field))
    throw new ApiError('parameter_not_allowed', {
      path: 'workflow.set_transitions_rules.field_id',
      rule: 'one_of',
      allowed: tracker.elements.filter(isSuitable).map((element) => element.id),
    })
  return { field_id: field.id, is_used: false, is_advanced: false, transitions: [] }
}

function isSuitable(element: Element): boolean {
  return element.is_used && element.bind?.type === 'static' && fieldTypeOf(element).list === 'one'
}

function inMode(workflow: Workflow, is_advanced: boolean): Workflow {
  if (workflow.is_advanced === is_advanced) return workflow
  if (!is_advanced) return simplified(workflow)
  const lasting = ({ actions, ...transition }: Transition) => ({
    ...transition,
    actions: actions.filter(({ type }) => type !== 'frozen_fields' && type !== 'hidden_fieldsets'),
  })
  return { ...workflow, is_advanced, transitions: workflow.transitions.map(lasting) }
}

/** Places of actions that have the id of an earlier one: what states shared in simple mode. */
function repeated({ is_advanced, transitions }: Workflow): ReadonlySet<string> {
  const seen = new Set<number>()
  const places = new Set<string>()
  if (!is_advanced) return places
  for (const { id, actions } of transitions)
    for (const action of actions) {
      if (seen.has(action.id)) places.add(`${id} ${action.id}`)
      seen.add(action.id)
    }
  return places
}

/** In advanced mode each transition has actions of its own. */
function withOwnActions(workflow: Workflow, fresh: number[]): Workflow {
  const places = repeated(workflow)
  return {
    ...workflow,
    transitions: workflow.transitions.map((transition) => ({
      ...transition,
      actions: transition.actions.map((action) =>
        places.has(`${transition.id} ${action.id}`) ? { ...action, id: toId<ActionId>(fresh.shift() ?? 0) } : action,
      ),
    })),
  }
}
