import { type Static, type TSchema, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { isId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import { findSchemaFaults } from '../../platform/wire/schema-faults.ts'
import { matchesSchema, isRecord, shapeOf } from '../../platform/wire/schema-shape.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findOwnGroups } from '../../projects/groups/find-own-groups.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTracker, requireTrackerAdmin, type TrackerServices } from '../find-tracker.ts'
import { findFieldType } from '../field-types/field-types.ts'
import { localizeTemplate } from '../templates/localize-template.ts'
import { findTrackerTemplate, TEMPLATE_NAMES } from '../templates/tracker-templates.ts'
import type { TrackerId } from '../tracker.ts'
import { type ValidatedDocument, validateDocument, pointerOf } from './validate-document.ts'
import { loadReferenceNames } from './load-reference-lookup.ts'
import { toDefinitionError } from './problems.ts'
import type { ElementDocument, TrackerDefinition } from './schemas.ts'
import { groupNames } from './reference-lookup.ts'
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

const TemplateRequest = Type.Object(
  {
    template: Type.Enum([...TEMPLATE_NAMES]),
    label: Type.Optional(Type.String({ trim: true })),
    item_name: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type TemplateRequest = Static<typeof TemplateRequest>

/** The source of a new tracker. */
type NewTrackerSource = ValidatedDocument | CopyRequest | TemplateRequest

interface Copying {
  readonly context: TrackerServices
  readonly viewer: Viewer
  /** The target project. */
  readonly project_id: ProjectId
  /** The language of the labels of a template. */
  readonly language: Catalogue
}

/** Parses the request body: a definition, `copy_from` with the tracker to copy, or the name of a `template`. */
export function readNewTracker(body: unknown): NewTrackerSource {
  if (!isRecord(body)) return validateDocument(body)
  if (body['copy_from'] !== undefined) return isCopyRequest(body) ? body : refuse(CopyRequest, body)
  if (body['template'] !== undefined) return isTemplateRequest(body) ? body : refuse(TemplateRequest, body)
  return validateDocument(body)
}

function isCopyRequest(value: unknown): value is CopyRequest {
  return matchesSchema(CopyRequest, value)
}

function isTemplateRequest(value: unknown): value is TemplateRequest {
  return matchesSchema(TemplateRequest, value)
}

function refuse(schema: TSchema, body: unknown): never {
  const faults = findSchemaFaults(shapeOf(schema), body, '')
  throw toDefinitionError(faults.map((fault) => ({ ...fault, path: pointerOf(fault.path) })))
}

/** The definition of the request, of the tracker to copy, or of the template. */
export async function definitionFor(
  db: Db | Tx,
  given: NewTrackerSource,
  copying: Copying,
): Promise<ValidatedDocument> {
  if ('template' in given) return validateDocument(templateDefinition(given, copying.language))
  return 'copy_from' in given ? validateDocument(await copyDefinition(db, given, copying)) : given
}

function templateDefinition({ template, label, item_name }: TemplateRequest, language: Catalogue): object {
  return {
    ...localizeTemplate(findTrackerTemplate(template)?.definition ?? {}, language),
    ...(label !== undefined && { label }),
    ...(item_name !== undefined && { item_name }),
  }
}

async function copyDefinition(db: Db | Tx, request: CopyRequest, copying: Copying): Promise<TrackerDefinition> {
  const { context, viewer, project_id } = copying
  const { copy_from, label, item_name } = request
  const access = await findCopied(db, context, viewer, copy_from.id)
  requireTrackerAdmin(access)
  const { tracker } = access
  const document = writeDefinition(tracker, await loadReferenceNames(db, viewer, tracker))
  const copy = { ...document, ...(label !== undefined && { label }), ...(item_name !== undefined && { item_name }) }
  if (tracker.project_id === project_id) return copy
  const { groupNamed } = groupNames(await findOwnGroups(db, project_id))
  return adaptToProject(copy, tracker.project.shortname, (name) => groupNamed(name) !== undefined)
}

/** A tracker id in a body that is absent or hidden is an unknown reference. */
function findCopied(db: Db | Tx, context: Copying['context'], viewer: Viewer, id: number) {
  const unknown = new ApiError('reference_unknown', { path: '/copy_from/id', rule: 'exists' })
  if (!isId<TrackerId>(id)) throw unknown
  return findTracker(context, db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError ? unknown : error
  })
}

/**
 * Adapts the document to another project, which lacks the other trackers and some groups. Permissions of missing groups
 * go to administrators: dropping them could remove a restriction.
 */
export function adaptToProject(
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
    ...(findFieldType(element.type ?? '')?.hasDefaultGroups && {
      default: Array.isArray(element.default) ? groups(element.default) : null,
    }),
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
