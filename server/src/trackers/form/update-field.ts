import { type Static, Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { describingOf } from '../binds/describing.ts'
import { uniqueName, slug } from '../definition/make-name.ts'
import { ValueLimit } from '../definition/schemas.ts'
import { changeTracker } from '../change-tracker.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { findElementToChange } from '../find-part.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import { plainField } from '../represent-field.ts'
import { TrackerField } from '../schemas.ts'
import { newPartIds } from '../store-tracker.ts'
import type { Element, FieldId, ListValue, ListValueId, StaticBind, Tracker } from '../tracker.ts'
import { arranged, mayStandIn, moved } from './arrange-elements.ts'
import { reportElement } from './element-report.ts'
import { renamedIn } from './names-in-reports.ts'
import { requireUnneeded } from './uses-of-field.ts'

const NAME = /^[a-z0-9_-]+$/

const Body = Type.Object({
  label: Type.Optional(Type.String({ trim: true, minLength: 1, maxLength: 255 })),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Small letters, digits, `_` and `-`.' }),
  ),
  description: Type.Optional(Type.String({ maxLength: 65_535 })),
  use_it: Type.Optional(Type.Boolean()),
  new_values: Type.Optional(
    Type.Array(Type.String({ trim: true, minLength: 1, maxLength: 255 }), {
      maxItems: 1000,
      description: 'Appended to the values of a select box or of radio buttons.',
    }),
  ),
  limits: Type.Optional(
    Type.Array(Type.Object({ value_id: Type.Integer({ minimum: 1 }), limit: ValueLimit }), {
      maxItems: 1000,
      description: 'Limits of the columns that a board has for values of a select box or of radio buttons.',
    }),
  ),
  move: Type.Optional(
    Type.Object({
      parent_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: 'Null: the root.' })),
      next_sibling_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: 'Null: the last.' })),
    }),
  ),
})
type Body = Static<typeof Body>

export const updateField = writeRoute({
  method: 'PATCH',
  path: '/tracker_fields/:id',
  operationId: 'updateTrackerField',
  summary: 'Rename, describe, use or move an element of a tracker, add values to it, or limit them on boards.',
  description:
    'Changes one element of a form without the whole definition. Tracker administrators. Elements that the semantics or the workflow need cannot become unused: 400.',
  access: 'signed_in',
  action: 'tracker.field',
  notifies: true,
  params: { id: idParam<FieldId>('The element.') },
  body: Body,
  answer: TrackerField,
  async handle({ context, viewer, params, body, language }, work) {
    const { name } = body
    if (name !== undefined && !NAME.test(name)) throw new ApiError('name_invalid', { path: 'name', rule: 'pattern' })
    const { access, element } = await findElementToChange(context, work.tx, viewer, params.id)
    const { tracker } = access
    await requireAllowed(context, work.tx, tracker, element, body)

    const changed = await withChanges(work.tx, tracker, element, body)
    const after = withElement(tracker, element, changed, body)
    const report = reportElement(element.id, tracker.elements, after.elements)
    await changeTracker(work, tracker, after, { now: context.clock.now(), report })

    const saved = { ...tracker, ...after }
    const describing = await describingOf(context, work.tx, viewer, { tracker: saved, readable: [] }, language, [
      changed,
    ])
    return { body: plainField(changed, describing) }
  },
})

async function requireAllowed(
  context: Pick<Context, 'trackers'>,
  tx: Tx,
  tracker: LoadedTracker,
  element: Element,
  { name, use_it, new_values, limits }: Body,
): Promise<void> {
  if (tracker.elements.some((each) => each.name === name && each.id !== element.id))
    throw new ApiError('name_taken', { path: 'name', rule: 'unique' })
  if (new_values && !hasOwnValues(element))
    throw new ApiError('parameter_not_allowed', { path: 'new_values', rule: 'one_of', allowed: [] })
  if (limits) requireOwnValues(element, limits)
  const isAnother = ({ id, type, is_used }: Element) => is_used && type === element.type && id !== element.id
  if (use_it && fieldTypeOf(element).isSingle && tracker.elements.some(isAnother))
    throw new ApiError('duplicate_entry', { path: 'use_it', rule: 'unique' })
  if (use_it === false && element.is_used) {
    const { parent_id } = tracker
    requireUnneeded(tracker, parent_id === null ? undefined : await context.trackers.now(tx, parent_id), element)
  }
}

