import type { TSchema } from 'typebox'
import { joinPath } from './close-schema.ts'
import { isRecord, type MemberNames } from './schema-shape.ts'

/** The names of all these schemas together: of input, and of responses, which clients send back. */
export function knownNames(input: readonly TSchema[], responses: readonly TSchema[]): MemberNames {
  const names: BuiltNames = { members: {}, isOpen: false, isIgnored: false }
  for (const schema of input) addNames(names, schema, false)
  for (const schema of responses) addNames(names, schema, true)
  return names
}

interface BuiltNames {
  members: Record<string, BuiltNames>
  isOpen: boolean
  isIgnored: boolean
}

function addNames(into: BuiltNames, schema: TSchema, isIgnored: boolean): void {
  const given: Record<string, unknown> = { ...schema }
  const { anyOf, items, type, properties, patternProperties, additionalProperties } = given
  if (Array.isArray(anyOf)) for (const each of anyOf) addNames(into, each, isIgnored)
  else if (type === 'array' && isRecord(items)) addNames(into, items, isIgnored)
  else if (type === undefined && !('const' in given) && !('enum' in given)) into.isOpen = true
  if (type !== 'object') return
  if (isRecord(patternProperties) || isRecord(additionalProperties) || additionalProperties === true) into.isOpen = true
  for (const [name, member] of Object.entries(isRecord(properties) ? properties : {})) {
    into.members[name] ??= { members: {}, isOpen: false, isIgnored }
    into.members[name].isIgnored &&= isIgnored
    if (isRecord(member)) addNames(into.members[name], member, isIgnored)
  }
}

interface NameVisitor {
  readonly unknown: (path: string, name: string, known: readonly string[]) => void
  /** The path without positions: `links[].uri`. Not called for what is below it. */
  readonly ignored?: (path: string) => void
}

/** Visits the unknown and ignored names of a value, at every level. */
export function visitNames(names: MemberNames, value: unknown, path: string, given: NameVisitor): void {
  const visitor = names.isIgnored ? { unknown: given.unknown } : given
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) visitNames(names.items ?? names, each, `${path}[${at}]`, visitor)
    return
  }
  if (!isRecord(value)) return
  for (const [name, each] of Object.entries(value)) {
    const member = Object.hasOwn(names.members, name) ? names.members[name] : undefined
    const at = joinPath(path, name)
    if (member?.isIgnored) visitor.ignored?.(at.replaceAll(/\[\d+\]/g, '[]'))
    if (member) visitNames(member, each, at, visitor)
    else if (!names.isOpen) visitor.unknown(at, name, Object.keys(names.members))
  }
}
