import { suggestName } from '../../platform/wire/nearest.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ErrorProblem, Reason } from '../../platform/messages/reasons.ts'
import {
  type FieldWriteContext,
  type ReadContext,
  ValueFault,
  type WriteItem,
} from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import { frozenFields } from '../../trackers/workflow/frozen-fields.ts'
import { isHidden } from '../../trackers/workflow/hidden-rules.ts'
import { toFieldReference } from '../../trackers/workflow/list-values.ts'
import { missingTransition } from '../../trackers/workflow/transition.ts'
import { describeChoices, MAX_LISTED_CHOICES } from './refused-choice.ts'
import type { ArtifactValues } from './schemas.ts'
import { itemOfCell, showsValue, TableCell } from './table-cell.ts'
import type { Changes } from './version-draft.ts'

/** A value sent by a client, and its field. */
export interface GivenItem {
  readonly element: Element
  readonly item: WriteItem
  /** The item as sent, to compare it with the representation. */
  readonly raw: Readonly<Record<string, unknown>>
  /** The path in the input: `values[2]`. */
  readonly path: string
  /** The cell of a table, from which `item` is made once the stored value is known. */
  readonly cell?: TableCell
}

export interface GivenItems {
  readonly items: readonly GivenItem[]
  readonly problems: readonly ErrorProblem[]
}

/** Finds the fields of the values. A field that the caller may neither read nor write is unknown. */
export function findItems(
  access: TrackerAccess,
  { values, values_by_field }: ArtifactValues,
  isNew = false,
): GivenItems {
  const items: GivenItem[] = []
  const problems: ErrorProblem[] = []
  const known = () => access.tracker.elements.filter((element) => isKnown(access, element, isNew))
  const add = (
    element: Element | undefined,
    item: WriteItem,
    raw: GivenItem['raw'],
    path: string,
    name?: string,
    cell?: TableCell,
  ) => {
    if (!element || !isKnown(access, element, isNew))
      problems.push({
        reason: 'reference_unknown',
        cause: 'field_unknown',
        path,
        rule: 'exists',
        ...instead(known(), name),
      })
    else if (items.some((each) => each.element.id === element.id))
      problems.push({ reason: 'field_duplicate', path, rule: 'unique', ...toFieldReference(element) })
    else items.push({ element, item, raw, path, ...(cell && { cell }) })
  }
  for (const [at, raw] of (values ?? []).entries()) {
    const element = access.tracker.elements.find(({ id }) => id === raw.field_id)
    add(element, { ...raw, byName: false }, raw, `values[${at}]`)
  }
  for (const [name, given] of Object.entries(values_by_field ?? {})) {
    if (given instanceof TableCell) {
      add(access.tracker.byName.get(name), { byName: true }, {}, given.column, name, given)
      continue
    }
    const raw = isRecord(given) ? given : { value: given }
    add(access.tracker.byName.get(name), { ...raw, byName: true }, raw, `values_by_field.${name}`, name)
  }
  return { items, problems }
}

/** The fields that can be given instead: by name, or by id if the client sent one. */
function instead(
  known: readonly Element[],
  name: string | undefined,
): Pick<ErrorProblem, 'allowed' | 'nearest' | 'params'> {
  const listed = known.slice(0, MAX_LISTED_CHOICES)
  if (name === undefined) return { allowed: listed.map(({ id, label }) => ({ id, label })) }
  const names = known.map((element) => element.name)
  return { allowed: listed.map((element) => element.name), params: { name }, ...suggestName(name, names) }
}

/**
 * A submitter may be unable to read the field back. After creation the field is unknown to them; otherwise guesses
 * would reveal the stored value.
 */
function isKnown(access: TrackerAccess, element: Element, isNew: boolean): boolean {
  if (!element.is_used || fieldTypeOf(element).kind !== 'field') return false
  return access.mayRead(element) || (isNew && access.maySubmit(element))
}

interface Deciding {
  readonly access: TrackerAccess
  readonly given: GivenItems
  /** Undefined for a new artifact. */
  readonly stored: StoredValues | undefined
  /** The current values as this caller reads them, to recognise values that are only echoed. */
  readonly reading: ReadContext | undefined
  /** No required fields, and no workflow transition. */
  readonly isFree?: boolean
  /** In a dry run, a state that the caller may not read freezes nothing. */
  readonly isDryRun?: boolean
  /** Initial values where nothing is sent; for a copy, those of the source. */
  readonly beginning?: Changes | undefined
  writing(element: Element): FieldWriteContext
}