function requireOwnValues(element: Element, limits: NonNullable<Body['limits']>): void {
  if (!hasOwnValues(element))
    throw new ApiError('parameter_not_allowed', { path: 'limits', rule: 'one_of', allowed: [] })
  const known = new Set<number>(element.bind.values.map(({ id }) => id))
  const missing = limits.findIndex(({ value_id }) => !known.has(value_id))
  if (missing >= 0) throw new ApiError('reference_unknown', { path: `limits[${missing}].value_id`, rule: 'exists' })
}

/** A shared field has the values of its original. */
function hasOwnValues(element: Element): element is Element & { bind: StaticBind } {
  const { bind, shared_from } = element
  return fieldTypeOf(element).list === 'one' && bind?.type === 'static' && shared_from === null
}

async function withChanges(tx: Tx, tracker: Tracker, element: Element, body: Body): Promise<Element> {
  const { label, name, description, use_it, new_values = [], limits = [] } = body
  return {
    ...element,
    label: label ?? element.label,
    name: name ?? element.name,
    description: description ?? element.description,
    is_used: use_it ?? element.is_used,
    bind: hasOwnValues(element)
      ? {
          ...element.bind,
          values: [
            ...limited(element.bind.values, limits),
            ...(await makeValues(tx, tracker, element.bind, new_values)),
          ],
        }
      : element.bind,
  }
}

function limited(values: readonly ListValue[], limits: NonNullable<Body['limits']>): ListValue[] {
  const given = new Map<number, number | null>(limits.map(({ value_id, limit }) => [value_id, limit]))
  return values.map((value) => {
    const next = given.get(value.id)
    if (next === undefined) return value
    const { limit: _, ...unlimited } = value
    return next === null ? unlimited : { ...unlimited, limit: next }
  })
}

async function makeValues(
  tx: Tx,
  tracker: Tracker,
  { values }: StaticBind,
  labels: readonly string[],
): Promise<ListValue[]> {
  const taken = new Set(values.map(({ key }) => key))
  const ids = await newPartIds(tx, tracker, 'value', labels.length)
  return labels.map((label, index) => {
    const key = uniqueName(slug(label) || 'value', (name) => taken.has(name))
    taken.add(key)
    return { id: toId<ListValueId>(ids[index] ?? 0), key, label, description: '', color: null, is_hidden: false }
  })
}

function withElement(
  tracker: LoadedTracker,
  before: Element,
  after: Element,
  { move }: Body,
): Pick<Tracker, 'reports' | 'elements'> {
  const reports =
    before.name === after.name
      ? tracker.reports
      : tracker.reports.map((report) => renamedIn(report, (name) => (name === before.name ? after.name : name)))
  const elements = arranged(tracker.elements.map((element) => (element.id === after.id ? after : element)))
  return { reports, elements: move ? moved(elements, after, placeOf(elements, after, move)) : elements }
}

function placeOf(
  elements: readonly Element[],
  moving: Element,
  { parent_id, next_sibling_id }: NonNullable<Body['move']>,
): { parent_id: FieldId | null; next: FieldId | null } {
  const find = (id: number) => elements.find((element) => element.id === id && element.is_used && id !== moving.id)
  if (!moving.is_used) throw new ApiError('parameter_conflict', { path: 'move' })
  const parent = parent_id == null ? null : find(parent_id)
  if (parent === undefined) throw new ApiError('reference_unknown', { path: 'move.parent_id', rule: 'exists' })
  if (!mayStandIn(moving, parent))
    throw new ApiError('parameter_not_allowed', { path: 'move.parent_id', rule: 'one_of' })
  const next = next_sibling_id == null ? null : find(next_sibling_id)
  if (next === undefined || (next && next.parent_id !== (parent?.id ?? null)))
    throw new ApiError('reference_unknown', { path: 'move.next_sibling_id', rule: 'exists' })
  return { parent_id: parent?.id ?? null, next: next?.id ?? null }
}
