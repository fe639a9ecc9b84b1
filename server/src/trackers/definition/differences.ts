import { isDeepStrictEqual } from 'node:util'
import type { FieldId, ListValueId, Tracker } from '../tracker.ts'
import { pointer } from './problems.ts'
import type { ElementDocument, ListValueDocument, TrackerDefinition } from './schemas.ts'

/** One difference between two documents of a tracker, and the part it concerns. */
interface Difference {
  readonly op: 'add' | 'change' | 'hide' | 'unuse' | 'delete'
  readonly path: string
  readonly from: unknown
  readonly to: unknown
  readonly field?: FieldId
  readonly value?: ListValueId
}

/** The position of an element in a document. */
interface ElementPlace {
  readonly id: FieldId
  readonly path: string
  readonly node: ElementDocument
  readonly parent: string
  readonly isUsed: boolean
  readonly values: ReadonlyMap<ListValueId, { readonly path: string; readonly node: ListValueDocument }>
}

type ElementPlaces = ReadonlyMap<FieldId, ElementPlace>

const BY_ELEMENT = ['elements', 'unused_elements']

/** Changed top-level members other than elements, each as a whole. */
export function changedMembers(was: TrackerDefinition, is: TrackerDefinition): Difference[] {
  const old = new Map<string, unknown>(Object.entries(was))
  return Object.entries(is)
    .filter(([name, to]) => !BY_ELEMENT.includes(name) && !isDeepStrictEqual(old.get(name), to))
    .map(([name, to]) => ({ op: 'change', path: pointer('', name), from: old.get(name) ?? null, to }))
}

/** The positions of a document's elements, with their ids in the tracker. */
export function placesIn({ elements }: Tracker, document: TrackerDefinition): ElementPlaces {
  const byName = new Map(elements.map((element) => [element.name, element]))
  const walk = (nodes: readonly ElementDocument[], path: string, parent: string, isUsed: boolean): ElementPlace[] =>
    nodes.flatMap((node, at) => {
      const element = byName.get(node.name ?? '')
      if (!element) return []
      const here = pointer(path, at)
      const values = element.bind?.type === 'static' && node.bind?.type === 'static' ? (node.bind.values ?? []) : []
      const ids = element.bind?.type === 'static' ? element.bind.values.map(({ id }) => id) : []
      const place: ElementPlace = {
        id: element.id,
        path: here,
        node,
        parent,
        isUsed,
        values: new Map(
          values.flatMap((value, index) => {
            const id = ids[index]
            return id === undefined ? [] : [[id, { path: pointer(here, 'bind', 'values', index), node: value }]]
          }),
        ),
      }
      return [place, ...walk(node.content ?? [], pointer(here, 'content'), here, isUsed)]
    })
  const places = [
    ...walk(document.elements ?? [], '/elements', '', true),
    ...walk(document.unused_elements ?? [], '/unused_elements', '', false),
  ]
  return new Map(places.map((place) => [place.id, place]))
}

export function changedElements(was: ElementPlaces, is: ElementPlaces): Difference[] {
  const gone = [...was.values()]
    .filter(({ id }) => !is.has(id))
    .map(({ id, path, node }): Difference => ({ op: 'delete', path, from: bare(node), to: null, field: id }))
  const moved = movedAmong(was, is)
  const others = [...is.values()].flatMap((place): Difference[] => {
    const old = was.get(place.id)
    const { id: field, path } = place
    if (!old)
      return [{ op: 'add', path, from: null, to: { ...bare(place.node), bind: place.node.bind ?? null }, field }]
    return [...changedPlace(old, place, moved.has(field)), ...changedValues(old, place)]
  })
  return [...others, ...gone]
}

function changedPlace(
  old: ElementPlace,
  { id: field, path, node, isUsed }: ElementPlace,
  isMoved: boolean,
): Difference[] {
  const [from, to] = [bare(old.node), bare(node)]
  if (old.isUsed && !isUsed) return [{ op: 'unuse', path, from, to, field }]
  if (old.isUsed !== isUsed || !isDeepStrictEqual(from, to)) return [{ op: 'change', path, from, to, field }]
  return isMoved ? [{ op: 'change', path, from: { path: old.path }, to: { path }, field }] : []
}

function changedValues(old: ElementPlace, place: ElementPlace): Difference[] {
  const field = place.id
  const gone = [...old.values]
    .filter(([value]) => !place.values.has(value))
    .map(([value, { path, node }]): Difference => ({ op: 'delete', path, from: node, to: null, field, value }))
  const others = [...place.values].flatMap(([value, { path, node }]): Difference[] => {
    const before = old.values.get(value)
    if (!before) return [{ op: 'add', path, from: null, to: node, field, value }]
    if (isDeepStrictEqual(before.node, node)) return []
    const op = node.hidden === true && before.node.hidden !== true ? 'hide' : 'change'
    return [{ op, path, from: before.node, to: node, field, value }]
  })
  return [...others, ...gone]
}

/** An element without its content. */
function bare(element: ElementDocument): object {
  const { content: _, bind, ...node } = element
  if (bind?.type !== 'static') return { ...node, bind: bind ?? null }
  const { values: __, ...rest } = bind
  return { ...node, bind: rest }
}

/** Elements whose parent or order among their siblings has changed. */
function movedAmong(was: ElementPlaces, is: ElementPlaces): Set<FieldId> {
  const moved = new Set<FieldId>()
  const parentOf = (places: ElementPlaces, { parent }: ElementPlace) =>
    places.values().find(({ path }) => path === parent)?.id
  const stayed = (places: ElementPlaces, others: ElementPlaces) =>
    [...places.values()].filter(({ id, isUsed }) => isUsed && others.get(id)?.isUsed)
  const order = (places: ElementPlace[], all: ElementPlaces) => Map.groupBy(places, (place) => parentOf(all, place))
  const [before, after] = [order(stayed(was, is), was), order(stayed(is, was), is)]
  for (const [parent, places] of after) {
    const siblings = (before.get(parent) ?? []).map(({ id }) => id)
    const kept = places.filter(({ id }) => siblings.includes(id)).map(({ id }) => id)
    const old = siblings.filter((id) => kept.includes(id))
    for (const { id } of places) if (!siblings.includes(id)) moved.add(id)
    for (const [at, id] of kept.entries()) if (old[at] !== id) moved.add(id)
  }
  return moved
}
