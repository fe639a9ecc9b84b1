import type { FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import type { RawBody } from '../wire/body.ts'
import { closeSchema } from '../wire/close-schema.ts'
import { startCoercion } from '../wire/coerce.ts'
import type { Context } from '../operation/context.ts'
import { csvParameters } from '../wire/csv.ts'
import { ApiError } from '../messages/errors.ts'
import { bulkParameters } from './bulk.ts'
import type { RequestState } from './request-state.ts'
import { type Pagination, pageParameters, parsePagination, UNPAGED } from './pages.ts'
import { suggestName } from '../wire/nearest.ts'
import { parseQueryString } from '../wire/query-string.ts'
import { coerceInput, readInput } from '../wire/read-input.ts'
import type { Route } from './route.ts'
import { isRecord, type Shape, shapeOf } from '../wire/schema-shape.ts'
import { sparseParameters } from './sparse-answer.ts'
import { XmlNode } from '../wire/xml.ts'

/** Parses a request by the schemas of its route, independent of objects and viewer. */
export interface InputReader {
  /** Names of ignored parameters are added to `ignored`. */
  query(exchange: Pick<RequestState, 'query'>, ignored?: Set<string>): Record<string, unknown>
  /** Paths of ignored members are added to `ignored`. */
  body(raw: RawBody | undefined, ignored?: Set<string>): unknown
  params(request: Pick<FastifyRequest, 'params'>): unknown
  page(query: Record<string, unknown>, exchange: Pick<RequestState, 'path'>, context: Context): Pagination
}

/** Unknown input is refused: schemas are closed here, so that no route can forget it. */
export function createInputReader(route: Route): InputReader {
  const { pages, bodyRules = {}, params = {} } = route
  const readQuery = createQueryReader(route)
  const schema = bodySchema(route)
  const shape = shapeOf(schema)
  const wrapped = shape.kind === 'object' ? shape.members.get(bodyRules.wrapper ?? '') : undefined
  const takesObject = wrapped?.kind === 'object'
  return {
    query: readQuery,
    body(raw, ignored) {
      if (!raw) {
        if (route.body && !bodyRules.isOptional) throw new ApiError('body_required')
        return undefined
      }
      if (bodyRules.isValidatedByHandler) return coerceInput(schema, raw.value, startCoercion(raw.dialect, ignored))
      const value = bodyRules.wrapper ? wrap(raw, bodyRules.wrapper, takesObject) : raw.value
      const body = readInput(schema, value, raw.dialect, '', ignored)
      return route.body ? body : undefined
    },
    params({ params: given }) {
      const parsed = Object.entries(params).map(([name, param]) => [name, param.parse(textOf(given, name), name)])
      return Object.fromEntries(parsed)
    },
    page(query, exchange, { secrets }) {
      return pages && pages !== 'whole' ? parsePagination(pages, query, exchange.path, secrets) : UNPAGED
    },
  }
}

/** The schema of the body, closed at every level. A route without a body accepts none but an empty one. */
export function bodySchema({ body, ignores }: Route): TSchema {
  return closeSchema(body ?? Type.Object({}), ignores?.members)
}

/** The schema of each line of a bulk route, closed at every level. */
export function lineSchema(line: TSchema, { ignores }: Route): TSchema {
  return closeSchema(line, ignores?.members)
}

function createQueryReader(route: Route): InputReader['query'] {
  const schema = querySchema(route)
  const names = Object.keys(schema.properties)
  const known = new Set(names)
  const tolerated = new Set(route.ignores?.parameters)
  const lists = new Set(names.filter((name) => shapeOfParameter(schema, name)?.kind === 'array'))
  const flags = new Set(names.filter((name) => isFlag(shapeOfParameter(schema, name))))
  return (exchange, ignored) => {
    const { values, duplicates, lists: given, names: all, empty } = parseQueryString(exchange.query)
    const unknown: string[] = []
    for (const name of all) {
      if (known.has(name)) continue
      if (tolerated.has(name)) ignored?.add(name === '' ? '=' : name)
      else unknown.push(name)
    }
    refuseUnknown(unknown, names)
    for (const path of duplicates)
      if (known.has(path) && !lists.has(path)) throw new ApiError('parameter_conflict', { path })
    for (const path of empty) if (flags.has(path)) throw new ApiError('parameter_invalid', { path, rule: 'type' })
    const listed = [...given].filter(([name]) => lists.has(name))
    const single = [...values].filter(([name]) => known.has(name))
    const read = readInput(schema, Object.fromEntries([...single, ...listed]), 'text')
    return isRecord(read) ? read : {}
  }
}

function refuseUnknown(unknown: readonly string[], known: readonly string[]): void {
  const problems = unknown.map(
    (name) => ({ reason: 'parameter_unknown', path: name, ...suggestName(name, known) }) as const,
  )
  const [first, ...more] = problems
  if (!first) return
  const { reason, ...details } = first
  throw new ApiError(reason, more.length === 0 ? details : { ...details, all: problems })
}

function shapeOfParameter({ properties }: TObject, name: string): Shape | undefined {
  const member = properties[name]
  return member && shapeOf(member)
}

/** A boolean parameter that must not be empty: an unset shell variable would change the meaning of the request. */
function isFlag(shape: Shape | undefined): boolean {
  return shape?.kind === 'boolean' && !('mayBeEmpty' in shape.schema)
}

const notifyParameter = {
  notify: Type.Optional(
    Type.Boolean({
      description:
        '`false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project.',
    }),
  ),
}

/** All query parameters of a route. */
export function querySchema(route: Route): TObject {
  const { query, pages, writes } = route
  return Type.Object({
    ...query,
    ...(route.formats?.exportRows && csvParameters),
    ...sparseParameters(route),
    ...(route.bulk && bulkParameters(route.bulk)),
    ...(route.notifies && notifyParameter),
    ...(pages && pages !== 'whole' && pageParameters(pages)),
    ...(writes && { dry_run: Type.Optional(Type.Boolean({ description: 'Check and report, write nothing.' })) }),
  })
}

/** Wraps a bare `[…]` or `{…}` into `{"member": …}`, as the contract has it. */
function wrap(raw: RawBody, member: string, takesObject: boolean): unknown {
  if (raw.dialect === 'xml') {
    if (raw.value.children.some((child) => child.name === member)) return raw.value
    const [outer, inner] = [new XmlNode('request', raw.value.attributes), new XmlNode(member)]
    inner.text = raw.value.text
    inner.children.push(...raw.value.children)
    outer.children.push(inner)
    return outer
  }
  const isWhole = isRecord(raw.value) && (Object.hasOwn(raw.value, member) || !takesObject)
  return isWhole ? raw.value : { [member]: raw.value }
}

function textOf(params: unknown, name: string): string {
  const value = isRecord(params) ? params[name] : undefined
  return typeof value === 'string' ? value : ''
}
