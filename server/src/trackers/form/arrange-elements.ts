import { fieldTypeOf } from '../field-types/field-types.ts'
import type { Element, FieldId } from '../tracker.ts'

/** The elements in form order: containers before their content, unused elements last. */
export function arranged(elements: readonly Element[]): Element[] {
  const used = elements.filter(({ is_used }) => is_used)
  const containers = new Set(used.filter((element) => fieldTypeOf(element).kind === 'container').map(({ id }) => id))
  // Elements of an unused or deleted container move to the root.
  const placed = used.map((element) =>
    element.parent_id === null || containers.has(element.parent_id) ? element : { ...element, parent_id: null },
  )
  const below = (parent: FieldId | null): Element[] =>
    placed.filter(({ parent_id }) => parent_id === parent).flatMap((element) => [element, ...below(element.id)])
  return [...below(null), ...elements.filter(({ is_used }) => !is_used)]
}

/** Moves an element with its content. `next` null: to the end. */
export function moved(
  elements: readonly Element[],
  moving: Element,
  place: { readonly parent_id: FieldId | null; readonly next: FieldId | null },
): Element[] {
  const rest = elements.filter(({ id }) => id !== moving.id)
  const at = place.next === null ? rest.length : rest.findIndex(({ id }) => id === place.next)
  return arranged([...rest.slice(0, at), { ...moving, parent_id: place.parent_id }, ...rest.slice(at)])
}

/** Whether a container may directly contain the element; null: the root. */
export function mayStandIn(element: Element, container: Element | null): boolean {
  if (container === null) return true
  const { container: level } = fieldTypeOf(element)
  if (level === 'outer') return false
  const { container: around } = fieldTypeOf(container)
  return level === 'inner' ? around === 'outer' : around !== undefined
}
