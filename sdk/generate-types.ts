/** The part of an OpenAPI 3.1 description that the types are generated from. */
export interface Description {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

interface DescribedOperation {
  summary?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Schema {
  $ref?: string
  type?: string | string[]
  pattern?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}

const HEAD = `// Made from openapi.json by \`npm run sdk\`: not to be edited.
`
const JSON_TYPE = 'application/json'

/** Generates TypeScript for every schema and operation of a description. */
export function generateTypes({ paths, components }: Description): string {
  const schemas = Object.entries(components.schemas).flatMap(([name, schema]) => [
    `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`,
    ...(schema.discriminator ? [openType(name, schema)] : []),
  ])
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ name: `${method.toUpperCase()} ${path}`, described })),
  )
  const described = operations.map(({ name, described: one }) => operation(name, one, components.parameters ?? {}))
  const unkeyed = operations
    .filter(({ name, described: one }) => !name.startsWith('GET ') && !takesKey(one))
    .map(({ name }) => `  '${name}',\n`)
  return [
    HEAD,
    ...schemas,
    `/** What goes in and comes out, by method and address. */\nexport interface Operations {\n${described.join('')}}\n`,
    `/** Writes that have no \`Idempotency-Key\`: they are never sent twice. */\nexport const WITHOUT_KEY: readonly string[] = [\n${unkeyed.join('')}]\n`,
  ].join('\n')
}

function operation(name: string, described: DescribedOperation, shared: Record<string, Parameter>): string {
  const parameters = (described.parameters ?? []).flatMap((each) => {
    const found = '$ref' in each ? shared[nameIn(each.$ref)] : each
    return found ? [found] : []
  })
  const body = name.startsWith('GET ') ? undefined : described.requestBody
  const bodySchema = body?.content[JSON_TYPE]?.schema
  return [
    comment(described.summary, '  '),
    `  '${name}': {\n`,
    ...group('path', parameters),
    ...group('query', parameters),
    bodySchema ? `    body${body?.required ? '' : '?'}: ${typeOf(bodySchema, '    ')}\n` : '',
    `    answer: ${answerOf(described)}\n`,
    '  }\n',
  ].join('')
}

function group(place: string, parameters: readonly Parameter[]): string[] {
  // A dry run has another response type, so it is a separate method: `dryRun`.
  const inPlace = parameters.filter((each) => each.in === place && each.name !== 'dry_run')
  if (inPlace.length === 0) return []
  const members = inPlace.map(({ name, required, description, schema }) =>
    member(name, { ...schema, ...(description !== undefined && { description }) }, required === true, '      '),
  )
  const isNeeded = inPlace.some(({ required }) => required)
  return [`    ${place}${isNeeded ? '' : '?'}: {\n${members.join('')}    }\n`]
}

/** For variants that a newer server may send: the members that all of them share, and the types that are known. */
function openType(name: string, { properties = {}, required = [], discriminator }: Schema): string {
  const open = objectType({ properties, required, additionalProperties: {} }, '')
  const types = Object.keys(discriminator?.mapping ?? {}).map((type) => `  '${type}',\n`)
  return [
    `/** A ${name} of any type, also of one that these types do not know. */\nexport type Any${name} = ${open}\n`,
    `export const ${name.toUpperCase()}_TYPES: readonly string[] = [\n${types.join('')}]\n`,
  ].join('\n')
}

/** The response type without a dry run. */
function answerOf({ responses }: DescribedOperation): string {
  const successes = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status))
  const types = successes.flatMap(([, { content = {} }]) => {
    const { schema } = content[JSON_TYPE] ?? {}
    if (!schema) return Object.keys(content).length > 0 ? ['string'] : []
    const kept = (schema.anyOf ?? [schema]).filter(({ $ref }) => $ref === undefined || nameIn($ref) !== 'DryRun')
    return kept.map((each) => typeOf(each, '    '))
  })
  return [...new Set(types)].join(' | ') || 'undefined'
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return unionOf(variants.map((each) => typeOf(each, indent)))
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, indent)).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ')
  if (type === 'array') return listOf(schema.items ? typeOf(schema.items, indent) : 'unknown')
  if (type === 'object') return objectType(schema, indent)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' && schema.pattern === NAME_PATTERN) return `\`@\${string}\``
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown'
}

/** Names in addresses begin with `@`. */
const NAME_PATTERN = '^@'

/** Drops members that another one includes. */
function unionOf(types: readonly string[]): string {
  if (types.includes('unknown')) return 'unknown'
  const isSaid = (type: string) => type.startsWith('"') && types.includes('string')
  return [...new Set(types.filter((type) => !isSaid(type)))].join(' | ')
}

function listOf(type: string): string {
  return /^\w+$/.test(type) ? `${type}[]` : `(${type})[]`
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema
  const named = Object.entries(properties).map(([name, each]) =>
    member(name, each, required.includes(name), `${indent}  `),
  )
  const [others] = Object.values(patternProperties ?? {})
  const free = others ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  const record = free || named.length === 0 ? `Record<string, ${free ? typeOf(free, indent) : 'unknown'}>` : undefined
  if (named.length === 0) return record ?? 'Record<string, unknown>'
  const object = `{\n${named.join('')}${indent}}`
  return record || additionalProperties === true ? `${object} & ${record ?? 'Record<string, unknown>'}` : object
}

function member(name: string, schema: Schema, isRequired: boolean, indent: string): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
  return `${comment(schema.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${typeOf(schema, indent)}\n`
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}

function takesKey({ parameters = [] }: DescribedOperation): boolean {
  return parameters.some((each) => '$ref' in each && nameIn(each.$ref) === 'IdempotencyKey')
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}
