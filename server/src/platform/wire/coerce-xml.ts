import { addMember, coerceText, type CoercionState, inspectFree, noteIgnored } from './coerce.ts'
import { MAX_MEMBERS, tooManyValues } from './json.ts'
import { type ObjectShape, matchesSchema, type Shape, type UnionShape } from './schema-shape.ts'
import { isBlank, type XmlNode } from './xml.ts'

/** Coerces an element to the types of its schema, because XML has neither arrays nor types. */
export function coerceXml(shape: Shape, node: XmlNode, state: CoercionState): unknown {
  if (shape.kind === 'object') return coerceMembers(shape, node, state)
  if (shape.kind === 'array') return coerceArray(shape.items, node, state)
  if (shape.kind === 'union') return coerceUnion(shape, node, state)
  if (shape.kind === 'literals' && isEmpty(node) && shape.values.includes(null)) return null
  // Elements in the position of a scalar are kept, so that validation reports them.
  if (isLeaf(node)) return coerceText(shape, node.text, state)
  const value = free(node, state)
  if (shape.kind === 'free') inspectFree(shape, value, state)
  return value
}

function coerceMembers(shape: ObjectShape, node: XmlNode, state: CoercionState): unknown {
  if (isLeaf(node)) return isBlank(node.text) ? {} : free(node, state)
  const given = groupByName(node)
  const isArray = given.size === 1 && given.has('item') && !shape.members.has('item')
  if (isArray && typeof shape.rest === 'string' && shape.patterns.length === 0) return free(node, state)
  const value: Record<string, unknown> = {}
  for (const [name, member] of shape.members) {
    const nodes = given.get(name)
    if (!nodes) continue
    noteIgnored(shape, name, state)
    value[name] = coerceSiblings(member, nodes, state)
  }
  for (const [name, nodes] of given) {
    if (shape.members.has(name)) continue
    addMember(value, shape, name, (member) => coerceSiblings(member, nodes, state), state)
  }
  return value
}

/** Repeated siblings are elements of an array, whatever the schema expects. */
function coerceSiblings(shape: Shape, nodes: readonly XmlNode[], state: CoercionState): unknown {
  const [only] = nodes
  if (only && nodes.length === 1) return coerceXml(shape, only, state)
  const variants = shape.kind === 'union' ? shape.variants : [shape]
  const array = variants.find((each) => each.kind === 'array')
  return nodes.map((each) => (array ? coerceXml(array.items, each, state) : free(each, state)))
}

/** Elements are in `item`. Without it, an older client has omitted the list around its only element, or named it. */
function coerceArray(items: Shape, node: XmlNode, state: CoercionState): unknown[] {
  if (isLeaf(node) && isBlank(node.text) && (node.text === '' || items.kind !== 'string')) return []
  const names = new Set(node.children.map(({ name }) => name))
  const isElement = names.size !== 1 || (!names.has('item') && names.values().every((name) => hasMember(items, name)))
  if (isElement) return [coerceXml(items, node, state)]
  return node.children.map((each) => coerceXml(items, each, state))
}

function hasMember(shape: Shape, name: string): boolean {
  const variants = shape.kind === 'union' ? shape.variants : [shape]
  return variants.some((each) => each.kind === 'object' && each.members.has(name))
}

function coerceUnion(shape: UnionShape, node: XmlNode, state: CoercionState): unknown {
  if (shape.nullable && isEmpty(node)) return null
  const [only] = shape.variants
  if (only && shape.variants.length === 1) return coerceXml(only, node, state)
  for (const variant of shape.variants) {
    const value = coerceXml(variant, node, state)
    if (matchesSchema(variant.schema, value)) return value
  }
  const nearest = shape.variants.find((each) => isLeaf(node) !== (each.kind === 'object' || each.kind === 'array'))
  return nearest ? coerceXml(nearest, node, state) : free(node, state)
}

/** If the schema leaves the type open, the value is the text of the leaf. */
function free(node: XmlNode, state: CoercionState): unknown {
  if (isLeaf(node)) return coerceText(FREE, node.text, state)
  const given = groupByName(node)
  const items = given.size === 1 ? given.get('item') : undefined
  if (items) return items.map((each) => free(each, state))
  const value: Record<string, unknown> = {}
  for (const [name, nodes] of given)
    addMember(value, FREE_MEMBERS, name, (shape) => coerceSiblings(shape, nodes, state), state)
  return value
}

function groupByName({ children }: XmlNode): Map<string, XmlNode[]> {
  const given = Map.groupBy(children, ({ name }) => name)
  if (given.size > MAX_MEMBERS) throw tooManyValues(MAX_MEMBERS)
  return given
}

const FREE: Shape = { kind: 'free', schema: {}, names: undefined, path: '' }
const FREE_MEMBERS: ObjectShape = {
  kind: 'object',
  schema: {},
  members: new Map(),
  patterns: [],
  rest: FREE,
  ignored: new Map(),
  hasNames: false,
}

function isLeaf({ children }: XmlNode): boolean {
  return children.length === 0
}

function isEmpty(node: XmlNode): boolean {
  return isLeaf(node) && node.text === ''
}
