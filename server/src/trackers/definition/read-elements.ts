import { toId } from '../../platform/database/ids.ts'
import type { FieldType } from '../field-types/field-type.ts'
import { FIELD_TYPES, findFieldType } from '../field-types/field-types.ts'
import type { Element, FieldId } from '../tracker.ts'
import { asciiSlug, uniqueName } from './make-name.ts'
import { type Located, pointer } from './problems.ts'
import { readElement } from './read-element.ts'
import type { DefinitionForm, DefinitionContext } from './definition-context.ts'
import { findShared, type Shared } from './read-shared.ts'
import type { ElementDocument, TrackerDefinition } from './schemas.ts'

/** One element of the document, with its path. */
interface Given {
  readonly node: ElementDocument
  readonly path: string
  readonly parent: Given | undefined
  readonly isUsed: boolean
}

const NAME = /^[a-z0-9_-]+$/

/** Parses the form of a document. Omitted elements become unused. */
export function readElements(document: TrackerDefinition, reading: DefinitionContext): DefinitionForm {
  const given = [
    ...(document.elements ?? []).flatMap((node, at) => flatten(node, pointer('/elements', at), undefined, true)),
    ...(document.unused_elements ?? []).flatMap((node, at) =>
      flatten(node, pointer('/unused_elements', at), undefined, false),
    ),
  ]
  const names = nameAll(given, reading)
  const read = new Map<Given, Element>()
  const named = new Map<string, Element | null>()
  for (const each of given) {
    const name = names.get(each) ?? ''
    const element = readOne(each, name, names, read, reading)
    if (element) read.set(each, element)
    if (!named.get(name)) named.set(name, element ?? null)
  }
  requireOneOfEach(read, reading)
  const elements = [...read.values()]
  return { elements: [...elements, ...leftOut(elements, named, reading)], named }
}

function flatten(node: ElementDocument, path: string, parent: Given | undefined, isUsed: boolean): Given[] {
  const self = { node, path, parent, isUsed }
  const content = (node.content ?? []).flatMap((each, at) => flatten(each, pointer(path, 'content', at), self, isUsed))
  return [self, ...content]
}

function readOne(
  given: Given,
  name: string,
  names: ReadonlyMap<Given, string>,
  read: ReadonlyMap<Given, Element>,
  reading: DefinitionContext,
): Element | undefined {
  const { node, path, parent, isUsed } = given
  const old = storedElement(node, name, path, names, reading)
  const shared = findShared(node, path, reading, old)
  const type = typeOf(node, path, shared, reading)
  if (!type) return undefined
  requirePlace(given, type, reading)
  const place = { id: old?.id ?? toId<FieldId>(reading.newId('element')), name, is_used: isUsed }
  // Unused elements have no parent on the form.
  const parent_id = isUsed && parent ? (read.get(parent)?.id ?? null) : null
  return { ...readElement(node, { type, path, old, shared }, reading), ...place, parent_id }
}

/** The name of each element: given, or generated from its label or type. */
function nameAll(given: readonly Given[], { problems }: DefinitionContext): Map<Given, string> {
  const names = new Map<Given, string>()
  const taken = new Set<string>()
  for (const each of given) {
    const { name } = each.node
    if (name === undefined) continue
    if (!NAME.test(name)) problems.add(pointer(each.path, 'name'), 'name_invalid', { rule: 'pattern' })
    else if (taken.has(name)) problems.add(pointer(each.path, 'name'), 'name_taken', { rule: 'unique' })
    taken.add(name)
    names.set(each, name)
  }
  for (const each of given) {
    if (names.has(each)) continue
    const { label = '', type = '' } = each.node
    const name = uniqueName(asciiSlug(label) || asciiSlug(type) || 'element', (one) => taken.has(one))
    taken.add(name)
    names.set(each, name)
  }
  return names
}

function storedElement(
  { renamed_from }: ElementDocument,
  name: string,
  path: string,
  names: ReadonlyMap<Given, string>,
  { stored, problems }: DefinitionContext,
): Element | undefined {
  const same = stored?.elements.find((each) => each.name === name)
  if (renamed_from === undefined || renamed_from === name) return same
  const old = stored?.elements.find((each) => each.name === renamed_from)
  const isKept = names.values().some((each) => each === renamed_from)
  if (isKept || (old && same)) problems.add(pointer(path, 'renamed_from'), 'parameter_conflict')
  // A repeated rename is already done.
  else if (!old && !same) problems.add(pointer(path, 'renamed_from'), 'reference_unknown', { rule: 'exists' })
  return old ?? same
}

function typeOf(
  { type, shared_from }: ElementDocument,
  path: string,
  shared: Shared | undefined,
  { problems }: DefinitionContext,
): FieldType | undefined {
  const at = pointer(path, 'type')
  if (shared_from !== undefined && shared_from !== null) {
    if (shared && type !== undefined && type !== 'shared' && type !== shared.original.type)
      problems.add(at, 'parameter_conflict')
    return shared && findFieldType(shared.original.type)
  }
  if (type === undefined) {
    problems.add(at, 'parameter_required', { rule: 'required' })
    return undefined
  }
  const found = findFieldType(type)
  if (!found)
    problems.add(at, 'parameter_not_allowed', { rule: 'one_of', allowed: FIELD_TYPES.map((each) => each.type) })
  return found
}

/** Fieldsets may contain columns; both may contain fields and static elements. */
function requirePlace({ node, path, parent }: Given, type: FieldType, { problems }: DefinitionContext): void {
  const refuse = (member: string, more: Partial<Located> = {}) =>
    problems.add(pointer(path, member), 'parameter_not_allowed', { rule: 'one_of', ...more })
  if (type.kind !== 'container' && node.content !== undefined && node.content !== null) refuse('content')
  const isNested =
    type.container === 'outer' ? parent !== undefined : findFieldType(parent?.node.type ?? '')?.container === 'inner'
  if (type.kind === 'container' && isNested) refuse('type')
}

function requireOneOfEach(read: ReadonlyMap<Given, Element>, { problems }: DefinitionContext): void {
  const seen = new Set<string>()
  for (const [{ path }, { type, is_used }] of read) {
    if (!is_used || !findFieldType(type)?.isSingle) continue
    if (seen.has(type)) problems.add(pointer(path, 'type'), 'duplicate_entry', { rule: 'unique' })
    seen.add(type)
  }
}

/** The omitted elements that are kept, as unused elements. */
function leftOut(
  elements: readonly Element[],
  named: ReadonlyMap<string, Element | null>,
  { stored, dropped, prunable, problems, needed }: DefinitionContext,
): Element[] {
  const kept = new Set(elements.map(({ id }) => id))
  const missing = (stored?.elements ?? []).filter(({ id, name }) => !kept.has(id) && named.get(name) !== null)
  dropped.fields.push(...missing.map(({ id }) => id))
  const unused = [...missing, ...elements.filter(({ is_used }) => !is_used)]
  for (const { id } of unused)
    if (needed.has(id)) problems.add('/elements', 'rule_violated', { cause: 'field_in_use', params: { field_id: id } })
  return missing
    .filter(({ id }) => !prunable.fields.has(id))
    .map((element) => ({ ...element, is_used: false, parent_id: null }))
}
