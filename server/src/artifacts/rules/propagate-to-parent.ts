import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { platformZone } from '../../platform/operation/context.ts'
import { selectCatalogue, getMessage } from '../../platform/messages/catalogue.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { type LoadedTracker, accessVersion, isInActiveProject } from '../../trackers/load-tracker.ts'
import { getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, Trigger } from '../../trackers/tracker.ts'
import { checkDateRules } from '../../trackers/workflow/date-rules.ts'
import { checkListRules } from '../../trackers/workflow/dependencies.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { preActions } from '../../trackers/workflow/pre-actions.ts'
import { checkConditions, missingTransition, transitionOf } from '../../trackers/workflow/transition.ts'
import { type Child, firingTriggers } from '../../trackers/workflow/triggers.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { findArtifacts } from '../reading/find-artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { merge } from '../update-artifact/decide-rules.ts'
import { throwProblems } from '../update-artifact/decide-values.ts'
import { buildVersion } from '../update-artifact/derived-rows.ts'
import { reportOther } from '../update-artifact/dry-run-report.ts'
import { originElsewhere } from '../update-artifact/origin-elsewhere.ts'
import { appendVersion } from '../update-artifact/version-ctes.ts'
import type { Author, Changes, VersionDraft } from '../update-artifact/version-draft.ts'
import { joinTrackerAndProject } from '../visibility.ts'

export interface ChangedChild {
  readonly tracker: LoadedTracker
  readonly artifact: Artifact
}

/** Applies the triggers of a changed child to its parent, as a version by the platform; undefined if none fires. */
export async function propagateToParent(
  work: WriteContext,
  author: Author,
  id: ArtifactId,
  child: ChangedChild,
): Promise<ChangedChild | undefined> {
  const { context } = author
  const parent = await lockParent(author, work.tx, id)
  if (!parent) return undefined
  const { artifact, tracker } = parent
  const changed = { id: child.artifact.id, tracker_id: child.tracker.id, values: child.artifact.field_values }
  const firing = firingTriggers(tracker, artifact.field_values, changed, await findChildren(work.tx, id))
  if (firing.length === 0) return undefined

  const draft = draftPropagation(author, parent, firing)
  const [seen] = work.isDryRun ? await findArtifacts(context, work.tx, author.viewer, [id]) : []
  const viewer = { language: null, time_zone: null }
  const elsewhere = work.origin.isSilent
    ? originElsewhere(work.origin, await getTrackerAccess(work.tx, tracker, author.viewer))
    : work.origin
  const origin = { ...elsewhere, viewer }
  const version = buildVersion({ ...author, viewer }, { access: parent, found: parent }, draft, origin)
  const after = await appendVersion(work.tx, artifact, tracker, version)
  if (!after) throw new ApiError('unavailable')
  if (seen) {
    await reportOther(work, author, seen, [...draft.changes.keys()])
    for (const rule of draft.rules) if (seen.access.readable.some((each) => each.id === rule.field_id)) work.rule(rule)
  }
  return { tracker, artifact: after }
}

/** Locks the parent before reading its children: of two concurrent child changes, the second sees the first. */
async function lockParent({ context }: Author, tx: Tx, id: ArtifactId): Promise<ChangedChild | undefined> {
  await sql`select from artifact where artifact.id = ${id} for no key update`.execute(tx)
  const { rows } = await sql<Artifact & { stamp: string }>`
    select ${artifactColumns}, ${accessVersion} as stamp from artifact ${joinTrackerAndProject}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { stamp: seen, ...artifact } = row
  const tracker = await context.trackers.at(tx, artifact.tracker_id, seen)
  return tracker && isInActiveProject(tracker) ? { tracker, artifact } : undefined
}

async function findChildren(tx: Tx, parent: ArtifactId): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select artifact.id, artifact.tracker_id, artifact.field_values as "values"
    from artifact_link link join artifact on artifact.id = link.target_id
    where link.source_id = ${parent} and link.type = ${CHILD} and artifact.deleted_on is null`.execute(tx)
  return rows
}

/** Applies the workflow of the parent as for any change, without permission checks. */
function draftPropagation(author: Author, parent: ChangedChild, firing: readonly Trigger[]): VersionDraft {
  const { context, now } = author
  const { tracker, artifact } = parent
  const stored = artifact.field_values
  const changes = new Map<FieldId, unknown>()
  for (const { field_id, value } of firing) if (!changes.has(field_id)) changes.set(field_id, [value])
  const frozen = frozenFields(tracker, stored)
  if ([...changes.keys()].some((field) => frozen.has(field)))
    throw new ApiError('rule_violated', { cause: 'field_frozen' })

  const platform = { tracker, groups: new Set<number>(), mayRead: () => true }
  const comment = commentOn(author)
  const wrong = missingTransition(platform, stored, changes)
  if (wrong) throwProblems([wrong])
  const transition = transitionOf(tracker, stored, changes)
  if (transition) {
    const merged = merge(stored, changes)
    throwProblems(checkConditions(platform, transition, { merged, comment: comment.body, isWorkflowUser: true }))
    const zone = platformZone(context)
    for (const [id, value] of Object.entries(preActions(tracker, transition, { now, zone })))
      changes.set(toId<FieldId>(Number(id)), value)
  }
  checkRules(author, parent, changes)
  return {
    changes,
    comment,
    transition,
    reverse: [],
    attached: [],
    copied: new Set(),
    rules: firing.map((trigger) => ruleOf(tracker, trigger)),
  }
}

function checkRules({ context, now }: Author, { tracker, artifact }: ChangedChild, changes: Changes): void {
  const platform = { tracker, mayRead: () => true }
  const merged = merge(artifact.field_values, changes)
  const dependency = checkListRules(platform, merged)
  if (dependency) throwProblems([dependency])
  const times = { submitted_on: artifact.submitted_on, last_modified_date: now, dayZone: platformZone(context) }
  throwProblems(checkDateRules(platform, merged, times))
}

/** The comment names no child, because some readers of the parent may not see it. */
function commentOn({ context }: Author): NonNullable<VersionDraft['comment']> {
  const words = selectCatalogue([context.settings.current.language])
  return { body: `<p>${getMessage(words, 'trigger.comment')}</p>`, format: 'html', groups: null, references: [] }
}

function ruleOf(tracker: LoadedTracker, { field_id, value }: Trigger) {
  const field = tracker.byId.get(field_id)
  const label = field?.bind?.type === 'static' ? field.bind.values.find(({ id }) => id === value)?.label : undefined
  return { rule: 'trigger', name: `${field?.label ?? ''}: ${label ?? ''}`, effect: 'set', field_id }
}
