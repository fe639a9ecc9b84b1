import { existsSync, readFileSync } from 'node:fs'
import { describeApi } from '../../src/platform/description/openapi.ts'
import { isRecord } from '../../src/platform/wire/schema-shape.ts'
import { ROUTES } from '../../src/routes.ts'

export type Schema = Record<string, unknown>

interface Parameter {
  readonly name: string
  readonly place: string
  readonly required: boolean
  readonly schema: Schema
}

export interface DescribedAnswer {
  /** By media type; none: the body is empty. */
  readonly schemas: ReadonlyMap<string, Schema>
  readonly headers: readonly string[]
}

export interface Operation {
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
  readonly operations: readonly Operation[]
  readonly error: Schema
  /** Which operation an address belongs to. */
  find(method: string, path: string): Operation | undefined
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** What `openapi.json` says; where there is none yet, what it would say. */
export function readDescription(): ApiDescription {
  const file = new URL('../../../openapi.json', import.meta.url)
  const document: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : describeApi(ROUTES)
  const resolve = createResolver(document)
  const operations = entries(at(document, 'paths')).flatMap(([path, methods]) =>
    entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => readOperation(method.toUpperCase(), path, operation, resolve)),
  )
  return {
    operations,
    error: closed(record(resolve(at(document, 'components', 'schemas', 'Error')))),
    find: createFinder(operations),
  }
}

function readOperation(method: string, path: string, given: unknown, resolve: Resolve): Operation {
  const operation = record(resolve(given))
  const contents = entries(at(operation, 'requestBody', 'content'))
  const [, json] = contents.find(([type]) => type === 'application/json') ?? []
  return {
    id: String(operation['operationId']),
    method,
    path,
    parameters: list(operation['parameters']).map((each) => ({
      name: String(at(each, 'name')),
      place: String(at(each, 'in')),
      required: at(each, 'required') === true,
      schema: record(at(each, 'schema')),
    })),
    body: json === undefined ? undefined : record(at(json, 'schema')),
    bodyTypes: contents.map(([type]) => type),
    answers: new Map(entries(operation['responses']).map(([status, answer]) => [status, readAnswer(answer)])),
  }
}

function readAnswer(answer: unknown): DescribedAnswer {
  return {
    schemas: new Map(entries(at(answer, 'content')).map(([type, each]) => [type, closed(record(at(each, 'schema')))])),
    headers: entries(at(answer, 'headers')).map(([name]) => name.toLowerCase()),
  }
}

/** Literal paths come before those with parameters, as they do on the server. */
function createFinder(operations: readonly Operation[]): ApiDescription['find'] {
  const patterns = operations
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i'),
    }))
    .toSorted((one, other) => one.operation.path.split('{').length - other.operation.path.split('{').length)
  return (method, path) =>
    patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation
}

type Resolve = (value: unknown) => unknown

/** Puts what is referred to into its place. Nothing in our description holds itself. */
function createResolver(document: unknown): Resolve {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve)
    if (!isRecord(value)) return value
    const { $ref: reference, ...rest } = value
    const target = typeof reference === 'string' ? resolve(at(document, ...reference.slice(2).split('/'))) : {}
    return { ...record(target), ...Object.fromEntries(entries(rest).map(([name, each]) => [name, resolve(each)])) }
  }
  return resolve
}

/** An answer has the members that are described and no others, although the description lets readers expect more. */
function closed(schema: Schema): Schema {
  const copy: Schema = {}
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties')
      copy[name] = Object.fromEntries(entries(value).map(([key, each]) => [key, closed(record(each))]))
    else if (name === 'items' && isRecord(value)) copy[name] = closed(value)
    else if (name === 'anyOf') copy[name] = list(value).map((each) => closed(record(each)))
    else copy[name] = value
  }
  const isOpen = 'properties' in schema && !('additionalProperties' in schema)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isRecord(found) ? found[name] : undefined
  return found
}

function entries(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
