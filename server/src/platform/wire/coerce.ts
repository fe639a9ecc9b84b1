import {
  type ObjectShape,
  fits,
  isRecord,
  type Literal,
  memberShape,
  type Shape,
  type UnionShape,
} from './schema-shape.ts'

/** One reading of an input. */
export interface Reading {
  readonly dialect: 'json' | 'xml' | 'text'
  /** Something was seen that TypeBox would let pass: a broken string, or an integer that has lost digits. */
  suspect: boolean
}

/**
 * Brings a value of JSON, or of flat texts, to the types of its schema. What cannot be brought there stays as it is,
 * so that validation finds it in its place.
 */
export function coerce(shape: Shape, raw: unknown, reading: Reading): unknown {
  if (shape.kind === 'object') return isRecord(raw) ? coerceMembers(shape, raw, reading) : raw
  if (shape.kind === 'array') return Array.isArray(raw) ? raw.map((each) => coerce(shape.items, each, reading)) : raw
  if (shape.kind === 'union') return coerceUnion(shape, raw, reading)
  if (typeof raw === 'string') return coerceText(shape, raw, reading)
  if (shape.kind === 'integer') return checkedInteger(raw, reading)
  if (shape.kind === 'free') inspect(raw, reading)
  return raw
}

/** Reads a text, the only scalar of XML, forms and addresses. In JSON it may stand for an integer, and for no more. */
export function coerceText(shape: Shape, text: string, reading: Reading): unknown {
  const { kind } = shape
  if (kind === 'integer') return /^-?\d+$/.test(text) ? checkedInteger(Number(text), reading) : text
  if (kind === 'literals') return literal(shape.values, text, reading) ?? text
  if (kind === 'string' || kind === 'free') {
    inspect(text, reading)
    return kind === 'string' && shape.trims ? text.trim() : text
  }
  if (reading.dialect === 'json') return text
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

function coerceMembers(shape: ObjectShape, raw: Record<string, unknown>, reading: Reading): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, member] of shape.members) {
    if (Object.hasOwn(raw, name)) value[name] = coerce(member, raw[name], reading)
  }
  if (shape.rest === 'dropped' && shape.patterns.length === 0) return value
  for (const name of Object.keys(raw)) {
    if (!shape.members.has(name)) addMember(value, shape, name, (member) => coerce(member, raw[name], reading), reading)
  }
  return value
}

/** Adds a member that the schema does not list by name. A refused one is kept for validation to name it. */
export function addMember(
  value: Record<string, unknown>,
  shape: ObjectShape,
  name: string,
  read: (member: Shape) => unknown,
  reading: Reading,
): void {
  if (name === '__proto__') return
  const member = memberShape(shape, name)
  if (!member && shape.rest !== 'refused') return
  inspect(name, reading)
  value[name] = member ? read(member) : null
}

/** JSON knows its types, so a variant that takes the value as it is comes first; then the first that can be made of it. */
function coerceUnion(shape: UnionShape, raw: unknown, reading: Reading): unknown {
  if (raw === null && shape.nullable) return null
  if (
    raw === '' &&
    shape.nullable &&
    reading.dialect !== 'json' &&
    shape.variants.every((each) => each.kind !== 'string')
  )
    return null
  const [only] = shape.variants
  if (only && shape.variants.length === 1) return coerce(only, raw, reading)
  const exact = reading.dialect === 'json' && shape.variants.find(({ schema }) => fits(schema, raw))
  if (exact) return coerce(exact, raw, reading)
  for (const variant of shape.variants) {
    const value = coerce(variant, raw, reading)
    if (fits(variant.schema, value)) return value
  }
  const nearest = variantFor(shape, raw)
  return nearest ? coerce(nearest, raw, reading) : raw
}

/** The variant that a value was probably meant for: the only one of its type, or the one whose constants it has. */
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

function literal(values: readonly Literal[], text: string, { dialect }: Reading): Literal | undefined {
  return values.find((each) => {
    if (typeof each === 'string' || each === null) return each === text
    if (typeof each === 'number') return String(each) === text
    return dialect !== 'json' && BOOLEANS.get(text) === each
  })
}

function checkedInteger(value: unknown, reading: Reading): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) reading.suspect = true
  return value === 0 ? 0 : value // There is no -0 among the integers.
}

/** Looks for broken strings at any depth; no parser lets a value be deeper than the stack. */
function inspect(value: unknown, reading: Reading): void {
  if (typeof value === 'string') {
    if (!isSound(value)) reading.suspect = true
  } else if (Array.isArray(value)) {
    for (const each of value) inspect(each, reading)
  } else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      inspect(name, reading)
      inspect(each, reading)
    }
  } else if (value === Infinity || value === -Infinity) {
    reading.suspect = true // `1e400`.
  }
}

/** PostgreSQL stores no U+0000, and UTF-8 has no lone surrogates. */
export function isSound(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
