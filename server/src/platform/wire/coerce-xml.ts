import { addMember, coerceText, type Reading } from './coerce.ts'
import { type ObjectShape, fits, type Shape, type UnionShape } from './schema-shape.ts'
import { isBlank, type XmlNode } from './xml.ts'

/** Brings an element to the types of its schema: XML itself has neither arrays nor types. */
export function coerceXml(shape: Shape, node: XmlNode, reading: Reading): unknown {
  if (shape.kind === 'object') return coerceMembers(shape, node, reading)
  if (shape.kind === 'array') return coerceArray(shape.items, node, reading)
  if (shape.kind === 'union') return coerceUnion(shape, node, reading)
  if (shape.kind === 'literals' && isEmpty(node) && shape.values.includes(null)) return null
  // Elements where a scalar belongs are kept as they are, so that validation finds them.
  return isLeaf(node) ? coerceText(shape, node.text, reading) : free(node, reading)
}

function coerceMembers(shape: ObjectShape, node: XmlNode, reading: Reading): unknown {
  if (isLeaf(node)) return isBlank(node.text) ? {} : free(node, reading)
  const given = Map.groupBy(node.children, ({ name }) => name)
  const isArray = given.size === 1 && given.has('item') && !shape.members.has('item')
  if (isArray && typeof shape.rest === 'string' && shape.patterns.length === 0) return free(node, reading)
  const value: Record<string, unknown> = {}
  for (const [name, member] of shape.members) {
    const nodes = given.get(name)
    if (nodes) value[name] = coerceSiblings(member, nodes, reading)
  }
  for (const [name, nodes] of given) {
    if (shape.members.has(name)) continue
    addMember(value, shape, name, (member) => coerceSiblings(member, nodes, reading), reading)
  }
  return value
}

/** Repeated siblings are the elements of an array, whether or not one is wanted. */
function coerceSiblings(shape: Shape, nodes: readonly XmlNode[], reading: Reading): unknown {
  const [only] = nodes
  if (only && nodes.length === 1) return coerceXml(shape, only, reading)
  const variants = shape.kind === 'union' ? shape.variants : [shape]
  const array = variants.find((each) => each.kind === 'array')
  return nodes.map((each) => (array ? coerceXml(array.items, each, reading) : free(each, reading)))
}

/** Elements are in `item`. Without, an older client has left out the list around its only element, or named it. */
function coerceArray(items: Shape, node: XmlNode, reading: Reading): unknown[] {
  if (isLeaf(node) && isBlank(node.text) && (node.text === '' || items.kind !== 'string')) return []
  const names = new Set(node.children.map(({ name }) => name))
  const isElement = names.size !== 1 || (!names.has('item') && names.values().every((name) => hasMember(items, name)))
  if (isElement) return [coerceXml(items, node, reading)]
  return node.children.map((each) => coerceXml(items, each, reading))
}

function hasMember(shape: Shape, name: string): boolean {
  const variants = shape.kind === 'union' ? shape.variants : [shape]
  return variants.some((each) => each.kind === 'object' && each.members.has(name))
}

function coerceUnion(shape: UnionShape, node: XmlNode, reading: Reading): unknown {
  if (shape.nullable && isEmpty(node)) return null
  const [only] = shape.variants
  if (only && shape.variants.length === 1) return coerceXml(only, node, reading)
  for (const variant of shape.variants) {
    const value = coerceXml(variant, node, reading)
    if (fits(variant.schema, value)) return value
  }
  const nearest = shape.variants.find((each) => isLeaf(node) !== (each.kind === 'object' || each.kind === 'array'))
  return nearest ? coerceXml(nearest, node, reading) : free(node, reading)
}

/** Where the schema leaves the type open, the text of a leaf is all that is known. */
function free(node: XmlNode, reading: Reading): unknown {
  if (isLeaf(node)) return coerceText(FREE, node.text, reading)
  const given = Map.groupBy(node.children, ({ name }) => name)
  const items = given.size === 1 ? given.get('item') : undefined
  if (items) return items.map((each) => free(each, reading))
  const value: Record<string, unknown> = {}
  for (const [name, nodes] of given)
    addMember(value, FREE_MEMBERS, name, (shape) => coerceSiblings(shape, nodes, reading), reading)
  return value
}

const FREE: Shape = { kind: 'free', schema: {} }
const FREE_MEMBERS: ObjectShape = { kind: 'object', schema: {}, members: new Map(), patterns: [], rest: FREE }

function isLeaf({ children }: XmlNode): boolean {
  return children.length === 0
}

function isEmpty(node: XmlNode): boolean {
  return isLeaf(node) && node.text === ''
}
