import { toId } from '../../platform/database/ids.ts'
import { readColor } from '../palette.ts'
import type { Bind, GroupsBind, ListValue, ListValueId, StaticBind, UserSource } from '../tracker.ts'
import { uniqueName, slug } from './make-name.ts'
import { pointer } from './problems.ts'
import { type DefinitionContext, resolveGroups } from './definition-context.ts'
import type { BindDocument, ListValueDocument } from './schemas.ts'

/** Parses the bind of a list. Omitted values become hidden. */
export function readBind(given: BindDocument, path: string, stored: Bind | null, reading: DefinitionContext): Bind {
  if (stored && stored.type !== given.type)
    reading.problems.add(pointer(path, 'type'), 'rule_violated', { cause: 'type_change' })
  if (given.type === 'static')
    return readStaticBind(given, path, stored?.type === 'static' ? stored : undefined, reading)
  if (given.type === 'users')
    return { type: 'users', sources: readSources(given.sources ?? [], pointer(path, 'sources'), reading) }
  return readGroupsBind(given.groups ?? [], path, stored?.type === 'ugroups' ? stored : undefined, reading)
}

function readStaticBind(
  { alphabetical = false, values = [] }: Extract<BindDocument, { type: 'static' }>,
  path: string,
  stored: StaticBind | undefined,
  reading: DefinitionContext,
): StaticBind {
  const keys = keysOf(values, pointer(path, 'values'), reading)
  const kept = new Set<ListValueId>()
  const read = values.map((given, at): ListValue => {
    const key = keys[at] ?? ''
    const place = pointer(path, 'values', at)
    const old = storedValue(given, key, place, stored, keys, reading)
    if (old) kept.add(old.id)
    return {
      id: old?.id ?? toId(reading.newId('value')),
      key,
      label: readLabel(given.label, place, reading),
      description: given.description ?? '',
      color: readValueColor(given.color, place, reading),
      is_hidden: given.hidden ?? false,
      ...(given.limit != null && { limit: given.limit }),
    }
  })
  return { type: 'static', alphabetical, values: [...read, ...leftOut(stored?.values ?? [], kept, reading)] }
}

/** The omitted values that are kept, as hidden values. */
function leftOut<Value extends { readonly id: ListValueId; readonly is_hidden: boolean }>(
  stored: readonly Value[],
  kept: ReadonlySet<ListValueId>,
  { dropped, prunable }: DefinitionContext,
): Value[] {
  const missing = stored.filter(({ id }) => !kept.has(id))
  dropped.values.push(...missing.map(({ id }) => id))
  return missing.filter(({ id }) => !prunable.values.has(id)).map((value) => ({ ...value, is_hidden: true }))
}

/** The key of each value: given, or generated from its label. */
function keysOf(values: readonly ListValueDocument[], path: string, { problems }: DefinitionContext): string[] {
  const taken = new Set<string>()
  for (const [at, { key }] of values.entries()) {
    if (key === undefined) continue
    if (key === '' || key.startsWith('@') || /\p{C}/u.test(key))
      problems.add(pointer(path, at, 'key'), 'name_invalid', { rule: 'pattern' })
    else if (taken.has(key)) problems.add(pointer(path, at, 'key'), 'name_taken', { rule: 'unique' })
    taken.add(key)
  }
  return values.map(({ key, label = '' }) => {
    if (key !== undefined) return key
    const made = uniqueName(slug(label) || 'value', (name) => taken.has(name))
    taken.add(made)
    return made
  })
}

function storedValue(
  { renamed_from }: ListValueDocument,
  key: string,
  path: string,
  stored: StaticBind | undefined,
  keys: readonly string[],
  { problems }: DefinitionContext,
): ListValue | undefined {
  const same = stored?.values.find((each) => each.key === key)
  if (renamed_from === undefined || renamed_from === key) return same
  const old = stored?.values.find((each) => each.key === renamed_from)
  if (keys.includes(renamed_from) || (old && same)) problems.add(pointer(path, 'renamed_from'), 'parameter_conflict')
  // A repeated rename is already done.
  else if (!old && !same) problems.add(pointer(path, 'renamed_from'), 'reference_unknown', { rule: 'exists' })
  return old ?? same
}

function readLabel(label: string | undefined, path: string, { problems }: DefinitionContext): string {
  if (label === undefined || label.trim() === '')
    problems.add(pointer(path, 'label'), 'parameter_required', { rule: 'required' })
  return label ?? ''
}

function readValueColor(
  given: string | null | undefined,
  path: string,
  { problems }: DefinitionContext,
): string | null {
  if (given === undefined || given === null || given === '') return null
  const color = /^#[0-9a-f]{6}$/i.test(given) ? given.toLowerCase() : readColor(given)
  if (color === undefined) problems.add(pointer(path, 'color'), 'parameter_not_allowed', { rule: 'one_of' })
  return color ?? null
}

const SOURCES = new Map<string, UserSource>([
  ['artifact_submitters', 'artifact_submitters'],
  ['artifact_modifiers', 'artifact_modifiers'],
  ['registered_users', 'registered_users'],
  ['@registered', 'registered_users'],
  ['group_members', 3],
  ['group_admins', 4],
])
const NO_SOURCE = [1, 2, 5, 100]

function readSources(names: readonly string[], path: string, reading: DefinitionContext): UserSource[] {
  const found = names.flatMap((name, at): UserSource[] => {
    const source = SOURCES.get(name)
    if (source !== undefined) return [source]
    const group = reading.world.groupNamed(name)
    if (group === undefined) reading.problems.add(pointer(path, at), 'reference_unknown', { rule: 'exists' })
    else if (NO_SOURCE.includes(group))
      reading.problems.add(pointer(path, at), 'parameter_not_allowed', { rule: 'one_of' })
    return group === undefined ? [] : [group]
  })
  return [...new Set(found)]
}

function readGroupsBind(
  names: readonly string[],
  path: string,
  stored: GroupsBind | undefined,
  reading: DefinitionContext,
): GroupsBind {
  const kept = new Set<ListValueId>()
  const values = resolveGroups(names, pointer(path, 'groups'), reading).map((group) => {
    const old = stored?.values.find((each) => each.group === group)
    if (old) kept.add(old.id)
    return { id: old?.id ?? toId<ListValueId>(reading.newId('value')), group, is_hidden: false }
  })
  return { type: 'ugroups', values: [...values, ...leftOut(stored?.values ?? [], kept, reading)] }
}
