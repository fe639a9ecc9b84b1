import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/feed/event-types.ts'
import { describeApi } from '../../src/platform/openapi/describe-api.ts'
import {
  isJsonList,
  isJsonObject,
  type JsonValue,
  type JsonObject,
} from '../../src/platform/openapi/openapi-schemas.ts'
import { openapiTag } from '../../src/platform/openapi/openapi-operation.ts'
import { TAG_DESCRIPTIONS } from '../../src/platform/openapi/tag-descriptions.ts'
import { toSwagger2 } from '../../src/platform/openapi/swagger2.ts'
import { ROUTES } from '../../src/routes.ts'

const openapi = describeApi(ROUTES)
const swagger = toSwagger2(openapi, new URL('https://waypost.example'))

test('openapi.json equals the routes; `npm run openapi` writes it', () => {
  expect(readFileSync('openapi.json', 'utf8')).toBe(`${JSON.stringify(openapi, null, 2)}\n`)
})

describe.each([
  { name: 'OpenAPI 3.1', document: openapi },
  { name: 'Swagger 2.0', document: swagger },
])('$name', ({ document }) => {
  const operations = operationsOf(document)

  test('has every route once', () => {
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(described).toEqual(
      [...Map.groupBy(ROUTES, ({ path }) => path).values()]
        .flat()
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
    )
  })

  test('has unique operation names, and a description for each', () => {
    const names = operations.map(({ operation }) => operation['operationId'])
    expect(new Set(names).size).toBe(names.length)
    for (const { operation } of operations) expect(operation['summary']).toMatch(/^[A-Z].*\.$/)
  })

  test('declares the parameters of each path, and no others', () => {
    for (const { path, operation } of operations) {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parametersOf(document, operation)
      expect(declared.filter((each) => each['in'] === 'path').map((each) => each['name'])).toEqual(places)
      expect(declared.filter((each) => each['in'] === 'path' && each['required'] !== true)).toEqual([])
      const keys = declared.map((each) => `${text(each['in'])} ${text(each['name'])}`)
      expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([])
    }
  })

  test('has no dangling and no unused references', () => {
    const pointers = new Set(
      nodesOf(document).flatMap(({ $ref: pointer }) => (pointer === undefined ? [] : [text(pointer)])),
    )
    expect([...pointers].filter((pointer) => at(document, pointer) === undefined)).toEqual([])
    const schemas = Object.keys(objectAt(document, '#/components/schemas') ?? objectAt(document, '#/definitions') ?? {})
    const used = [...pointers].map((pointer) => pointer.split('/').at(-1))
    expect(schemas.filter((name) => !used.includes(name))).toEqual([])
  })

  test('has a description for every response, and a success for every operation', () => {
    const failing = operations.filter(({ operation }) => {
      const responses = Object.entries(object(operation['responses']))
      const described = responses.every(([, given]) => /\S/.test(text(resolve(document, object(given))['description'])))
      return !described || !responses.some(([status]) => /^2\d\d$/.test(status))
    })
    expect(failing).toEqual([])
  })
})

test.each([
  { name: 'OpenAPI 3.1', document: openapi },
  { name: 'Swagger 2.0', document: swagger },
])('the document of $name is valid', async ({ document }) => {
  const validator = new Validator()
  // The validator changes the document that it is given.
  expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true })
})

