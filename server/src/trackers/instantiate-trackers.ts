import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import type { WriteContext } from '../platform/http/write-context.ts'
import type { Context } from '../platform/operation/context.ts'
import type { CopyTemplate } from '../projects/copy-template.ts'
import { findOwnGroups } from '../projects/groups/find-own-groups.ts'
import type { ProjectId } from '../projects/project.ts'
import { adaptToProject } from './definition/copy-definition.ts'
import { acceptDefinition } from './definition/evaluate-definition.ts'
import { loadReferenceNames, UNRESTRICTED_VIEWER } from './definition/load-reference-lookup.ts'
import { groupNames } from './definition/reference-lookup.ts'
import type { ElementDocument, TrackerDefinition, WorkflowDocument } from './definition/schemas.ts'
import { writeDefinition } from './definition/write-definition.ts'
import { loadTracker, type LoadedTracker } from './load-tracker.ts'
import { insertTracker, lockTrackersOf, saveTracker } from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'

interface Instance {
  readonly id: TrackerId
  readonly source: Required<TrackerDefinition>
  readonly document: TrackerDefinition
}

/** Copies the trackers of the template that have `instantiate_for_new_projects` into the new project. */
export const instantiateTrackers: CopyTemplate = async (context, work, { template, project }) => {
  const { tx } = work
  const sources = await findInstantiated(tx, template)
  if (sources.length === 0) return
  await lockTrackersOf(tx, project)
  const { groupNamed } = groupNames(await findOwnGroups(tx, project))
  const instances: Instance[] = []
  for (const tracker of sources) {
    const source = writeDefinition(withOwnFields(tracker), await loadReferenceNames(tx, UNRESTRICTED_VIEWER, tracker))
    const adapted = adaptToProject(source, tracker.project.shortname, (name) => groupNamed(name) !== undefined)
    const document = withoutForeign(adapted)
    instances.push({ id: await insert(context, work, project, document), source, document })
  }
  // Trackers refer to each other, so all of them must exist first.
  const names = new Set(instances.map(({ source }) => source.item_name))
  for (const { id, source, document } of instances) {
    const related = { ...document, ...relationsWithin(names, source, document) }
    if (JSON.stringify(related) !== JSON.stringify(document)) await redefine(context, work, id, related)
  }
}

async function findInstantiated(tx: Tx, template: number): Promise<LoadedTracker[]> {
  const { rows } = await sql<{ id: TrackerId }>`
    select tracker.id from tracker where tracker.project_id = ${template} and tracker.deleted_on is null
      and tracker.structure -> 'settings' -> 'instantiate_for_new_projects' = 'true' order by tracker.id`.execute(tx)
  const found: LoadedTracker[] = []
  for (const { id } of rows) {
    const tracker = await loadTracker(tx, id)
    if (tracker) found.push(tracker)
  }
  return found
}

/** A shared field becomes a field of its own: the new project must not depend on the template. */
function withOwnFields(tracker: LoadedTracker): LoadedTracker {
  return { ...tracker, elements: tracker.elements.map((element) => ({ ...element, shared_from: null })) }
}

/** Removes people, webhooks and jobs, which belong to the template, and references to other trackers. */
function withoutForeign(document: TrackerDefinition): TrackerDefinition {
  const { elements = [], unused_elements = [], semantics = {}, workflow } = document
  const isImplied = semantics.timeframe && 'implied_from' in semantics.timeframe
  return {
    ...document,
    elements: elements.map(withoutPeople),
    unused_elements: unused_elements.map(withoutPeople),
    semantics: { ...semantics, ...(isImplied && { timeframe: null }) },
    ...(workflow && { workflow: withoutJobs(workflow) }),
    hierarchy: { parent: null },
    triggers: [],
    webhooks: [],
  }
}

function withoutPeople(element: ElementDocument): ElementDocument {
  return {
    ...element,
    ...(element.bind?.type === 'users' && { bind: { ...element.bind, default: [] } }),
    ...(element.content && { content: element.content.map(withoutPeople) }),
  }
}

function withoutJobs(workflow: WorkflowDocument): WorkflowDocument {
  const step = <Step extends NonNullable<WorkflowDocument['states' | 'transitions']>[number]>(one: Step): Step => ({
    ...one,
    ...(one.actions && { actions: one.actions.filter(({ type }) => type !== 'run_job') }),
  })
  return {
    ...workflow,
    ...(workflow.states && { states: workflow.states.map(step) }),
    ...(workflow.transitions && { transitions: workflow.transitions.map(step) }),
  }
}

/** The references of the original to trackers that were copied as well. */
function relationsWithin(
  names: ReadonlySet<string>,
  { hierarchy, triggers, semantics }: Required<TrackerDefinition>,
  copy: TrackerDefinition,
): Pick<TrackerDefinition, 'hierarchy' | 'triggers' | 'semantics'> {
  const { timeframe } = semantics
  const isImplied = timeframe && 'implied_from' in timeframe && names.has(timeframe.implied_from)
  return {
    hierarchy: { parent: names.has(hierarchy.parent ?? '') ? (hierarchy.parent ?? null) : null },
    triggers: triggers.filter(({ when }) => when.every(({ tracker }) => names.has(tracker))),
    semantics: { ...copy.semantics, ...(isImplied && { timeframe }) },
  }
}

async function insert(
  context: Context,
  work: WriteContext,
  project_id: ProjectId,
  document: TrackerDefinition,
): Promise<TrackerId> {
  const { tx } = work
  const considering = { context, viewer: UNRESTRICTED_VIEWER, project_id }
  const { read, build } = await acceptDefinition(tx, { document, problems: [] }, considering)
  const now = context.clock.now()
  const made = await insertTracker(work, project_id, read.named, (id) => build(tx, { id, project_id }), now)
  return made.id
}

async function redefine(
  context: Context,
  work: WriteContext,
  id: TrackerId,
  document: TrackerDefinition,
): Promise<void> {
  const { tx } = work
  const stored = await loadTracker(tx, id)
  if (!stored) throw new TypeError('It was just written.')
  const considering = { context, viewer: UNRESTRICTED_VIEWER, project_id: stored.project_id, stored }
  const { read, build } = await acceptDefinition(tx, { document, problems: [] }, considering)
  const after = { ...stored, ...(await build(tx, stored)), ...read.named }
  await saveTracker(work, stored, after, { now: context.clock.now() })
}
