import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Catalogue } from '../../platform/words/catalogue.ts'
import type { ActedRule } from '../../platform/http/work.ts'
import { findGroupIn } from '../../trackers/binds/population.ts'
import { ValueFault, type Writing } from '../../trackers/fields/field-type.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import { isOn } from '../../trackers/fields/properties.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element, FieldId, StoredValues, Transition } from '../../trackers/tracker.ts'
import { checkDateRules } from '../../trackers/workflow/date-rules.ts'
import { checkListRules } from '../../trackers/workflow/dependencies.ts'
import { preActions } from '../../trackers/workflow/pre-actions.ts'
import { checkConditions, transitionOf } from '../../trackers/workflow/transition.ts'
import { type NewAttachment, planAttaching } from '../attachments/plan-attaching.ts'
import type { Refusals } from '../attachments/seal-named-files.ts'
import { planLinks, type ReverseLink } from '../links/plan-links.ts'
import type { FoundArtifact } from '../reading/find-artifact.ts'
import { readingOf } from '../reading/reading.ts'
import type { Comment } from './parts.ts'
import { type Changes, draftChanges, refuse } from './draft.ts'
import { findItems, type GivenItems } from './items.ts'
import { type Lookups, lookupsOf } from './lookups.ts'
import type { ArtifactValues } from './schemas.ts'
import { readComment } from './comment.ts'

/** Who writes, and when. */
export interface Author {
  readonly context: Context
  readonly db: Db | Tx
  readonly viewer: Viewer
  readonly language: Catalogue
  readonly now: Date
  /** Where what is looked up is shared with other drafts. */
  readonly lookups?: Lookups
  /** Files that cannot be attached, of those that were looked at before. */
  readonly refusedFiles?: Refusals | undefined
}

/** A version that passed every check and can be written. */
export interface Draft {
  readonly changes: Changes
  readonly comment: Comment | null
  readonly transition: Transition | undefined
  readonly reverse: readonly ReverseLink[]
  /** Free files that become attachments of the artifact. */
  readonly attached: readonly NewAttachment[]
  /** Fields that begin with the files of another artifact, of which it gets copies. */
  readonly copied: ReadonlySet<FieldId>
  readonly rules: readonly ActedRule[]
}

/** What a version writes beside its own values, gathered while they are read. */
interface Beside {
  readonly reverse: ReverseLink[]
  readonly attached: NewAttachment[]
}

export interface Target {
  readonly sight: Sight
  /** Undefined: it is made now. */
  readonly found: FoundArtifact | undefined
}

/**
 * Decides what a write would store: fields, then conditions of the transition, its actions, dependencies, dates.
 * `isFree`: each value is checked by itself, and that is all. `beginning`: what a new one has instead of defaults.
 */
export async function draftVersion(
  author: Author,
  target: Target,
  input: ArtifactValues,
  { isFree = false, beginning }: { readonly isFree?: boolean; readonly beginning?: Changes } = {},
): Promise<Draft> {
  const { sight, found } = target
  const { tracker } = sight
  const stored = found?.artifact.field_values
  const beside: Beside = { reverse: [], attached: [] }
  const given = findItems(sight, input, !found)
  const drafted = await draftChanges({
    sight,
    given,
    stored,
    isFree,
    beginning,
    reading: found && (await readingOf(author, found, fieldsIn(given))),
    writing: (element) => writingOf(author, target, element, beside),
  })
  const comment = readComment(author, sight, input.comment)
  const copied = copiedFiles(tracker, drafted, given, beginning)
  const plain = { changes: drafted, comment, transition: undefined, ...beside, copied }
  if (found && drafted.size === 0 && !comment) return { ...plain, rules: [] }

  const rules: ActedRule[] = defaultsAmong(
    tracker,
    drafted,
    [...given.items.map(({ element }) => element.id), ...(beginning?.keys() ?? [])],
    found,
  )
  if (isFree) return { ...plain, rules }
  const transition = transitionOf(tracker, stored, drafted)
  if (transition)
    refuse(checkConditions(sight, transition, { merged: merge(stored, drafted), comment: comment?.body ?? '' }))
  const changes = new Map(drafted)
  for (const [field, value] of transition ? actionsOf(author, tracker, transition) : []) {
    if (isDeepStrictEqual(merge(stored, changes)[String(field)] ?? null, value)) continue
    rules.push({ rule: 'transition', name: nameOf(tracker, transition), effect: 'set', field_id: field })
    // A version holds what has changed: what was sent and is overruled may be what was there before.
    if (isDeepStrictEqual(stored?.[String(field)] ?? null, value)) changes.delete(field)
    else changes.set(field, value)
  }
  checkRules(author, target, merge(stored, changes))
  return { ...plain, changes, transition, rules }
}

