import { fieldTypeOf } from '../fields/field-types.ts'
import type { Element, FieldId } from '../tracker.ts'

/** The elements in the order of the form: a container before what it holds, unused ones at the end. */
export function arranged(elements: readonly Element[]): Element[] {
  const used = elements.filter(({ is_used }) => is_used)
  const containers = new Set(used.filter((element) => fieldTypeOf(element).kind === 'container').map(({ id }) => id))
  // What stands in a container that is not used, or is gone, stands at the root.
  const placed = used.map((element) =>
    element.parent_id === null || containers.has(element.parent_id) ? element : { ...element, parent_id: null },
  )
  const below = (parent: FieldId | null): Element[] =>
    placed.filter(({ parent_id }) => parent_id === parent).flatMap((element) => [element, ...below(element.id)])
  return [...below(null), ...elements.filter(({ is_used }) => !is_used)]
}

/** The element in another place, with all that it holds. `next` null: the last one there. */
export function moved(
  elements: readonly Element[],
  moving: Element,
  place: { readonly parent_id: FieldId | null; readonly next: FieldId | null },
): Element[] {
  const rest = elements.filter(({ id }) => id !== moving.id)
  const at = place.next === null ? rest.length : rest.findIndex(({ id }) => id === place.next)
  return arranged([...rest.slice(0, at), { ...moving, parent_id: place.parent_id }, ...rest.slice(at)])
}

/** Whether an element may stand directly in a container; null: in the root. */
export function mayStandIn(element: Element, container: Element | null): boolean {
  if (container === null) return true
  if (element.type === 'fieldset') return false
  return element.type === 'column' ? container.type === 'fieldset' : fieldTypeOf(container).kind === 'container'
}
