import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { isId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { faultsOf } from '../../platform/wire/schema-faults.ts'
import { fits, isRecord, shapeOf } from '../../platform/wire/schema-shape.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findOwnGroups } from '../../projects/groups/find-own-groups.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTracker, requireTrackerAdmin } from '../find-tracker.ts'
import type { TrackerId } from '../tracker.ts'
import { type Judged, judgeDocument, pointerOf } from './judge-document.ts'
import { loadNames } from './load-world.ts'
import { refusalOf } from './problems.ts'
import type { ElementDocument, TrackerDefinition } from './schemas.ts'
import { groupNames } from './world.ts'
import { writeDefinition } from './write-definition.ts'

const CopyRequest = Type.Object(
  {
    copy_from: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    label: Type.Optional(Type.String({ trim: true })),
    item_name: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type CopyRequest = Static<typeof CopyRequest>

interface Copying {
  readonly context: Pick<Context, 'trackers'>
  readonly viewer: Viewer
  /** Where the copy is to be. */
  readonly project_id: ProjectId
}

/** What a request gives: a definition, or the tracker whose definition it is to be. */
export function readNewTracker(body: unknown): Judged | CopyRequest {
  if (!isRecord(body) || body['copy_from'] === undefined) return judgeDocument(body)
  if (isCopyRequest(body)) return body
  const faults = faultsOf(shapeOf(CopyRequest), body, '')
  throw refusalOf(faults.map((fault) => ({ ...fault, path: pointerOf(fault.path) })))
}

function isCopyRequest(value: unknown): value is CopyRequest {
  return fits(CopyRequest, value)
}

/** The definition that is meant. */
export async function definitionFor(db: Db | Tx, given: Judged | CopyRequest, copying: Copying): Promise<Judged> {
  return 'copy_from' in given ? judgeDocument(await copyDefinition(db, given, copying)) : given
}

async function copyDefinition(db: Db | Tx, request: CopyRequest, copying: Copying): Promise<TrackerDefinition> {
  const { context, viewer, project_id } = copying
  const { copy_from, label, item_name } = request
  const sight = await findCopied(db, context, viewer, copy_from.id)
  requireTrackerAdmin(sight)
  const { tracker } = sight
  const document = writeDefinition(tracker, await loadNames(db, viewer, tracker))
  const copy = { ...document, ...(label !== undefined && { label }), ...(item_name !== undefined && { item_name }) }
  if (tracker.project_id === project_id) return copy
  const { groupNamed } = groupNames(await findOwnGroups(db, project_id))
  return elsewhere(copy, tracker.project.shortname, (name) => groupNamed(name) !== undefined)
}

/** A tracker in a body that is absent or hidden is an unknown reference. */
function findCopied(db: Db | Tx, context: Copying['context'], viewer: Viewer, id: number) {
  const unknown = new ApiError('reference_unknown', { path: '/copy_from/id', rule: 'exists' })
  if (!isId<TrackerId>(id)) throw unknown
  return findTracker(context, db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError ? unknown : error
  })
}

/**
 * The same in another project, which has neither the other trackers nor all of the groups: what a missing group could do,
 * administrators can do there. To leave it out might open what was closed.
 */
function elsewhere(
  document: Required<TrackerDefinition>,
  shortname: string,
  isThere: (group: string) => boolean,
): TrackerDefinition {
  const groups = (names: readonly string[] = []) => [
    ...new Set(names.map((name) => (isThere(name) ? name : '@admins'))),
  ]
  const { permissions, semantics, workflow } = document
  const { timeframe } = semantics
  const adapt = (element: ElementDocument): ElementDocument => ({
    ...element,
    ...(element.permissions && {
      permissions: {
        read: groups(element.permissions.read),
        submit: groups(element.permissions.submit),
        update: groups(element.permissions.update),
      },
    }),
    ...(element.type === 'perm' && { default: Array.isArray(element.default) ? groups(element.default) : null }),
    ...(element.bind?.type === 'users' && {
      bind: {
        ...element.bind,
        sources: (element.bind.sources ?? []).filter((name) => isSource(name) || isThere(name)),
      },
    }),
    ...(element.bind?.type === 'ugroups' && {
      bind: {
        ...element.bind,
        groups: (element.bind.groups ?? []).filter(isThere),
        default: (element.bind.default ?? []).filter(isThere),
      },
    }),
    ...(typeof element.shared_from === 'string' && { shared_from: inProject(element.shared_from) }),
    ...(element.content && { content: element.content.map(adapt) }),
  })
  const step = <Step extends { conditions?: { groups?: string[] } | null }>(one: Step): Step => ({
    ...one,
    ...(one.conditions && { conditions: { ...one.conditions, groups: groups(one.conditions.groups) } }),
  })
  return {
    ...document,
    hierarchy: { parent: null },
    permissions: {
      full: groups(permissions.full),
      submitted_by_user: groups(permissions.submitted_by_user),
      submitted_by_group: groups(permissions.submitted_by_group),
      assigned_to_group: groups(permissions.assigned_to_group),
      admin: groups(permissions.admin),
    },
    elements: document.elements.map(adapt),
    unused_elements: document.unused_elements.map(adapt),
    semantics: {
      ...semantics,
      ...(timeframe &&
        'implied_from' in timeframe && { timeframe: { implied_from: inProject(timeframe.implied_from) } }),
    },
    workflow: workflow && {
      ...workflow,
      ...(workflow.states && { states: workflow.states.map(step) }),
      ...(workflow.transitions && { transitions: workflow.transitions.map(step) }),
    },
    triggers: [],
  }

  function inProject(name: string): string {
    return name.includes('/') || name.startsWith('@') ? name : `${shortname}/${name}`
  }
}

function isSource(name: string): boolean {
  return ['artifact_submitters', 'artifact_modifiers'].includes(name)
}