function copiedFiles(
  tracker: LoadedTracker,
  drafted: Changes,
  given: GivenItems,
  beginning: Changes | undefined,
): ReadonlySet<FieldId> {
  const replaced = new Set(fieldsIn(given).map(({ id }) => id))
  return new Set(
    [...(beginning?.keys() ?? [])].filter((id) => {
      const element = tracker.byId.get(id)
      return element && drafted.has(id) && !replaced.has(id) && fieldTypeOf(element).files
    }),
  )
}

function fieldsIn({ items }: GivenItems): Element[] {
  return items.map(({ element }) => element)
}

function actionsOf(author: Author, tracker: LoadedTracker, transition: Transition): [FieldId, unknown][] {
  const set = preActions(tracker, transition, { now: author.now, zone: zoneOf(author) })
  return Object.entries(set).map(([id, value]) => [toId<FieldId>(Number(id)), value])
}

/** What must hold between the fields of an artifact: dependencies first, then dates. */
function checkRules({ context, now }: Author, { sight, found }: Target, merged: StoredValues): void {
  const wrong = checkListRules(sight, merged)
  if (wrong) refuse([wrong])
  const times = {
    submitted_on: found?.artifact.submitted_on ?? now,
    last_modified_date: now,
    dayZone: context.settings.current.time_zone,
  }
  refuse(checkDateRules(sight, merged, times))
}

function zoneOf({ context, viewer }: Author): string {
  return viewer.time_zone ?? context.settings.current.time_zone
}

export function merge(stored: StoredValues | undefined, changes: Changes): StoredValues {
  return { ...stored, ...Object.fromEntries(changes) }
}

function defaultsAmong(
  tracker: LoadedTracker,
  changes: Changes,
  given: readonly FieldId[],
  found: FoundArtifact | undefined,
): ActedRule[] {
  if (found) return []
  return [...changes.keys()]
    .filter((id) => !given.includes(id))
    .map((id) => ({ rule: 'default', name: tracker.byId.get(id)?.name ?? '', effect: 'set', field_id: id }))
}

function nameOf(tracker: LoadedTracker, transition: Transition | undefined): string {
  const bind = tracker.workflow && tracker.byId.get(tracker.workflow.field_id)?.bind
  const label = (id: number | null | undefined) =>
    (bind?.type === 'static' && bind.values.find((each) => each.id === id)?.label) || 'New'
  return `${label(transition?.from)} to ${label(transition?.to)}`
}

export function writingOf(
  author: Author,
  { sight, found }: Target,
  element: Element,
  beside: Beside = { reverse: [], attached: [] },
): Writing {
  const { context, db, viewer, now, lookups = lookupsOf(author) } = author
  const { tracker } = sight
  const dayZone = context.settings.current.time_zone
  const stored = found?.artifact.field_values[String(element.id)]
  return {
    viewer,
    now,
    zone: zoneOf(author),
    dayZone,
    tracker,
    stored,
    viewerGroups: sight.groups,
    administers: sight.administers,
    choose: (field, wanted, kept) => lookups.choose(tracker, field, wanted, kept),
    findGroup: (given, byName) => findGroupIn(tracker, given, byName),
    findOpenValue: (field, given) => lookups.findOpenValue(field, given),
    async link(request) {
      const { project_id } = tracker
      const editsReverse = isOn(element.properties['can_edit_reverse_links'])
      const planning = { context, db, viewer, lookups, project_id, found, editsReverse, stored: linksOf(stored) }
      const plan = await planLinks(planning, request)
      // Links from elsewhere are no change of this field, and yet written by it.
      if (plan.reverse.length > 0 && !(found ? sight.mayUpdate(element) : sight.maySubmit(element)))
        throw new ValueFault('field_not_writable', { cause: found ? 'field_not_updatable' : 'field_not_submittable' })
      beside.reverse.push(...plan.reverse)
      return plan.forward
    },
    async attach(files) {
      const artifact = found?.artifact.id
      const planning = { lookups, viewer, now, artifact, field: element.id, refusals: author.refusedFiles }
      beside.attached.push(...(await planAttaching(planning, files)))
    },
  }
}

function linksOf(stored: unknown): Record<string, string> {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}
