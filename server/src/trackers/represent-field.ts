import type { Describing } from './fields/field-type.ts'
import { fieldTypeOf } from './fields/field-types.ts'
import { groupOfTracker } from './groups-of-tracker.ts'
import type { GroupOfTracker, TrackerField } from './schemas.ts'
import type { Sight } from './sight.ts'
import type { Element, FieldId, GroupNumber } from './tracker.ts'

/** What the state of an artifact does to the form. */
export interface FormState {
  readonly frozen: ReadonlySet<FieldId>
  readonly hidden: ReadonlySet<FieldId>
}

/** A field as the structure shows it to this viewer. */
export function representField(
  element: Element,
  sight: Sight,
  describing: Describing,
  state?: FormState,
): TrackerField {
  return {
    ...plainField(element, describing),
    permissions: permissionsOf(element, sight, state),
    permissions_for_groups: sight.administers ? groupsOf(element, describing) : null,
    ...(state && element.type === 'fieldset' && { is_hidden: state.hidden.has(element.id) }),
  }
}

/** The same without regard to anybody's rights. */
export function plainField(element: Element, describing: Describing): TrackerField {
  const { values = null, default_value = null, specific_properties, bindings, extra } = described(element, describing)
  return {
    field_id: element.id,
    label: element.label,
    name: element.name,
    type: element.type,
    values,
    required: element.is_required,
    collapsed: false,
    bindings: { type: bindings?.type ?? null, list: [...(bindings?.list ?? [])] },
    permissions: [],
    permissions_for_groups: null,
    default_value,
    has_notifications: element.notifies,
    is_used: element.is_used,
    description: element.description,
    specific_properties: { ...(specific_properties ?? element.properties) },
    label_decorators: [],
    ...extra,
  }
}

function described(element: Element, describing: Describing) {
  return fieldTypeOf(element).describe?.(element, describing) ?? {}
}

function permissionsOf(element: Element, sight: Sight, state: FormState | undefined): TrackerField['permissions'] {
  const isFrozen = state?.frozen.has(element.id) === true
  return [
    ...(sight.mayRead(element) ? (['read'] as const) : []),
    ...(sight.mayUpdate(element) && !isFrozen ? (['update'] as const) : []),
    ...(sight.maySubmit(element) ? (['create'] as const) : []),
  ]
}

function groupsOf({ rights }: Element, describing: Describing): TrackerField['permissions_for_groups'] {
  if (rights === null) return null
  return {
    can_submit: groupsNamed(rights.submit, describing),
    can_read: groupsNamed(rights.read, describing),
    can_update: groupsNamed(rights.update, describing),
  }
}

/** A group that is gone is left out. */
export function groupsNamed(groups: readonly GroupNumber[], describing: Describing): GroupOfTracker[] {
  return groups.flatMap((number) => {
    const group = describing.group(number)
    return group ? [groupOfTracker(group)] : []
  })
}
