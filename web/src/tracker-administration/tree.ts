import type { Definition, Element } from './definition.ts'
import { nameOf } from './names.ts'
import { typeOf } from './element-types.ts'

/** A place on the form: in a container, or beside them all, before the element that is there now. */
export interface Slot {
  readonly parent: string | null
  readonly index: number
}

export function* everyElement(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element
    yield* everyElement(element.content ?? [])
  }
}

/** The elements on the form, and with them those that are out of use. */
export function elementsOf({ elements, unused_elements }: Definition): Element[] {
  return [...everyElement(elements), ...unused_elements]
}

export function findElement(definition: Definition, name: string): Element | undefined {
  return elementsOf(definition).find((each) => each.name === name)
}

export function changeElement(definition: Definition, name: string, change: (old: Element) => Element): Definition {
  const walk = (elements: readonly Element[]): Element[] =>
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

function without(elements: readonly Element[], name: string): Element[] {
  return elements
    .filter((each) => each.name !== name)
    .map((each) => (each.content ? { ...each, content: without(each.content, name) } : each))
}

function withAt(elements: readonly Element[], { parent, index }: Slot, added: Element): Element[] {
  if (parent === null) return elements.toSpliced(index, 0, added)
  return elements.map((each) => {
    if (!each.content) return each
    const content =
      each.name === parent ? each.content.toSpliced(index, 0, added) : withAt(each.content, { parent, index }, added)
    return { ...each, content }
  })
}

/** Fieldsets stand beside each other, columns in them or beside them, and everything else anywhere. */
function mayStandIn(element: Element, parent: Element | null): boolean {
  if (element.type === 'fieldset') return parent === null
  return typeOf(element).kind !== 'container' || parent?.type !== 'column'
}

/** Where an element may stand, from the top of the form to its end. `elements` are the others. */
function slotsFor(element: Element, elements: readonly Element[], parent: Element | null = null): Slot[] {
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

function slotOf(name: string, elements: readonly Element[], parent: string | null = null): Slot | undefined {
  const index = elements.findIndex((each) => each.name === name)
  if (index !== -1) return { parent, index }
  for (const each of elements) {
    const found = slotOf(name, each.content ?? [], each.name)
    if (found) return found
  }
  return undefined
}

/** One place up or down, into containers and out of them; undefined: there is none. */
export function neighbour(definition: Definition, name: string, step: -1 | 1): Slot | undefined {
  const { elements } = definition
  const element = [...everyElement(elements)].find((each) => each.name === name)
  const current = slotOf(name, elements)
  if (!element || !current) return undefined
  const slots = slotsFor(element, without(elements, name))
  const at = slots.findIndex(({ parent, index }) => parent === current.parent && index === current.index)
  return at === -1 ? undefined : slots[at + step]
}

/** Puts it there; what may not stand there stays where it is. The index counts without the element itself. */
export function moveElement(definition: Definition, name: string, slot: Slot): Definition {
  const element = findElement(definition, name)
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

/** Where something lands that is dropped on an element; undefined: it may not stand there. */
export function slotBeside(definition: Definition, name: string, target: string, side: Side): Slot | undefined {
  const element = findElement(definition, name)
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

/** It goes behind the last element of the form, or of the last container that it may stand in. */
export function addElement(definition: Definition, added: Element, parent: string | null): Definition {
  const end = slotsFor(added, definition.elements).findLast((slot) => slot.parent === parent)
  const last = slotsFor(added, definition.elements).at(-1)
  const slot = end ?? last
  return slot ? { ...definition, elements: withAt(definition.elements, slot, added) } : definition
}

/** What a container holds goes where it stood. */
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

export function freeName(definition: Definition, label: string, type: string): string {
  return nameOf(label, type, new Set(elementsOf(definition).map(({ name }) => name)))
}