/** Parses and validates every sent value, and adds defaults. Reports all problems at once, in form order. */
export async function decideValues(deciding: Deciding): Promise<Changes> {
  const { access, given, stored, isFree = false } = deciding
  const byField = new Map(given.items.map((item) => [item.element.id, item]))
  const frozen = frozenNow(deciding)
  const changes = new Map<FieldId, unknown>()
  const problems: ErrorProblem[] = []
  for (const element of access.tracker.elements) {
    const type = fieldTypeOf(element)
    if (!element.is_used || type.kind !== 'field') continue
    const item = withItemOfCell(byField.get(element.id), stored)
    const isFrozen = frozen.has(element.id)
    try {
      const value = item ? await readItem(deciding, item, isFrozen) : await valueOfNothing(deciding, element, isFrozen)
      if (value !== UNCHANGED) changes.set(element.id, value)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      const choices = await describeChoices(access, element, error, item?.raw, deciding.writing(element))
      problems.push({ ...problemOf(error, element, item), ...choices })
    }
  }
  const isGuarded = access.tracker.workflow?.is_used === true && !isFree
  const wrong = isGuarded ? missingTransition(access, stored, changes) : undefined
  if (wrong) problems.push({ ...wrong, path: pathOfTransition(byField, wrong.field_id) })
  const rank = new Map(access.tracker.elements.map(({ id }, at) => [Number(id), at]))
  const rankOf = ({ field_id = 0 }: ErrorProblem) => rank.get(field_id) ?? 0
  throwProblems([...given.problems, ...problems.toSorted((one, other) => rankOf(one) - rankOf(other))])
  return changes
}

/** Undefined if the cell sets nothing. */
function withItemOfCell(given: GivenItem | undefined, stored: StoredValues | undefined): GivenItem | undefined {
  if (!given?.cell) return given
  const raw = itemOfCell(given.cell, given.element, stored)
  return raw && { ...given, raw: { ...raw }, item: { ...raw, byName: true } }
}

const UNCHANGED = Symbol('unchanged')
/** Members of an item that carry its value. */
const WRITE_KEYS = ['bind_value_ids', 'links', 'all_links', 'manual_value', 'value', 'add', 'remove'] as const

/** The value to store; `UNCHANGED` keeps the stored one. */
async function readItem(deciding: Deciding, given: GivenItem, isFrozen: boolean): Promise<unknown> {
  const { stored, reading, isFree } = deciding
  const { element, raw } = given
  const type = fieldTypeOf(element)
  const before = stored?.[String(element.id)]
  const isUnchanged = (shown: ReadContext) =>
    given.cell
      ? showsValue(given.cell, type.flat?.(before, element, shown))
      : isEcho(raw, type.read?.(before, element, shown))
  if (reading && isUnchanged(reading)) return UNCHANGED
  if (!type.write) return UNCHANGED
  const value = await readGiven(deciding, given)
  const isEmpty = type.isEmpty?.(value) === true
  const isSame = before === undefined ? stored !== undefined && isEmpty : type.isSame?.(before, value)
  if (!isSame && !mayWrite(deciding, element)) throw notWritable(deciding)
  if (isEmpty && element.is_required && !isFree)
    throw new ValueFault('field_required', {
      rule: 'required',
      path: WRITE_KEYS.find((key) => raw[key] !== undefined) ?? 'value',
    })
  if (isSame) return UNCHANGED
  if (isFrozen)
    throw new ValueFault('rule_violated', { cause: hasHiddenState(deciding) ? 'hidden_rule' : 'field_frozen' })
  return value
}

function frozenNow(deciding: Deciding): ReadonlySet<FieldId> {
  const { access, stored, isDryRun = false } = deciding
  if (!stored || !access.tracker.workflow?.is_used || (isDryRun && hasHiddenState(deciding))) return new Set()
  return frozenFields(access.tracker, stored)
}

function hasHiddenState({ access }: Deciding): boolean {
  const { workflow } = access.tracker
  return workflow !== null && isHidden(access, workflow.field_id)
}

const RULES: ReadonlySet<Reason> = new Set(['value_not_allowed', 'not_found'])

