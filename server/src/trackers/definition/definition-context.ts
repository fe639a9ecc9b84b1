import type { PartKind } from '../tables.ts'
import type { Element, FieldId, GroupNumber, ListValue, ListValueId, Tracker } from '../tracker.ts'
import { pointer, type DefinitionProblems } from './problems.ts'
import type { ReferenceLookup } from './reference-lookup.ts'

/** State while parsing one definition document. */
export interface DefinitionContext {
  readonly world: ReferenceLookup
  readonly problems: DefinitionProblems
  /** The existing tracker; undefined for a new one. */
  readonly stored: Tracker | undefined
  /** Parts that may be deleted instead of unused: they never stored a value and nothing refers to them. */
  readonly prunable: { readonly fields: ReadonlySet<FieldId>; readonly values: ReadonlySet<ListValueId> }
  newId(kind: PartKind): number
  /** Fields that other trackers refer to. */
  readonly needed: ReadonlySet<FieldId>
  /** Stored parts that the document omits. */
  readonly dropped: { readonly fields: FieldId[]; readonly values: ListValueId[] }
}

/** The elements of a document, for resolving references to them. */
export interface DefinitionForm {
  readonly elements: readonly Element[]
  /** Elements by name; null if the element exists but is invalid. */
  readonly named: ReadonlyMap<string, Element | null>
}

/** Resolves group names, without duplicates. */
export function resolveGroups(
  names: readonly string[],
  path: string,
  { world, problems }: DefinitionContext,
): GroupNumber[] {
  const found = names.flatMap((name, at) => {
    const group = world.groupNamed(name)
    if (group === undefined) problems.add(pointer(path, at), 'reference_unknown', { rule: 'exists' })
    return group ?? []
  })
  return [...new Set(found)]
}

/** Resolves a name to an element in use of one of the accepted kinds. */
export function resolveElement(
  name: string,
  path: string,
  form: DefinitionForm,
  { problems, stored }: DefinitionContext,
  isFit: (element: Element) => boolean,
): Element | undefined {
  const element = form.named.get(name)
  if (element === null) return undefined // Its own problem is already reported.
  if (element && !element.is_used) problems.add(path, 'rule_violated', { cause: 'field_in_use' })
  else if (element && !isFit(element))
    problems.add(path, 'parameter_not_allowed', { rule: 'one_of', allowed: fittingNames(form, isFit) })
  else if (element) return element
  else if (stored?.elements.some((each) => each.name === name && each.is_used))
    problems.add(path, 'rule_violated', { cause: 'field_in_use' })
  else problems.add(path, 'reference_unknown', { rule: 'exists' })
  return undefined
}

export function resolveElements(
  names: readonly string[],
  path: string,
  form: DefinitionForm,
  reading: DefinitionContext,
  isFit: (element: Element) => boolean = () => true,
): FieldId[] {
  const found = names.flatMap((name, at) => resolveElement(name, pointer(path, at), form, reading, isFit)?.id ?? [])
  return [...new Set(found)]
}

/** Resolves a key to a value of a static list. */
export function resolveValue(
  key: string,
  path: string,
  element: Element,
  { problems }: DefinitionContext,
): ListValue | undefined {
  const value = element.bind?.type === 'static' ? element.bind.values.find((each) => each.key === key) : undefined
  if (!value) problems.add(path, 'reference_unknown', { rule: 'exists' })
  return value
}

export function resolveValues(
  keys: readonly string[],
  path: string,
  element: Element,
  reading: DefinitionContext,
): ListValueId[] {
  const found = keys.flatMap((key, at) => resolveValue(key, pointer(path, at), element, reading)?.id ?? [])
  return [...new Set(found)]
}

function fittingNames({ elements }: DefinitionForm, isFit: (element: Element) => boolean): string[] {
  return elements.filter((each) => each.is_used && isFit(each)).map(({ name }) => name)
}
