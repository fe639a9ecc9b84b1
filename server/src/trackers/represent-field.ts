import type { Describing } from './field-types/field-type.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { groupOfTracker } from './groups-of-tracker.ts'
import type { GroupOfTracker, TrackerField } from './schemas.ts'
import type { TrackerAccess } from './tracker-access.ts'
import type { Element, FieldId, GroupNumber } from './tracker.ts'

/** Effects of the artifact's state on the form. */
export interface FormState {
  readonly frozen: ReadonlySet<FieldId>
  readonly hidden: ReadonlySet<FieldId>
}

/** A field of the structure, as this viewer may see it. */
export function representField(
  element: Element,
  access: TrackerAccess,
  describing: Describing,
  state?: FormState,
): TrackerField {
  return {
    ...plainField(element, describing),
    permissions: permissionsOf(element, access, state),
    permissions_for_groups: access.administers ? groupsOf(element, describing) : null,
    ...(state && fieldTypeOf(element).container === 'outer' && { is_hidden: state.hidden.has(element.id) }),
  }
}

/** The same, regardless of permissions. */
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

function permissionsOf(
  element: Element,
  access: TrackerAccess,
  state: FormState | undefined,
): TrackerField['permissions'] {
  const isFrozen = state?.frozen.has(element.id) === true
  return [
    ...(access.mayRead(element) ? (['read'] as const) : []),
    ...(access.mayUpdate(element) && !isFrozen ? (['update'] as const) : []),
    ...(access.maySubmit(element) ? (['create'] as const) : []),
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

/** Deleted groups are omitted. */
export function groupsNamed(groups: readonly GroupNumber[], describing: Describing): GroupOfTracker[] {
  return groups.flatMap((number) => {
    const group = describing.group(number)
    return group ? [groupOfTracker(group)] : []
  })
}