/** Missing permission on the field takes precedence over violated rules of its type. */
async function readGiven(deciding: Deciding, { element, item }: GivenItem): Promise<unknown> {
  const type = fieldTypeOf(element)
  try {
    return await type.write?.(item, element, deciding.writing(element))
  } catch (error) {
    const isRule = error instanceof ValueFault && RULES.has(error.reason)
    throw isRule && !mayWrite(deciding, element) ? notWritable(deciding) : error
  }
}

async function valueOfNothing(deciding: Deciding, element: Element, isFrozen: boolean): Promise<unknown> {
  const { access, stored, isFree } = deciding
  const type = fieldTypeOf(element)
  const demands = element.is_required && !isFree
  if (stored) {
    // A frozen field cannot be required, because no one may set it in this state.
    const isMissing = demands && !isFrozen && access.mayUpdate(element) && type.isEmpty?.(stored[String(element.id)])
    if (isMissing) throw new ValueFault('field_required', { rule: 'required' })
    return UNCHANGED
  }
  const { beginning } = deciding
  const value = beginning?.has(element.id)
    ? beginning.get(element.id)
    : await type.defaultFor?.(element, deciding.writing(element))
  const isEmpty = value === undefined || type.isEmpty?.(value) === true
  if (isEmpty && demands && access.maySubmit(element)) throw new ValueFault('field_required', { rule: 'required' })
  return value === undefined ? UNCHANGED : value
}

function mayWrite({ access, stored }: Deciding, element: Element): boolean {
  // Types that only the platform writes report that themselves.
  return !fieldTypeOf(element).isWritable || (stored ? access.mayUpdate(element) : access.maySubmit(element))
}

function notWritable({ stored }: Deciding): ValueFault {
  return new ValueFault('field_not_writable', { cause: stored ? 'field_not_updatable' : 'field_not_submittable' })
}

function problemOf({ reason, details }: ValueFault, element: Element, item: GivenItem | undefined): ErrorProblem {
  const { path: within, ...rest } = details
  const path = item && (within === undefined || item.cell ? item.path : joined(item.path, within))
  return { reason, ...(path !== undefined && { path }), ...rest, ...toFieldReference(element) }
}

function joined(path: string, within: string): string {
  return within.startsWith('[') ? `${path}${within}` : `${path}.${within}`
}

function pathOfTransition(items: ReadonlyMap<number, GivenItem>, field: number | undefined): string {
  const item = items.get(field ?? 0)
  if (!item) return 'values'
  if (item.cell) return item.path
  return item.item.bind_value_ids === undefined ? `${item.path}.value` : `${item.path}.bind_value_ids[0]`
}

/** Throws all problems, with the first as the reason. */
export function throwProblems(problems: readonly ErrorProblem[]): void {
  const [first] = problems
  if (!first) return
  const { reason, field_id: _field, name: _name, label: _label, ...details } = first
  throw new ApiError<Reason>(reason, { ...details, all: problems })
}

/** A value that is sent back as read changes nothing, whatever the field type. `shown` is its representation. */
function isEcho(sent: Readonly<Record<string, unknown>>, shown: object | undefined): boolean {
  if (!shown || ASKED.some((name) => (sent[name] ?? null) !== null && !(name in shown))) return false
  const members = Object.entries(shown).filter(([name]) => name !== 'field_id' && name !== 'type' && name !== 'label')
  return members.every(([name, value]) => isSameJson(sent[name], value))
}

/** These members request a change unless the representation has them too. */
const ASKED = ['value', 'add', 'remove']

/** XML has no types: a number is its digits, and null is an empty text. */
function isSameJson(sent: unknown, shown: unknown): boolean {
  if (sent === shown) return true
  if (sent === '') return shown === null || (typeof shown === 'object' && Object.keys(shown).length === 0)
  if (typeof sent === 'string')
    return (typeof shown === 'number' || typeof shown === 'boolean') && sent === String(shown)
  if (typeof sent !== 'object') return false
  if (Array.isArray(sent) && Array.isArray(shown))
    return sent.length === shown.length && sent.every((each, at) => isSameJson(each, shown[at]))
  if (!isRecord(sent) || !isRecord(shown)) return false
  const names = new Set([...Object.keys(sent), ...Object.keys(shown)])
  return [...names].every((name) => isSameJson(sent[name], shown[name]))
}

/** True if there are labels of open lists that do not exist yet. */
export function hasNewValues(changes: Changes): boolean {
  return [...changes.values()].some((value) => Array.isArray(value) && value.some(isNewValue))
}

export function isNewValue(value: unknown): value is { id: 0; label: string } {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === 0 && 'label' in value
}
