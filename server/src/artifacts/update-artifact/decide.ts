import type { AppliedRule } from '../../platform/http/write-context.ts'
import { findGroupIn } from '../../trackers/binds/population.ts'
import { ValueFault, type FieldWriteContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { isOn } from '../../trackers/field-types/properties.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Element, FieldId } from '../../trackers/tracker.ts'
import { type NewAttachment, planAttaching } from '../attachments/plan-attaching.ts'
import { planLinks } from '../links/plan-links.ts'
import type { ReverseLink } from '../links/link-planning.ts'
import { buildReadContext } from '../reading/read-context.ts'
import { readComment } from './comment.ts'
import { decideRules } from './decide-rules.ts'
import { decideValues, findItems, type GivenItems } from './decide-values.ts'
import { lookupsOf } from './lookups.ts'
import type { ArtifactValues } from './schemas.ts'
import type { Author, Changes, VersionDraft, WriteTarget } from './version-draft.ts'

/** Writes to other rows, collected while values are parsed. */
interface Beside {
  readonly reverse: ReverseLink[]
  readonly attached: NewAttachment[]
}

interface DecideOptions {
  /** Only single values are validated. */
  readonly isFree?: boolean
  /** Initial values instead of defaults. */
  readonly beginning?: Changes
}

/** Decides which version a write stores: its values first, then the rules between them. Writes nothing. */
export async function decideVersion(
  author: Author,
  target: WriteTarget,
  input: ArtifactValues,
  { isFree = false, beginning }: DecideOptions = {},
): Promise<VersionDraft> {
  const { access, found } = target
  const { tracker } = access
  const beside: Beside = { reverse: [], attached: [] }
  const given = findItems(access, input, !found)
  const changes = await decideValues({
    access,
    given,
    stored: found?.artifact.field_values,
    isFree,
    isDryRun: author.isDryRun ?? false,
    beginning,
    reading: found && (await buildReadContext(author, found, fieldsIn(given))),
    writing: (element) => buildFieldWriteContext(author, target, element, beside),
  })
  const comment = input.comment ? readComment(author, access, input.comment) : null
  const copied = beginning ? copiedFiles(tracker, changes, given, beginning) : new Set<FieldId>()
  const rules = found ? [] : defaultRules(tracker, changes, given, beginning)
  const draft = { changes, comment, transition: undefined, ...beside, copied, rules }
  if (isFree || !hasRules(tracker) || (found && changes.size === 0 && !comment)) return draft
  const ruled = decideRules(author, target, changes, comment)
  return { ...draft, ...ruled, rules: [...rules, ...ruled.rules] }
}

/** An idle write adds no version to the history. */
export function isIdle({ changes, comment, reverse }: VersionDraft): boolean {
  return changes.size === 0 && !comment && reverse.length === 0
}

/** Without a workflow and rules, no value depends on another one. */
function hasRules({ workflow, rules }: LoadedTracker): boolean {
  return workflow?.is_used === true || rules.lists.length > 0 || rules.dates.length > 0
}

function copiedFiles(
  tracker: LoadedTracker,
  changes: Changes,
  given: GivenItems,
  beginning: Changes,
): ReadonlySet<FieldId> {
  const replaced = new Set(fieldsIn(given).map(({ id }) => id))
  return new Set(
    [...beginning.keys()].filter((id) => {
      const element = tracker.byId.get(id)
      return element && changes.has(id) && !replaced.has(id) && fieldTypeOf(element).files
    }),
  )
}

/** Default values of a new artifact, for the report of a dry run. */
function defaultRules(
  tracker: LoadedTracker,
  changes: Changes,
  given: GivenItems,
  beginning: Changes | undefined,
): AppliedRule[] {
  const sent = new Set([...fieldsIn(given).map(({ id }) => id), ...(beginning?.keys() ?? [])])
  return [...changes.keys()]
    .filter((id) => !sent.has(id))
    .map((id) => ({ rule: 'default', name: tracker.byId.get(id)?.name ?? '', effect: 'set', field_id: id }))
}

function fieldsIn({ items }: GivenItems): Element[] {
  return items.map(({ element }) => element)
}

/** The context in which a field parses its value. Most types need little of it, so lookups and zones are lazy. */
export function buildFieldWriteContext(
  author: Author,
  { access, found }: WriteTarget,
  element: Element,
  beside: Beside = { reverse: [], attached: [] },
): FieldWriteContext {
  const { context, db, viewer, now } = author
  const { tracker } = access
  const lookups = () => author.lookups ?? lookupsOf(author)
  const stored = found?.artifact.field_values[String(element.id)]
  return {
    viewer,
    now,
    get zone() {
      return viewer.time_zone ?? context.settings.current.time_zone
    },
    get dayZone() {
      return context.settings.current.time_zone
    },
    tracker,
    stored,
    viewerGroups: access.groups,
    administers: access.administers,
    choose: (field, wanted, kept) => lookups().choose(tracker, field, wanted, kept),
    listOffered: (field) => lookups().listOffered(tracker, field),
    findGroup: (given, byName) => findGroupIn(tracker, given, byName),
    findOpenValue: (field, given) => lookups().findOpenValue(field, given),
    async link(request) {
      const { project_id } = tracker
      const editsReverse = isOn(element.properties['can_edit_reverse_links'])
      const planning = { context, db, viewer, project_id, found, editsReverse, stored: linksOf(stored) }
      const plan = await planLinks({ ...planning, lookups: lookups() }, request)
      // Reverse links do not change the value of this field, but need the permission to write it.
      if (plan.reverse.length > 0 && !(found ? access.mayUpdate(element) : access.maySubmit(element)))
        throw new ValueFault('field_not_writable', { cause: found ? 'field_not_updatable' : 'field_not_submittable' })
      beside.reverse.push(...plan.reverse)
      return plan.forward
    },
    async attach(files) {
      const artifact = found?.artifact.id
      const planning = { viewer, now, artifact, field: element.id, refusals: author.refusedFiles }
      beside.attached.push(...(await planAttaching({ ...planning, lookups: lookups() }, files)))
    },
  }
}

function linksOf(stored: unknown): Record<string, string> {
  return typeof stored === 'object' && stored !== null ? { ...stored } : {}
}
