import { isDeepStrictEqual } from 'node:util'
import { toId } from '../../platform/database/ids.ts'
import type { AppliedRule } from '../../platform/http/write-context.ts'
import type { ErrorProblem } from '../../platform/messages/reasons.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { FieldId, StoredValues, Transition } from '../../trackers/tracker.ts'
import { checkDateRules } from '../../trackers/workflow/date-rules.ts'
import { checkListRules } from '../../trackers/workflow/dependencies.ts'
import { hasHiddenRules, mergeHidden, withoutHidden } from '../../trackers/workflow/hidden-rules.ts'
import { preActions } from '../../trackers/workflow/pre-actions.ts'
import { checkConditions, transitionOf } from '../../trackers/workflow/transition.ts'
import { throwProblems } from './decide-values.ts'
import type { Author, Changes, VersionComment, VersionDraft, WriteTarget } from './version-draft.ts'

type RuledVersion = Pick<VersionDraft, 'changes' | 'transition' | 'rules'>

/** Applies the rules of the tracker to values: conditions of the transition, its actions, dependencies, dates. */
export function decideRules(
  author: Author,
  target: WriteTarget,
  decided: Changes,
  comment: VersionComment | null,
): RuledVersion {
  const { access, found } = target
  const { tracker } = access
  const stored = found?.artifact.field_values
  const rules: AppliedRule[] = []
  const transition = transitionOf(tracker, stored, decided)
  if (transition)
    refuseRules(
      author,
      checkConditions(access, transition, { merged: merge(stored, decided), comment: comment?.body ?? '' }),
    )
  const changes = new Map(decided)
  for (const [field, value] of transition ? actionsOf(author, tracker, transition) : []) {
    if (isDeepStrictEqual(merge(stored, changes)[String(field)] ?? null, value)) continue
    rules.push({ rule: 'transition', name: nameOf(tracker, transition), effect: 'set', field_id: field })
    // A version stores differences only: an action may reset a sent value to the stored one.
    if (isDeepStrictEqual(stored?.[String(field)] ?? null, value)) changes.delete(field)
    else changes.set(field, value)
  }
  checkRules(author, target, merge(stored, changes))
  if (author.isDryRun && hasHiddenRules(access, transition))
    rules.push({ rule: 'hidden', name: '', effect: 'not_checked' })
  return { changes, transition, rules }
}

export function merge(stored: StoredValues | undefined, changes: Changes): StoredValues {
  return { ...stored, ...Object.fromEntries(changes) }
}

function actionsOf({ context, viewer, now }: Author, tracker: LoadedTracker, transition: Transition) {
  const zone = viewer.time_zone ?? context.settings.current.time_zone
  const set = preActions(tracker, transition, { now, zone })
  return Object.entries(set).map(([id, value]) => [toId<FieldId>(Number(id)), value] as const)
}

/** Checks rules between fields: dependencies first, then dates. */
function checkRules(author: Author, { access, found }: WriteTarget, merged: StoredValues): void {
  const { context, now } = author
  const wrong = checkListRules(access, merged)
  if (wrong) refuseRules(author, [wrong])
  const times = {
    submitted_on: found?.artifact.submitted_on ?? now,
    last_modified_date: now,
    dayZone: context.settings.current.time_zone,
  }
  refuseRules(author, mergeHidden(checkDateRules(access, merged, times)))
}

function refuseRules({ isDryRun }: Author, problems: readonly ErrorProblem[]): void {
  throwProblems(isDryRun ? withoutHidden(problems) : problems)
}

function nameOf(tracker: LoadedTracker, transition: Transition | undefined): string {
  const bind = tracker.workflow && tracker.byId.get(tracker.workflow.field_id)?.bind
  const label = (id: number | null | undefined) =>
    (bind?.type === 'static' && bind.values.find((each) => each.id === id)?.label) || 'New'
  return `${label(transition?.from)} to ${label(transition?.to)}`
}
