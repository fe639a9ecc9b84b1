import {
  type ObjectShape,
  matchesSchema,
  isRecord,
  type JsonLiteral,
  memberShape,
  type Shape,
  type UnionShape,
} from './schema-shape.ts'
import { ApiError } from '../messages/errors.ts'
import { visitNames } from './known-names.ts'

/** State of reading one input. */
export interface CoercionState {
  readonly dialect: 'json' | 'xml' | 'text'
  /** Input that TypeBox would accept: an invalid string, or an integer that has lost digits. */
  suspect: boolean
  /** Paths of members that were sent but not read. */
  readonly ignored: Set<string>
}

export function startCoercion(dialect: CoercionState['dialect'], ignored = new Set<string>()): CoercionState {
  return { dialect, suspect: false, ignored }
}

/**
 * Coerces a JSON value, or flat texts, to the types of its schema. A value that cannot be coerced stays as it is, so
 * that validation reports it.
 */
export function coerce(shape: Shape, raw: unknown, state: CoercionState): unknown {
  if (shape.kind === 'object') return isRecord(raw) ? coerceMembers(shape, raw, state) : raw
  if (shape.kind === 'array') return Array.isArray(raw) ? raw.map((each) => coerce(shape.items, each, state)) : raw
  if (shape.kind === 'union') return coerceUnion(shape, raw, state)
  if (typeof raw === 'string') return coerceText(shape, raw, state)
  if (shape.kind === 'integer') return checkedInteger(raw, state)
  if (shape.kind === 'free') inspectFree(shape, raw, state)
  return raw
}

/** Parses a text, the only scalar of XML, forms and addresses. In JSON a text may only stand for an integer. */
export function coerceText(shape: Shape, text: string, state: CoercionState): unknown {
  const { kind } = shape
  if (kind === 'integer') return /^-?\d+$/.test(text) ? checkedInteger(Number(text), state) : text
  if (kind === 'literals') return literal(shape.values, text, state) ?? text
  if (kind === 'string' || kind === 'free') {
    inspect(text, state)
    return kind === 'string' && shape.trims ? text.trim() : text
  }
  if (state.dialect === 'json') return text
  if (kind === 'number') return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text
  if (kind === 'boolean') return BOOLEANS.get(text) ?? text
  return kind === 'null' && text === '' ? null : text
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function coerceMembers(
  shape: ObjectShape,
  raw: Record<string, unknown>,
  state: CoercionState,
): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, member] of shape.members) {
    if (!Object.hasOwn(raw, name)) continue
    noteIgnored(shape, name, state)
    value[name] = coerce(member, raw[name], state)
  }
  if (shape.rest === 'dropped' && shape.patterns.length === 0) return value
  for (const name of Object.keys(raw)) {
    if (!shape.members.has(name)) addMember(value, shape, name, (member) => coerce(member, raw[name], state), state)
  }
  return value
}

/** True if the member is reported as ignored. */
export function noteIgnored({ ignored }: ObjectShape, name: string, state: CoercionState): boolean {
  const path = ignored.get(name)
  if (path !== undefined) state.ignored.add(path)
  return path !== undefined
}

/** Objects never get a member of this name, because it would be their prototype. */
export function unknownPrototype(): ApiError {
  return new ApiError('member_unknown', { path: '__proto__', rule: 'unknown_member' })
}

/** Adds a member that the schema does not list by name. A refused one is kept, so that validation reports it. */
export function addMember(
  value: Record<string, unknown>,
  shape: ObjectShape,
  name: string,
  read: (member: Shape) => unknown,
  state: CoercionState,
): void {
  if (name === '__proto__') throw unknownPrototype()
  const member = memberShape(shape, name)
  if (noteIgnored(shape, name, state) || (!member && shape.rest !== 'refused')) return
  inspect(name, state)
  value[name] = member ? read(member) : null
}

/** JSON is typed, so a variant that matches the value as it is wins; then the first to which it can be coerced. */
function coerceUnion(shape: UnionShape, raw: unknown, state: CoercionState): unknown {
  if (raw === null && shape.nullable) return null
  if (
    raw === '' &&
    shape.nullable &&
    state.dialect !== 'json' &&
    shape.variants.every((each) => each.kind !== 'string')
  )
    return null
  const [only] = shape.variants
  if (only && shape.variants.length === 1) return coerce(only, raw, state)
  const exact = state.dialect === 'json' && shape.variants.find(({ schema }) => matchesSchema(schema, raw))
  if (exact) return coerce(exact, raw, state)
  for (const variant of shape.variants) {
    const value = coerce(variant, raw, state)
    if (matchesSchema(variant.schema, value)) return value
  }
  const nearest = variantFor(shape, raw)
  return nearest ? coerce(nearest, raw, state) : raw
}

/** The variant that was probably meant: the only one of the type, or the one with matching constants. */
export function variantFor({ variants }: UnionShape, value: unknown): Shape | undefined {
  const alike = variants.filter((each) => isOfKind(each, value))
  if (alike.length < 2) return alike[0]
  const marked = alike.filter((each) => each.kind === 'object' && isRecord(value) && hasConstants(each, value))
  return marked.length === 1 ? marked[0] : undefined
}

function isOfKind(shape: Shape, value: unknown): boolean {
  const { kind } = shape
  if (kind === 'object') return isRecord(value)
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'integer') return typeof value === 'number'
  if (kind === 'literals') return shape.values.some((each) => typeof each === typeof value)
  return kind === 'free' || typeof value === kind
}

function hasConstants({ members }: ObjectShape, value: Record<string, unknown>): boolean {
  return members
    .entries()
    .every(([name, member]) => member.kind !== 'literals' || member.values.some((each) => each === value[name]))
}

function literal(values: readonly JsonLiteral[], text: string, { dialect }: CoercionState): JsonLiteral | undefined {
  return values.find((each) => {
    if (typeof each === 'string' || each === null) return each === text
    if (typeof each === 'number') return String(each) === text
    return dialect !== 'json' && BOOLEANS.get(text) === each
  })
}

function checkedInteger(value: unknown, state: CoercionState): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) state.suspect = true
  return value === 0 ? 0 : value // Normalizes -0.
}

/** Inspects a value that the schema leaves open. */
export function inspectFree(shape: Shape, value: unknown, state: CoercionState): void {
  inspect(value, state)
  if (shape.kind !== 'free' || !shape.names) return
  visitNames(shape.names, value, shape.path, {
    unknown: () => {
      state.suspect = true
    },
    ignored: (path) => state.ignored.add(path),
  })
}

/** Finds invalid strings at any depth; the parsers bound the depth. */
function inspect(value: unknown, state: CoercionState): void {
  if (typeof value === 'string') {
    if (!isStorableText(value)) state.suspect = true
  } else if (Array.isArray(value)) {
    for (const each of value) inspect(each, state)
  } else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      inspect(name, state)
      inspect(each, state)
    }
  } else if (value === Infinity || value === -Infinity) {
    state.suspect = true // For example `1e400`.
  }
}

/** PostgreSQL stores no U+0000, and UTF-8 has no lone surrogates. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
