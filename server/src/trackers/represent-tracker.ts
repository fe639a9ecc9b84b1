import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { type Resources, resourcesBelow } from '../platform/wire/resources.ts'
import { joinProject } from '../projects/project-sql.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { Catalogue } from '../platform/messages/catalogue.ts'
import { describingOf } from './binds/describing.ts'
import type { Describing } from './field-types/field-type.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { type FormState, groupsNamed, representField } from './represent-field.ts'
import { representSemantics, representWorkflow } from './represent-workflow.ts'
import type { ProjectReference, TrackerFull, TrackerMinimal, TrackerOfArtifact, TrackerReference } from './schemas.ts'
import type { TrackerAccess } from './tracker-access.ts'
import { loadRankVersion } from './tracker-rank.ts'
import type { Element, FieldId, TrackerId } from './tracker.ts'
import { maySeeTracker } from './visibility.ts'

/** The reference to a tracker in other resources. */
interface NamedTracker {
  readonly id: number
  readonly label: string
  readonly color_name: string
  readonly project: { readonly id: number; readonly label: string; readonly icon: string }
}

export function referenceOf({ id, label, color_name, project }: NamedTracker): TrackerReference {
  return { id, uri: `trackers/${id}`, label, color: color_name, project: projectReferenceOf({ project }) }
}

export function minimalOf(
  { id, label, color_name, project }: NamedTracker,
  cannot_create_reasons: string[] | null,
): TrackerMinimal {
  return {
    id,
    uri: `trackers/${id}`,
    label,
    color_name,
    project: projectReferenceOf({ project }),
    cannot_create_reasons,
  }
}

/** The form state of an artifact, for clients that already have the tracker, which can be large. */
export function inStateOf({ tracker, readable }: TrackerAccess, { frozen, hidden }: FormState): TrackerOfArtifact {
  const seen = (ids: ReadonlySet<FieldId>) => readable.map(({ id }) => id).filter((id) => ids.has(id))
  return { ...minimalOf(tracker, null), frozen_fields: seen(frozen), hidden_fieldsets: seen(hidden) }
}

export function projectReferenceOf({ project }: Pick<NamedTracker, 'project'>): ProjectReference {
  const { id, label, icon } = project
  return { id, uri: `projects/${id}`, label, icon }
}

/** The full tracker as the viewer may see it; with `state`, as the form of an artifact in this state. */
export async function representTracker(
  context: Context,
  db: Db | Tx,
  access: TrackerAccess,
  language: Catalogue,
  state?: FormState,
): Promise<TrackerFull> {
  const { tracker, viewer } = access
  const { settings } = tracker
  const describing = await describingOf(context, db, viewer, access, language)
  const others = await seenTrackers(db, viewer, othersOf(access))
  const parent = tracker.parent_id === null ? undefined : others.get(tracker.parent_id)
  return {
    id: tracker.id,
    uri: `trackers/${tracker.id}`,
    html_url: `/trackers/${tracker.id}`,
    project: projectReferenceOf(tracker),
    label: tracker.label,
    description: tracker.description,
    item_name: tracker.item_name,
    fields: access.readable.map((element) => representField(element, access, describing, state)),
    structure: structureOf(tracker.elements),
    semantics: representSemantics(access, new Set(others.keys())),
    workflow: representWorkflow(access),
    permissions_for_groups: access.administers ? grantsOf(access, describing) : null,
    parent: parent ? referenceOf(parent) : null,
    resources: resourcesOf(access),
    color_name: tracker.color_name,
    notifications: { enabled: settings.notifications_level !== 'none' },
    rank_version: await loadRankVersion(db, tracker.id),
    in_new_dropdown: settings.in_new_dropdown,
    instructions: { submit: settings.submit_instructions, browse: settings.browse_instructions },
  }
}

/** `artifacts` and everything else below a tracker that the viewer may read. */
function resourcesOf({ tracker: { id }, viewer, administers }: TrackerAccess): Resources {
  const uri = `trackers/${id}`
  return [
    { type: 'reports', uri: `${uri}/tracker_reports` },
    ...resourcesBelow(uri, ['artifacts', 'used_artifact_links', 'parent_artifacts', 'rank', 'changes']),
    { type: 'artifact_groups', uri: `${uri}/artifacts/groups?by=is_open` },
    { type: 'live_artifacts', uri: `${uri}/artifacts/live` },
    ...resourcesBelow(uri, viewer.account_id === undefined ? [] : ['canned_responses', 'watch']),
    ...resourcesBelow(uri, administers ? ['definition', 'webhooks', 'trash'] : []),
  ]
}

interface Branch {
  id: number
  content: Branch[] | null
}

/** The tree of all used elements, regardless of permissions. Content of unused containers moves up. */
function structureOf(elements: readonly Element[]): Branch[] {
  const byId = new Map(elements.map((element) => [element.id, element]))
  const root: Branch[] = []
  const contents = new Map<FieldId, Branch[]>()
  const used = elements.filter(({ is_used }) => is_used)
  for (const element of used) if (fieldTypeOf(element).kind === 'container') contents.set(element.id, [])
  const placeOf = (parent_id: FieldId | null): Branch[] =>
    parent_id === null ? root : (contents.get(parent_id) ?? placeOf(byId.get(parent_id)?.parent_id ?? null))
  for (const { id, parent_id } of used) placeOf(parent_id).push({ id, content: contents.get(id) ?? null })
  return root
}

function grantsOf(
  { tracker: { grants } }: TrackerAccess,
  describing: Describing,
): TrackerFull['permissions_for_groups'] {
  return {
    can_access: groupsNamed(grants.full, describing),
    can_access_submitted_by_user: groupsNamed(grants.submitted_by_user, describing),
    can_access_assigned_to_group: groupsNamed(grants.assigned_to_group, describing),
    can_access_submitted_by_group: groupsNamed(grants.submitted_by_group, describing),
    can_admin: groupsNamed(grants.admin, describing),
  }
}

function othersOf({ tracker: { parent_id, semantics } }: TrackerAccess): TrackerId[] {
  const { timeframe } = semantics
  const implied = timeframe && 'implied_from' in timeframe ? [timeframe.implied_from] : []
  return [...(parent_id === null ? [] : [parent_id]), ...implied]
}

/** Those of these trackers that the viewer may see. */
async function seenTrackers(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly TrackerId[],
): Promise<ReadonlyMap<TrackerId, NamedTracker>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<NamedTracker & { id: TrackerId }>`
    select tracker.id, tracker.label, tracker.color_name,
      jsonb_build_object('id', project.id, 'label', project.label, 'icon', project.icon) as project
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.id in (${sql.join(ids)}) and ${maySeeTracker(viewer, aliases('tracker', 'project'))}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
