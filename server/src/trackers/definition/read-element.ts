import { toId } from '../../platform/database/ids.ts'
import { coerce, startCoercion } from '../../platform/wire/coerce.ts'
import { findSchemaFaults } from '../../platform/wire/schema-faults.ts'
import { shapeOf } from '../../platform/wire/schema-shape.ts'
import { type FieldType, ValueFault } from '../field-types/field-type.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { normalizeProperties } from '../field-types/properties.ts'
import type { Bind, Element, FieldId, GroupsOfField } from '../tracker.ts'
import { pointerOf } from './validate-document.ts'
import { pointer } from './problems.ts'
import { readBind } from './read-bind.ts'
import { type DefinitionContext, resolveGroups } from './definition-context.ts'
import type { Shared } from './read-shared.ts'
import type { ElementDocument } from './schemas.ts'

interface Surroundings {
  readonly type: FieldType
  readonly path: string
  /** The stored element. */
  readonly old: Element | undefined
  readonly shared: Shared | undefined
}

/** Parses one element, except for its name and position. */
export function readElement(
  node: ElementDocument,
  surroundings: Surroundings,
  reading: DefinitionContext,
): Omit<Element, 'id' | 'name' | 'is_used' | 'parent_id'> {
  const { type, path, old, shared } = surroundings
  const { problems } = reading
  if (old && old.type !== type.type && !fieldTypeOf(old).mayBecome?.(type))
    problems.add(pointer(path, 'type'), 'rule_violated', {
      cause: 'type_change',
      params: { from: old.type, to: type.type },
    })
  if (node.required && !type.canBeRequired) refuse('required')
  const bind = readBindOf(node, surroundings, reading)
  if (node.notifications && bind?.type !== 'users') refuse('notifications')
  const settled = normalizeProperties(
    type,
    readProperties(node.properties ?? {}, surroundings, reading),
    ownDefault(node),
  )
  const element = {
    type: type.type,
    label: node.label ?? '',
    description: node.description ?? '',
    is_required: node.required ?? false,
    notifies: node.notifications ?? false,
    properties: settled.properties,
    bind,
    rights: readRights(node, surroundings, reading),
    shared_from: shared?.id ?? null,
    default: null,
  }
  if (type.kind === 'field' && element.label.trim() === '')
    problems.add(pointer(path, 'label'), 'parameter_required', { rule: 'required' })
  return { ...element, default: readDefaultOf(node, settled.default, element, surroundings, reading) }

  function refuse(member: string) {
    problems.add(pointer(path, member), 'parameter_not_allowed', { rule: 'one_of', allowed: [false] })
  }
}

/** Converts texts, which XML uses for everything, to the types of the settings. */
function readProperties(
  given: Readonly<Record<string, unknown>>,
  { type, path }: Surroundings,
  { problems }: DefinitionContext,
): Record<string, unknown> {
  const shape = shapeOf(type.properties)
  const properties = coerce(shape, given, startCoercion('xml'))
  const faults = findSchemaFaults(shape, properties, '')
  for (const fault of faults) problems.all.push({ ...fault, path: pointerOf(fault.path, pointer(path, 'properties')) })
  return faults.length === 0 ? { ...Object(properties) } : {}
}

function readBindOf(
  { bind }: ElementDocument,
  { type, path, old, shared }: Surroundings,
  reading: DefinitionContext,
): Bind | null {
  const at = pointer(path, 'bind')
  const isGiven = bind !== undefined && bind !== null
  if (isGiven && (shared || type.list === undefined))
    reading.problems.add(at, 'parameter_not_allowed', { rule: 'one_of', allowed: [null] })
  if (shared) return shared.original.bind
  if (type.list === undefined) return null
  return readBind(isGiven ? bind : { type: 'static' }, at, old?.bind ?? null, reading)
}

function readRights(
  { permissions }: ElementDocument,
  { type, path }: Surroundings,
  reading: DefinitionContext,
): GroupsOfField | null {
  const at = pointer(path, 'permissions')
  if (type.kind !== 'field') {
    if (permissions) reading.problems.add(at, 'parameter_not_allowed', { rule: 'one_of', allowed: [null] })
    return null
  }
  const { read, submit, update } = permissions ?? {}
  const groups = (names: readonly string[] | undefined, member: string, initial: number) =>
    names === undefined ? [initial] : resolveGroups(names, pointer(at, member), reading)
  if (type.isWritable)
    return { read: groups(read, 'read', 1), submit: groups(submit, 'submit', 2), update: groups(update, 'update', 3) }
  for (const [member, names] of Object.entries({ submit, update }))
    if (names && names.length > 0)
      reading.problems.add(pointer(at, member), 'parameter_not_allowed', { rule: 'one_of', allowed: [] })
  return { read: groups(read, 'read', 1), submit: [], update: [] }
}

/** Placeholder members that defaults do not depend on. */
const NOWHERE = { id: toId<FieldId>(0), name: '', is_used: true, parent_id: null }

/** A default can be given in three members: beside the type, in its settings, or in the bind of a list. */
function readDefaultOf(
  node: ElementDocument,
  settled: unknown,
  element: Omit<Element, 'id' | 'name' | 'is_used' | 'parent_id'>,
  { type, path }: Surroundings,
  reading: DefinitionContext,
): unknown {
  const { problems } = reading
  const isInBind = type.list !== undefined && node.bind?.default !== undefined
  if (isInBind && ownDefault(node) !== null) problems.add(pointer(path, 'default'), 'parameter_conflict')
  const at = isInBind ? pointer(path, 'bind', 'default') : pointer(path, 'default')
  const isOfGroups = type.hasDefaultGroups ?? false
  const given = withIds(isInBind ? node.bind?.default : settled, { ...element, isOfGroups }, at, reading)
  if (!type.readDefault) {
    if (ownDefault(node) !== null) problems.add(at, 'parameter_not_allowed', { rule: 'one_of', allowed: [null] })
    return null
  }
  try {
    return type.readDefault(given, { ...element, ...NOWHERE }) ?? null
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const { path: place = 'default', ...details } = error.details
    problems.add(pointerOf(place.replace(/^default/, ''), at), error.reason, details)
    return null
  }
}

/** XML represents null as an empty text, so the empty text means no default. */
function ownDefault({ default: given }: ElementDocument): unknown {
  return given === undefined || given === '' ? null : given
}

/** Replaces names of people and groups by ids. Unknown names are reported and omitted. */
function withIds(
  given: unknown,
  { bind, isOfGroups }: Pick<Element, 'bind'> & { readonly isOfGroups: boolean },
  path: string,
  { world, problems }: DefinitionContext,
): unknown {
  const isNamed = isOfGroups || bind?.type === 'users' || bind?.type === 'ugroups'
  if (!Array.isArray(given) || !isNamed) return given
  return given.flatMap((name: unknown, at) => {
    const found = bind?.type === 'users' ? person(String(name), at) : world.groupNamed(String(name))
    if (found === undefined) problems.add(pointer(path, at), 'reference_unknown', { rule: 'exists' })
    return found ?? []
  })

  function person(login: string, at: number): number | undefined {
    const account = world.accountNamed(login)
    if (account && !account.isUsable) problems.add(pointer(path, at), 'user_not_usable')
    return account?.id
  }
}
