import type { PartKind } from '../tables.ts'
import type { Element, FieldId, GroupNumber, ListValue, ListValueId, Tracker } from '../tracker.ts'
import { pointer, type Problems } from './problems.ts'
import type { World } from './world.ts'

/** What is needed to read one document. */
export interface Reading {
  readonly world: World
  readonly problems: Problems
  /** The tracker that the document is for; undefined: a new one. */
  readonly stored: Tracker | undefined
  /** What may go, instead of being out of use: nothing was ever stored in it, and nobody needs it. */
  readonly prunable: { readonly fields: ReadonlySet<FieldId>; readonly values: ReadonlySet<ListValueId> }
  newId(kind: PartKind): number
  /** Fields that other trackers need. */
  readonly needed: ReadonlySet<FieldId>
  /** What the document says nothing about any more. */
  readonly dropped: { readonly fields: FieldId[]; readonly values: ListValueId[] }
}

/** The elements of a document, for those who refer to them. */
export interface Form {
  readonly elements: readonly Element[]
  /** By name; null: there is one, but it cannot be read. */
  readonly named: ReadonlyMap<string, Element | null>
}

/** The groups of these names, each once. */
export function readGroups(names: readonly string[], path: string, { world, problems }: Reading): GroupNumber[] {
  const found = names.flatMap((name, at) => {
    const group = world.groupNamed(name)
    if (group === undefined) problems.add(pointer(path, at), 'reference_unknown', { rule: 'exists' })
    return group ?? []
  })
  return [...new Set(found)]
}

/** The element in use that is meant, if it is of one of these kinds. */
export function findElement(
  name: string,
  path: string,
  form: Form,
  { problems, stored }: Reading,
  isFit: (element: Element) => boolean,
): Element | undefined {
  const element = form.named.get(name)
  if (element === null) return undefined // Its own problem is told already.
  if (element && !element.is_used) problems.add(path, 'rule_violated', { cause: 'field_in_use' })
  else if (element && !isFit(element))
    problems.add(path, 'parameter_not_allowed', { rule: 'one_of', allowed: fittingNames(form, isFit) })
  else if (element) return element
  else if (stored?.elements.some((each) => each.name === name && each.is_used))
    problems.add(path, 'rule_violated', { cause: 'field_in_use' })
  else problems.add(path, 'reference_unknown', { rule: 'exists' })
  return undefined
}

export function findElements(
  names: readonly string[],
  path: string,
  form: Form,
  reading: Reading,
  isFit: (element: Element) => boolean = () => true,
): FieldId[] {
  const found = names.flatMap((name, at) => findElement(name, pointer(path, at), form, reading, isFit)?.id ?? [])
  return [...new Set(found)]
}

/** The value of a static list that has this key. */
export function findValue(key: string, path: string, element: Element, { problems }: Reading): ListValue | undefined {
  const value = element.bind?.type === 'static' ? element.bind.values.find((each) => each.key === key) : undefined
  if (!value) problems.add(path, 'reference_unknown', { rule: 'exists' })
  return value
}

export function findValues(keys: readonly string[], path: string, element: Element, reading: Reading): ListValueId[] {
  const found = keys.flatMap((key, at) => findValue(key, pointer(path, at), element, reading)?.id ?? [])
  return [...new Set(found)]
}

function fittingNames({ elements }: Form, isFit: (element: Element) => boolean): string[] {
  return elements.filter((each) => each.is_used && isFit(each)).map(({ name }) => name)
}
