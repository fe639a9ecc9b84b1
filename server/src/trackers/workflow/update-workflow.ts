import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { changeTracker } from '../change-tracker.ts'
import { hasHeaderChanges, HeaderChanges, readHeaderChanges } from '../change-header.ts'
import { findTracker } from '../find-tracker.ts'
import { findTrackerToRedefine } from '../find-tracker-to-redefine.ts'
import { findTrackerToChange } from '../find-part.ts'
import { representTracker } from '../represent-tracker.ts'
import { TrackerFull } from '../schemas.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import { newPartIds, trackerVersion } from '../store-tracker.ts'
import type { ActionId, Element, TrackerId, Transition, Workflow } from '../tracker.ts'
import { simplified } from './replace-transition.ts'

const Changes = Type.Object({
  delete_transitions_rules: Type.Optional(Type.Literal(true, { description: 'Deletes the workflow.' })),
  set_transitions_rules: Type.Optional(
    Type.Object({
      field_id: Type.Optional(Type.Integer({ description: 'Creates a workflow on this field.' })),
      is_used: Type.Optional(Type.Boolean({ description: 'Switches it on or off.' })),
    }),
  ),
  is_legacy: Type.Optional(Type.Literal(false)),
  is_advanced: Type.Optional(
    Type.Boolean({
      description: 'Advanced mode: conditions and actions belong to each transition instead of each value.',
    }),
  ),
})
type Changes = Static<typeof Changes>

const Query = Type.Object({ workflow: Type.Optional(Changes) })
const Body = Type.Object({ ...Query.properties, ...HeaderChanges })
const KEYS = Object.keys(Changes.properties)

export const updateWorkflow = writeRoute({
  method: 'PATCH',
  path: '/trackers/:id',
  operationId: 'updateTrackerWorkflow',
  summary: 'Rename a tracker, change its colour or parent; create, switch or delete its workflow.',
  description:
    'Changes label, item name, description, colour or parent; creates the workflow for a field, switches its rules on or off, changes its mode, or deletes it. Tracker administrators. A field that cannot carry a workflow is 400; others get 403.',
  access: 'signed_in',
  action: 'tracker.workflow',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  query: { query: Type.Optional(Type.String({ description: '`{"workflow":{…}}`; can also be sent as the body.' })) },
  body: Body,
  bodyRules: { isOptional: true },
  answer: TrackerFull,
  versioned: true,
  async handle({ context, viewer, params, query, body, headers, language }, work) {
    const named = body !== undefined && hasHeaderChanges(body) ? body : undefined
    const changes = readChanges(query.query, body, named !== undefined)
    const find = named ? findTrackerToRedefine : findTrackerToChange
    const access = await find(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], trackerVersion(access.tracker))
    const header = named && (await readHeaderChanges(work.tx, access, named))
    const after = changes ? await storeWorkflow(work.tx, access, changes) : access.tracker.workflow
    const action = header && { action: 'tracker.definition' }
    await changeTracker(work, access.tracker, { workflow: after, ...header }, { now: context.clock.now(), ...action })
    const shown = await findTracker(context, work.tx, viewer, params.id)
    return { body: await representTracker(context, work.tx, shown, language), version: trackerVersion(shown.tracker) }
  },
})

/** From the query or the body; if both are given, they must agree. `isOptional`: other members are changed. */
function readChanges(
  text: string | undefined,
  body: Static<typeof Body> | undefined,
  isOptional: boolean,
): Changes | undefined {
  const { workflow: asked } = readJsonQuery(Query, text)
  const { workflow: sent } = body ?? {}
  if (asked && sent && !isDeepStrictEqual(asked, sent)) throw new ApiError('parameter_conflict', { path: 'query' })
  const changes = asked ?? sent
  if (!changes && isOptional) return undefined
  if (!changes) throw new ApiError('parameter_required', { path: 'query', rule: 'required' })
  if (Object.keys(changes).length === 0) throw new ApiError('query_unknown_key', { path: 'workflow', allowed: KEYS })
  if (changes.delete_transitions_rules && changes.set_transitions_rules)
    throw new ApiError('parameter_conflict', {
      path: 'workflow.delete_transitions_rules',
      cause: 'set_and_delete_workflow',
    })
  return changes
}

async function storeWorkflow(tx: Tx, access: TrackerAccess, changes: Changes): Promise<Workflow | null> {
  const workflow = changed(access, changes)
  const fresh = await newPartIds(tx, access.tracker, 'action', workflow ? repeated(workflow).size : 0)
  return workflow && withOwnActions(workflow, fresh)
}

function changed(access: TrackerAccess, changes: Changes): Workflow | null {
  const { delete_transitions_rules, set_transitions_rules: set = {}, is_legacy, is_advanced } = changes
  let { workflow } = access.tracker
  if (delete_transitions_rules) {
    existing(workflow)
    workflow = null
  }
  if (set.field_id !== undefined) workflow = made(access, set.field_id)
  if (set.is_used !== undefined) workflow = { ...existing(workflow), is_used: set.is_used }
  if (is_legacy !== undefined) existing(workflow) // Legacy workflows do not exist here.
  if (is_advanced !== undefined) workflow = inMode(existing(workflow), is_advanced)
  return workflow
}

function existing(workflow: Workflow | null): Workflow {
  if (!workflow) throw new ApiError('rule_violated', { cause: 'workflow_missing' })
  return workflow
}

/** Unused at first: without transitions, the field could not change. */
function made({ tracker, viewer }: TrackerAccess, id: number): Workflow {
  if (tracker.workflow) throw new ApiError('rule_violated', { cause: 'workflow_exists' })
  const field = tracker.elements.find((element) => element.id === id && element.is_used)
  if (!field) throw hiddenError(viewer)
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

/** Positions of actions that repeat the id of an earlier one: those shared by states in simple mode. */
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

/** In advanced mode each transition has its own actions. */
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
