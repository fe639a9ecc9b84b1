import { existsSync, readFileSync } from 'node:fs'
import { describeApi } from '../../../src/platform/openapi/describe-api.ts'
import { isRecord } from '../../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../../src/routes.ts'

export type Schema = Record<string, unknown>

interface Parameter {
  readonly name: string
  readonly place: string
  readonly required: boolean
  readonly schema: Schema
}

export interface DescribedAnswer {
  /** By media type; empty: no body. */
  readonly schemas: ReadonlyMap<string, Schema>
  readonly headers: readonly string[]
}

export interface DescribedOperation {
  readonly id: string
  /** `GET`. */
  readonly method: string
  /** `/projects/{id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly bodyTypes: readonly string[]
  /** By status, and `default`. */
  readonly answers: ReadonlyMap<string, DescribedAnswer>
}

export interface ApiDescription {
  readonly operations: readonly DescribedOperation[]
  readonly error: Schema
  /** The operation of a URL. */
  find(method: string, path: string): DescribedOperation | undefined
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** The content of `openapi.json`, or its generated form if the file does not exist. */
export function readDescription(): ApiDescription {
  const file = new URL('../../../../openapi.json', import.meta.url)
  const document: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : describeApi(ROUTES)
  const resolve = createResolver(document)
  const operations = entries(getAt(document, 'paths')).flatMap(([path, methods]) =>
    entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => readOperation(method.toUpperCase(), path, operation, resolve)),
  )
  return {
    operations,
    error: closed(asRecord(resolve(getAt(document, 'components', 'schemas', 'Error')))),
    find: createFinder(operations),
  }
}

function readOperation(method: string, path: string, given: unknown, resolve: Resolve): DescribedOperation {
  const operation = asRecord(resolve(given))
  const contents = entries(getAt(operation, 'requestBody', 'content'))
  const [, json] = contents.find(([type]) => type === 'application/json') ?? []
  return {
    id: String(operation['operationId']),
    method,
    path,
    parameters: asList(operation['parameters']).map((each) => ({
      name: String(getAt(each, 'name')),
      place: String(getAt(each, 'in')),
      required: getAt(each, 'required') === true,
      schema: asRecord(getAt(each, 'schema')),
    })),
    body: json === undefined ? undefined : asRecord(getAt(json, 'schema')),
    bodyTypes: contents.map(([type]) => type),
    answers: new Map(entries(operation['responses']).map(([status, answer]) => [status, readAnswer(answer)])),
  }
}

function readAnswer(answer: unknown): DescribedAnswer {
  return {
    schemas: new Map(
      entries(getAt(answer, 'content')).map(([type, each]) => [type, closed(asRecord(getAt(each, 'schema')))]),
    ),
    headers: entries(getAt(answer, 'headers')).map(([name]) => name.toLowerCase()),
  }
}

/** Literal paths come before those with parameters, as on the server. */
function createFinder(operations: readonly DescribedOperation[]): ApiDescription['find'] {
  const patterns = operations
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/^\/$/, '/?')}$`, 'i'),
    }))
    .toSorted((one, other) => one.operation.path.split('{').length - other.operation.path.split('{').length)
  return (method, path) =>
    patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation
}

type Resolve = (value: unknown) => unknown

/** Inlines references. The description has no recursive schemas. */
function createResolver(document: unknown): Resolve {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve)
    if (!isRecord(value)) return value
    const { $ref: reference, ...rest } = value
    const target = typeof reference === 'string' ? resolve(getAt(document, ...reference.slice(2).split('/'))) : {}
    return { ...asRecord(target), ...Object.fromEntries(entries(rest).map(([name, each]) => [name, resolve(each)])) }
  }
  return resolve
}

/** Forbids undescribed members in responses, although the description lets readers expect more. */
function closed(schema: Schema): Schema {
  // Each variant also has the members that all of them share.
  if (Array.isArray(schema['oneOf'])) return { anyOf: schema['oneOf'].map((each) => closed(asRecord(each))) }
  const copy: Schema = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties' || name === 'patternProperties')
      copy[name] = Object.fromEntries(entries(value).map(([key, each]) => [key, closed(asRecord(each))]))
    else if ((name === 'items' || name === 'additionalProperties') && isRecord(value)) copy[name] = closed(value)
    else if (name === 'anyOf') copy[name] = asList(value).map((each) => closed(asRecord(each)))
    else copy[name] = value
  }
  const isOpen = 'properties' in schema && !('additionalProperties' in schema)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

export function getAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isRecord(found) ? found[name] : undefined
  return found
}

function entries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