describe('OpenAPI 3.1', () => {
  test('has a description for every tag', () => {
    const undescribed = (isJsonList(openapi['tags']) ? openapi['tags'] : []).filter(
      (tag) => !(text(object(tag)['name']) in TAG_DESCRIPTIONS),
    )
    expect(undescribed).toEqual([])
    const used = new Set(ROUTES.map(openapiTag))
    expect(Object.keys(TAG_DESCRIPTIONS).filter((name) => !used.has(name))).toEqual([])
  })

  test('describes every event that webhooks send', () => {
    expect(Object.keys(object(openapi['webhooks']))).toEqual([...EVENT_TYPES, 'ping'])
  })

  test('shows the dry run report among the responses of every write', () => {
    const writes = ROUTES.filter(({ writes: does, dryRun }) => does && dryRun?.emptyStatus === undefined)
    const silent = writes.filter(({ operationId }) => {
      const success = object(object(operationNamed(operationId)['responses'])['200'])
      return !JSON.stringify(success).includes('#/components/schemas/DryRun')
    })
    expect(writes).not.toEqual([])
    expect(silent).toEqual([])
  })

  test('uses no proprietary keyword', () => {
    expect(nodesOf(openapi).filter((node) => 'trim' in node)).toEqual([])
  })

  test('declares no security where credentials are ignored', () => {
    const first = { everyone: {}, signed_in: undefined, no_credentials: 'nothing' } as const
    const described = ROUTES.map(({ operationId }) => {
      const { security } = operationNamed(operationId)
      return isJsonList(security) ? (security[0] ?? 'nothing') : security
    })
    expect(described).toEqual(ROUTES.map(({ access }) => first[access]))
  })
})

describe('Swagger 2.0', () => {
  test('has the parts that old clients need', () => {
    expect(swagger).toMatchObject({
      swagger: '2.0',
      host: 'waypost.example',
      basePath: '/api',
      info: { title: 'Waypost', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      securityDefinitions: { api_access_key: { type: 'apiKey', in: 'header', name: 'X-Auth-AccessKey' } },
    })
    expect(Object.keys(object(swagger['definitions']))).toContain('Error')
    expect(Object.values(object(swagger['paths'])).filter((path) => 'options' in object(path))).toEqual([])
  })

  test('uses no keyword of later versions', () => {
    const later = ['anyOf', 'oneOf', 'const', 'content', 'requestBody', 'patternProperties', 'examples', 'nullable']
    // Keys of `properties` are member names, which may be any word.
    const nodes = nodesOf(swagger, ['properties', 'definitions'])
    expect(nodes.filter((node) => later.some((keyword) => keyword in node))).toEqual([])
    expect(nodes.filter((node) => isJsonList(node['type']))).toEqual([])
  })

  test('has a plain type for every parameter outside of a body', () => {
    const parameters = operationsOf(swagger).flatMap(({ operation }) => parametersOf(swagger, operation))
    const plain = ['string', 'integer', 'number', 'boolean', 'array']
    expect(parameters.filter((each) => each['in'] !== 'body' && !plain.includes(text(each['type'])))).toEqual([])
    expect(parameters.filter((each) => each['in'] === 'body' && each['schema'] === undefined)).toEqual([])
  })
})

interface Operation {
  path: string
  method: string
  operation: JsonObject
}

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(object(document['paths'])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, operation]) => ({ path, method, operation: object(operation) })),
  )
}

function operationNamed(operationId: string): JsonObject {
  return operationsOf(openapi).find(({ operation }) => operation['operationId'] === operationId)?.operation ?? {}
}

function parametersOf(document: JsonObject, { parameters }: JsonObject): JsonObject[] {
  return isJsonList(parameters) ? parameters.map((each) => resolve(document, object(each))) : []
}

/** Every object of a document; those right below the named members are maps, not schemas. */
function nodesOf(value: JsonValue | undefined, maps: readonly string[] = []): JsonObject[] {
  if (isJsonList(value)) return value.flatMap((each) => nodesOf(each, maps))
  if (!isJsonObject(value)) return []
  const below = Object.entries(value).flatMap(([name, each]) =>
    maps.includes(name) && isJsonObject(each)
      ? Object.values(each).flatMap((member) => nodesOf(member, maps))
      : nodesOf(each, maps),
  )
  return [value, ...below]
}

function resolve(document: JsonObject, value: JsonObject): JsonObject {
  const { $ref: pointer } = value
  return pointer === undefined ? value : object(at(document, text(pointer)))
}

function at(document: JsonObject, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), document)
}

function objectAt(document: JsonObject, pointer: string): JsonObject | undefined {
  const found = at(document, pointer)
  return isJsonObject(found) ? found : undefined
}

function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
