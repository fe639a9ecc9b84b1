import { fieldType } from '../field-types/field-types.ts'
import type { Definition, FormElement } from './definition.ts'
import { toElementName } from './names.ts'

/** An insert position: in a container or at the top level, before the element at this index. */
export interface Slot {
  readonly parent: string | null
  readonly index: number
}

export function* everyElement(elements: readonly FormElement[]): Generator<FormElement> {
  for (const element of elements) {
    yield element
    yield* everyElement(element.content ?? [])
  }
}

/** All elements, on the form and unused. */
export function elementsOf({ elements, unused_elements }: Definition): FormElement[] {
  return [...everyElement(elements), ...unused_elements]
}

export function findFormElement(definition: Definition, name: string): FormElement | undefined {
  return elementsOf(definition).find((each) => each.name === name)
}

export function changeElement(
  definition: Definition,
  name: string,
  change: (old: FormElement) => FormElement,
): Definition {
  const walk = (elements: readonly FormElement[]): FormElement[] =>
    elements.map((each) => {
      if (each.name === name) return change(each)
      return each.content ? { ...each, content: walk(each.content) } : each
    })
  return {
    ...definition,
    elements: walk(definition.elements),
    unused_elements: walk(definition.unused_elements),
  }
}

function without(elements: readonly FormElement[], name: string): FormElement[] {
  return elements
    .filter((each) => each.name !== name)
    .map((each) => (each.content ? { ...each, content: without(each.content, name) } : each))
}

function withAt(elements: readonly FormElement[], { parent, index }: Slot, added: FormElement): FormElement[] {
  if (parent === null) return elements.toSpliced(index, 0, added)
  return elements.map((each) => {
    if (!each.content) return each
    const content =
      each.name === parent ? each.content.toSpliced(index, 0, added) : withAt(each.content, { parent, index }, added)
    return { ...each, content }
  })
}

/** Fieldsets are top-level, columns are top-level or in fieldsets, and other elements can be anywhere. */
function mayStandIn(element: FormElement, parent: FormElement | null): boolean {
  const { kind, isSection } = fieldType(element)
  if (isSection) return parent === null
  return kind !== 'container' || parent === null || !fieldType(parent).isSideBySide
}

/** All valid positions of an element, in document order. `elements` excludes the element itself. */
function slotsFor(element: FormElement, elements: readonly FormElement[], parent: FormElement | null = null): Slot[] {
  const isFit = mayStandIn(element, parent)
  const at = (index: number): Slot[] => (isFit ? [{ parent: parent?.name ?? null, index }] : [])
  return [
    ...at(0),
    ...elements.flatMap((each, index) => [
      ...(each.content ? slotsFor(element, each.content, each) : []),
      ...at(index + 1),
    ]),
  ]
}

function slotOf(name: string, elements: readonly FormElement[], parent: string | null = null): Slot | undefined {
  const index = elements.findIndex((each) => each.name === name)
  if (index !== -1) return { parent, index }
  for (const each of elements) {
    const found = slotOf(name, each.content ?? [], each.name)
    if (found) return found
  }
  return undefined
}

/** The previous or next position, also into and out of containers; undefined at the end. */
export function neighbour(definition: Definition, name: string, step: -1 | 1): Slot | undefined {
  const { elements } = definition
  const element = [...everyElement(elements)].find((each) => each.name === name)
  const current = slotOf(name, elements)
  if (!element || !current) return undefined
  const slots = slotsFor(element, without(elements, name))
  const at = slots.findIndex(({ parent, index }) => parent === current.parent && index === current.index)
  return at === -1 ? undefined : slots[at + step]
}

/** Moves an element; an invalid target is ignored. The index does not count the element itself. */
export function moveElement(definition: Definition, name: string, slot: Slot): Definition {
  const element = findFormElement(definition, name)
  if (!element) return definition
  const elements = without(definition.elements, name)
  const isFree = slotsFor(element, elements).some(({ parent, index }) => parent === slot.parent && index === slot.index)
  if (!isFree) return definition
  return {
    ...definition,
    elements: withAt(elements, slot, element),
    unused_elements: without(definition.unused_elements, name),
  }
}

export type Side = 'before' | 'inside' | 'after'

/** The position of a drop on an element; undefined if it is not allowed there. */
export function slotBeside(definition: Definition, name: string, target: string, side: Side): Slot | undefined {
  const element = findFormElement(definition, name)
  if (!element || name === target) return undefined
  const elements = without(definition.elements, name)
  const beside = slotOf(target, elements)
  if (!beside) return undefined
  const inner = [...everyElement(elements)].find((each) => each.name === target)?.content
  const slot =
    side === 'inside'
      ? { parent: target, index: inner?.length ?? 0 }
      : { ...beside, index: beside.index + (side === 'after' ? 1 : 0) }
  return slotsFor(element, elements).find(({ parent, index }) => parent === slot.parent && index === slot.index)
}

/** Appends an element to the form, or to the last container that accepts it. */
export function addElement(definition: Definition, added: FormElement, parent: string | null): Definition {
  const end = slotsFor(added, definition.elements).findLast((slot) => slot.parent === parent)
  const last = slotsFor(added, definition.elements).at(-1)
  const slot = end ?? last
  return slot ? { ...definition, elements: withAt(definition.elements, slot, added) } : definition
}

/** The children of a container take its position. */
export function takeOutOfUse(definition: Definition, name: string): Definition {
  const element = [...everyElement(definition.elements)].find((each) => each.name === name)
  const slot = slotOf(name, definition.elements)
  if (!element || !slot) return definition
  const left = (element.content ?? []).reduce(
    (elements, each, at) => withAt(elements, { ...slot, index: slot.index + at }, each),
    without(definition.elements, name),
  )
  const unused = { ...element, content: element.content && [] }
  return { ...definition, elements: left, unused_elements: [...definition.unused_elements, unused] }
}

export function takeIntoUse(definition: Definition, name: string): Definition {
  const element = definition.unused_elements.find((each) => each.name === name)
  if (!element) return definition
  const unused_elements = definition.unused_elements.filter((each) => each !== element)
  return addElement({ ...definition, unused_elements }, element, null)
}

export function unusedElementName(definition: Definition, label: string, type: string): string {
  return toElementName(label, type, new Set(elementsOf(definition).map(({ name }) => name)))
}
