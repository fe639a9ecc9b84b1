import { toId } from '../../platform/database/ids.ts'
import { coerce } from '../../platform/wire/coerce.ts'
import { faultsOf } from '../../platform/wire/schema-faults.ts'
import { shapeOf } from '../../platform/wire/schema-shape.ts'
import { type FieldType, ValueFault } from '../fields/field-type.ts'
import { settle } from '../fields/properties.ts'
import type { Bind, Element, FieldId, GroupsOfField } from '../tracker.ts'
import { pointerOf } from './judge-document.ts'
import { pointer } from './problems.ts'
import { readBind } from './read-bind.ts'
import { type Reading, readGroups } from './reading.ts'
import type { Shared } from './read-shared.ts'
import type { ElementDocument } from './schemas.ts'

interface Surroundings {
  readonly type: FieldType
  readonly path: string
  /** The stored element. */
  readonly old: Element | undefined
  readonly shared: Shared | undefined
}

/** What a document says about one element, but for its name and place. */
export function readElement(
  node: ElementDocument,
  surroundings: Surroundings,
  reading: Reading,
): Omit<Element, 'id' | 'name' | 'is_used' | 'parent_id'> {
  const { type, path, old, shared } = surroundings
  const { problems } = reading
  if (old && !mayBecome(old.type, type.type))
    problems.add(pointer(path, 'type'), 'rule_violated', {
      cause: 'type_change',
      params: { from: old.type, to: type.type },
    })
  if (node.required && !type.canBeRequired) refuse('required')
  const bind = readBindOf(node, surroundings, reading)
  if (node.notifications && bind?.type !== 'users') refuse('notifications')
  const settled = settle(type, readProperties(node.properties ?? {}, surroundings, reading), ownDefault(node))
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

const CHANGES: readonly (readonly [from: readonly string[], to: readonly string[]])[] = [
  [
    ['string', 'text'],
    ['string', 'text'],
  ],
  [
    ['int', 'float'],
    ['int', 'float'],
  ],
  [
    ['sb', 'rb'],
    ['sb', 'rb', 'msb', 'cb'],
  ],
  [
    ['msb', 'cb'],
    ['msb', 'cb'],
  ],
]

function mayBecome(from: string, to: string): boolean {
  return from === to || CHANGES.some(([these, those]) => these.includes(from) && those.includes(to))
}

/** Whatever comes as a text, as all does in XML, is brought to the types of the settings. */
function readProperties(
  given: Readonly<Record<string, unknown>>,
  { type, path }: Surroundings,
  { problems }: Reading,
): Record<string, unknown> {
  const shape = shapeOf(type.properties)
  const properties = coerce(shape, given, { dialect: 'xml', suspect: false })
  const faults = faultsOf(shape, properties, '')
  for (const fault of faults) problems.all.push({ ...fault, path: pointerOf(fault.path, pointer(path, 'properties')) })
  return faults.length === 0 ? { ...Object(properties) } : {}
}

function readBindOf(
  { bind }: ElementDocument,
  { type, path, old, shared }: Surroundings,
  reading: Reading,
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
  reading: Reading,
): GroupsOfField | null {
  const at = pointer(path, 'permissions')
  if (type.kind !== 'field') {
    if (permissions) reading.problems.add(at, 'parameter_not_allowed', { rule: 'one_of', allowed: [null] })
    return null
  }
  const { read, submit, update } = permissions ?? {}
  const groups = (names: readonly string[] | undefined, member: string, initial: number) =>
    names === undefined ? [initial] : readGroups(names, pointer(at, member), reading)
  if (type.isWritable)
    return { read: groups(read, 'read', 1), submit: groups(submit, 'submit', 2), update: groups(update, 'update', 3) }
  for (const [member, names] of Object.entries({ submit, update }))
    if (names && names.length > 0)
      reading.problems.add(pointer(at, member), 'parameter_not_allowed', { rule: 'one_of', allowed: [] })
  return { read: groups(read, 'read', 1), submit: [], update: [] }
}

/** What a default does not depend on. */
const NOWHERE = { id: toId<FieldId>(0), name: '', is_used: true, parent_id: null }

/** A default may stand in three places: beside the type, among its settings, and with the values of a list. */
function readDefaultOf(
  node: ElementDocument,
  settled: unknown,
  element: Omit<Element, 'id' | 'name' | 'is_used' | 'parent_id'>,
  { type, path }: Surroundings,
  reading: Reading,
): unknown {
  const { problems } = reading
  const isInBind = type.list !== undefined && node.bind?.default !== undefined
  if (isInBind && ownDefault(node) !== null) problems.add(pointer(path, 'default'), 'parameter_conflict')
  const at = isInBind ? pointer(path, 'bind', 'default') : pointer(path, 'default')
  const given = withIds(isInBind ? node.bind?.default : settled, element, at, reading)
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

/** In XML nothing is an empty text, and an empty text is as good as nothing. */
function ownDefault({ default: given }: ElementDocument): unknown {
  return given === undefined || given === '' ? null : given
}

/** People and groups by their ids: their names are known here only. What is unknown is told, and left out. */
function withIds(
  given: unknown,
  { type, bind }: Pick<Element, 'type' | 'bind'>,
  path: string,
  { world, problems }: Reading,
): unknown {
  const isNamed = type === 'perm' || bind?.type === 'users' || bind?.type === 'ugroups'
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
