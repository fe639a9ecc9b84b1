import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Work } from '../../platform/http/work.ts'
import { platformZone } from '../../platform/operation/context.ts'
import { catalogueFor, text } from '../../platform/words/catalogue.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { type LoadedTracker, stamp } from '../../trackers/load-tracker.ts'
import type { FieldId, Trigger } from '../../trackers/tracker.ts'
import { checkDateRules } from '../../trackers/workflow/date-rules.ts'
import { checkListRules } from '../../trackers/workflow/dependencies.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { preActions } from '../../trackers/workflow/pre-actions.ts'
import { checkConditions, missingTransition, transitionOf } from '../../trackers/workflow/transition.ts'
import { type Child, firingTriggers } from '../../trackers/workflow/triggers.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { CHILD } from '../links/link-field.ts'
import { artifactColumns, findArtifacts } from '../reading/find-artifact.ts'
import { type Changes, refuse } from '../writing/draft.ts'
import { type Author, type Draft, merge } from '../writing/draft-version.ts'
import { effectsOf, findIn } from '../writing/effects.ts'
import { eventOf } from '../writing/event.ts'
import { reportOther } from '../writing/report.ts'
import { writeVersion } from '../writing/write-version.ts'
import { itsPlace } from '../visibility.ts'

export interface ChangedChild {
  readonly tracker: LoadedTracker
  readonly artifact: Artifact
}

/** What changed one of its children does to a parent: a version of the platform itself; undefined: nothing. */
export async function raiseParent(
  work: Work,
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

  const draft = draftRaise(author, parent, firing, child)
  const [seen] = work.isDryRun ? await findArtifacts(context, work.tx, author.viewer, [id]) : []
  const after = await writeVersion(work.tx, artifact, tracker, {
    changes: JSON.stringify(Object.fromEntries(draft.changes)),
    effects: effectsOf({ tracker, referenceKinds: context.referenceKinds }, artifact.field_values, draft.changes),
    comment: draft.comment,
    origin: { ...work.origin, viewer: { language: null, time_zone: null } },
    event: eventOf(parent, parent, draft),
    author: null,
    now: author.now,
  })
  if (!after) throw new ApiError('unavailable')
  if (seen) {
    await reportOther(work, author, seen, [...draft.changes.keys()])
    for (const rule of draft.rules) if (seen.sight.readable.some((each) => each.id === rule.field_id)) work.rule(rule)
  }
  return { tracker, artifact: after }
}

/**
 * Locked before its children are looked at: of two children that change at the same time, the second sees what became
 * of the first.
 */
async function lockParent({ context }: Author, tx: Tx, id: ArtifactId): Promise<ChangedChild | undefined> {
  await sql`select from artifact where artifact.id = ${id} for no key update`.execute(tx)
  const { rows } = await sql<Artifact & { stamp: string }>`
    select ${artifactColumns}, ${stamp} as stamp from artifact ${itsPlace}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const { stamp: seen, ...artifact } = row
  const tracker = await context.trackers.at(tx, artifact.tracker_id, seen)
  return tracker && { tracker, artifact }
}

async function findChildren(tx: Tx, parent: ArtifactId): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select artifact.id, artifact.tracker_id, artifact.field_values as "values"
    from artifact_link link join artifact on artifact.id = link.target_id
    where link.source_id = ${parent} and link.type = ${CHILD} and artifact.deleted_on is null`.execute(tx)
  return rows
}

/** Through the workflow of the parent, as any change; but the platform needs no right. */
function draftRaise(author: Author, parent: ChangedChild, firing: readonly Trigger[], child: ChangedChild): Draft {
  const { context, now } = author
  const { tracker, artifact } = parent
  const stored = artifact.field_values
  const changes = new Map<FieldId, unknown>()
  for (const { field_id, value } of firing) if (!changes.has(field_id)) changes.set(field_id, [value])
  const frozen = frozenFields(tracker, stored)
  if ([...changes.keys()].some((field) => frozen.has(field)))
    throw new ApiError('rule_violated', { cause: 'field_frozen' })

  const platform = { tracker, groups: new Set<number>(), mayRead: () => true }
  const comment = commentOn(author, tracker, child)
  const wrong = missingTransition(platform, stored, changes)
  if (wrong) refuse([wrong])
  const transition = transitionOf(tracker, stored, changes)
  if (transition) {
    const merged = merge(stored, changes)
    refuse(checkConditions(platform, transition, { merged, comment: comment.body, isWorkflowUser: true }))
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
  if (dependency) refuse([dependency])
  const times = { submitted_on: artifact.submitted_on, last_modified_date: now, dayZone: platformZone(context) }
  refuse(checkDateRules(platform, merged, times))
}

/** Names the child as references do, so that only whoever may see it is led there. */
function commentOn({ context }: Author, tracker: LoadedTracker, child: ChangedChild): NonNullable<Draft['comment']> {
  const words = catalogueFor([context.settings.current.language])
  const body = `<p>${text(words, 'trigger.comment', { child: `${child.tracker.item_name} #${child.artifact.id}` })}</p>`
  const format = 'html'
  const references = findIn({ tracker, referenceKinds: context.referenceKinds }, 0, { format, content: body })
  return { body, format, groups: null, references }
}

function ruleOf(tracker: LoadedTracker, { field_id, value }: Trigger) {
  const field = tracker.byId.get(field_id)
  const label = field?.bind?.type === 'static' ? field.bind.values.find(({ id }) => id === value)?.label : undefined
  return { rule: 'trigger', name: `${field?.label ?? ''}: ${label ?? ''}`, effect: 'set', field_id }
}
