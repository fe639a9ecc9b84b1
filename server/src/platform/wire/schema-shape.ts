import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export type JsonLiteral = string | number | boolean | null

/** A schema, analysed once for reading input. The schema itself has all other constraints. */
export type Shape = { readonly schema: TSchema } & (
  | {
      readonly kind: 'object'
      readonly members: ReadonlyMap<string, Shape>
      readonly patterns: readonly (readonly [name: RegExp, Shape])[]
      /** Handling of all other members. */
      readonly rest: Shape | 'dropped' | 'refused'
      /** Members that are accepted and reported as ignored: name and path. They are dropped unless listed. */
      readonly ignored: ReadonlyMap<string, string>
      /** Some part of it has `names`, which TypeBox does not check. */
      readonly hasNames: boolean
    }
  | { readonly kind: 'array'; readonly items: Shape; readonly hasNames: boolean }
  | {
      readonly kind: 'union'
      readonly variants: readonly Shape[]
      readonly nullable: boolean
      readonly hasNames: boolean
    }
  | { readonly kind: 'literals'; readonly values: readonly JsonLiteral[] }
  | { readonly kind: 'string'; readonly trims: boolean }
  | { readonly kind: 'integer' | 'number' | 'boolean' | 'null' }
  /** Of any type; `names` limits its members, `path` is where it is in the body. */
  | { readonly kind: 'free'; readonly names: MemberNames | undefined; readonly path: string }
)
export type ObjectShape = Extract<Shape, { kind: 'object' }>
export type UnionShape = Extract<Shape, { kind: 'union' }>

/**
 * Known member names at each level of a value whose type the schema leaves open. Lists have the names of their
 * elements, unless `items` has others.
 */
export interface MemberNames {
  readonly members: { readonly [name: string]: MemberNames }
  readonly items?: MemberNames
  /** Keys are free. */
  readonly isOpen?: boolean
  /** Part of responses only: accepted, but not read. */
  readonly isIgnored?: boolean
}

const shapes = new WeakMap<TSchema, Shape>()
const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

export function shapeOf(schema: TSchema): Shape {
  const known = shapes.get(schema)
  if (known) return known
  const shape = analyse(schema)
  shapes.set(schema, shape)
  return shape
}

/** Validation by TypeBox, compiled on first use. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  const known = checks.get(schema)
  if (known) return known(value)
  const validator = Compile(schema)
  const check = (each: unknown) => validator.Check(each)
  checks.set(schema, check)
  return check(value)
}

/** The shape of the member `name`; undefined: unknown to the schema. */
export function memberShape({ members, patterns, rest }: ObjectShape, name: string): Shape | undefined {
  const pattern = members.has(name) ? undefined : patterns.find(([each]) => each.test(name))
  return members.get(name) ?? pattern?.[1] ?? (typeof rest === 'object' ? rest : undefined)
}

/** A plain object of unknown members: a schema or a value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const UNREADABLE = ['allOf', 'oneOf', 'not', 'if', '$ref', 'prefixItems']

function analyse(schema: TSchema): Shape {
  if (!isRecord(schema)) throw new TypeError('A schema is an object.')
  // Treated as untyped, such a schema would accept everything unchecked: fail early instead.
  const trap = UNREADABLE.find((keyword) => keyword in schema)
  if (trap !== undefined || Array.isArray(schema['items']))
    throw new TypeError(`Input cannot be read by ${trap ?? 'tuples'}.`)
  const { type } = schema
  if (Array.isArray(schema['anyOf'])) return union(schema, schema['anyOf'].map(shapeOf))
  if (Array.isArray(type))
    return union(
      schema,
      type.map((each) => shapeOf({ ...schema, type: String(each) })),
    )
  if ('const' in schema) return { schema, kind: 'literals', values: [schema['const']].filter(isLiteral) }
  if (Array.isArray(schema['enum'])) return { schema, kind: 'literals', values: schema['enum'].filter(isLiteral) }
  switch (type) {
    case 'object':
      return objectShape(schema)
    case 'array': {
      const items = shapeOf(isRecord(schema['items']) ? schema['items'] : {})
      return { schema, kind: 'array', items, hasNames: limitsNames(items) }
    }
    case 'string':
      return { schema, kind: 'string', trims: schema['trim'] === true }
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { schema, kind: type }
    default:
      return { schema, kind: 'free', names: namesIn(schema), path: textIn(schema['path']) }
  }
}

function objectShape(schema: Record<string, unknown>): Shape {
  const { additionalProperties: additional } = schema
  const rest = isRecord(additional) ? shapeOf(additional) : additional === true ? shapeOf({}) : undefined
  const members = new Map(schemasIn(schema['properties']).map(([name, each]) => [name, shapeOf(each)]))
  const patterns = schemasIn(schema['patternProperties']).map(
    ([name, each]) => [new RegExp(name), shapeOf(each)] as const,
  )
  const parts = [...members.values(), ...patterns.map(([, each]) => each), ...(rest ? [rest] : [])]
  return {
    schema,
    kind: 'object',
    members,
    patterns,
    rest: rest ?? (additional === false ? 'refused' : 'dropped'),
    ignored: new Map(
      Object.entries(isRecord(schema['ignored']) ? schema['ignored'] : {}).map(([name, path]) => [name, textIn(path)]),
    ),
    hasNames: parts.some(limitsNames),
  }
}

/** Whether names of members must be checked in some part of it. */
export function limitsNames(shape: Shape): boolean {
  return shape.kind === 'free' ? shape.names !== undefined : 'hasNames' in shape && shape.hasNames
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function namesIn({ names }: Record<string, unknown>): MemberNames | undefined {
  return isMemberNames(names) ? names : undefined
}

function isMemberNames(value: unknown): value is MemberNames {
  return isRecord(value) && isRecord(value['members'])
}

function schemasIn(value: unknown): [name: string, TSchema][] {
  return isRecord(value) ? Object.entries(value).map(([name, each]) => [name, isRecord(each) ? each : {}]) : []
}

/** Kinds that are not listed are strict, and come first. */
const LENIENCY: readonly Shape['kind'][] = ['array', 'string', 'free']

function union(schema: TSchema, members: readonly Shape[]): Shape {
  const flat = members.flatMap((each) => (each.kind === 'union' ? [...each.variants, ...nullOf(each)] : [each]))
  const nullable = flat.some(({ kind }) => kind === 'null')
  const others = flat.filter(({ kind }) => kind !== 'null')
  if (others.every((each) => each.kind === 'literals')) {
    const values = others.flatMap((each) => each.values)
    return { schema, kind: 'literals', values: nullable ? [...values, null] : values }
  }
  // In XML nearly any element can be a list of one, and any text a string: try those last.
  const variants = others.toSorted((one, other) => LENIENCY.indexOf(one.kind) - LENIENCY.indexOf(other.kind))
  return { schema, kind: 'union', variants, nullable, hasNames: variants.some(limitsNames) }
}

function nullOf({ nullable }: UnionShape): Shape[] {
  return nullable ? [shapeOf({ type: 'null' })] : []
}

function isLiteral(value: unknown): value is JsonLiteral {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
