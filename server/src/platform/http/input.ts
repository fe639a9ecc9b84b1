import type { FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import type { RawBody } from '../wire/body.ts'
import type { Context } from '../operation/context.ts'
import { csvParameters } from '../wire/csv.ts'
import { ApiError } from '../messages/errors.ts'
import { bulkParameters } from './bulk.ts'
import type { RequestState } from './request-state.ts'
import { type Pagination, pageParameters, parsePagination, UNPAGED } from './pages.ts'
import { parseQueryString } from '../wire/query-string.ts'
import { coerceInput, readInput } from '../wire/read-input.ts'
import type { Route } from './route.ts'
import { isRecord, shapeOf } from '../wire/schema-shape.ts'
import { sparseParameters } from './sparse-answer.ts'
import { XmlNode } from '../wire/xml.ts'

/** Parses a request by the schemas of its route, independent of objects and viewer. */
export interface InputReader {
  query(exchange: Pick<RequestState, 'query'>): Record<string, unknown>
  body(raw: RawBody | undefined): unknown
  params(request: Pick<FastifyRequest, 'params'>): unknown
  page(query: Record<string, unknown>, exchange: Pick<RequestState, 'path'>, context: Context): Pagination
}

export function createInputReader(route: Route): InputReader {
  const { pages, body, bodyRules = {}, params = {} } = route
  const schema = querySchema(route)
  const names = new Set(Object.keys(schema.properties))
  const lists = new Set(Object.keys(schema.properties).filter((name) => isList(schema, name)))
  return {
    query(exchange) {
      const { values, duplicates, lists: given } = parseQueryString(exchange.query)
      for (const path of duplicates)
        if (names.has(path) && !lists.has(path)) throw new ApiError('parameter_conflict', { path })
      const listed = [...given].filter(([name]) => lists.has(name))
      const read = readInput(schema, { ...Object.fromEntries(values), ...Object.fromEntries(listed) }, 'text')
      return isRecord(read) ? read : {}
    },
    body(raw) {
      if (!body) return undefined
      if (raw && bodyRules.isValidatedByHandler)
        return coerceInput(body, raw.value, { dialect: raw.dialect, suspect: false })
      if (raw) return readInput(body, bodyRules.wrapper ? wrap(raw, bodyRules.wrapper) : raw.value, raw.dialect)
      if (bodyRules.isOptional) return undefined
      throw new ApiError('body_required')
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

function isList({ properties }: TObject, name: string): boolean {
  const member = properties[name]
  return member !== undefined && shapeOf(member).kind === 'array'
}

const notifyParameter = {
  notify: Type.Optional(
    Type.Boolean({
      description: '`false`: no mail and no inbox entry; the event is marked as silent. Only tracker administrators.',
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
    ...(route.bulk && bulkParameters),
    ...(route.notifies && notifyParameter),
    ...(pages && pages !== 'whole' && pageParameters(pages)),
    ...(writes && { dry_run: Type.Optional(Type.Boolean({ description: 'Check and report, write nothing.' })) }),
  })
}

/** Wraps a bare `[…]` or `{…}` into `{"member": …}`, as the contract has it. */
function wrap(raw: RawBody, member: string): unknown {
  if (raw.dialect === 'xml') {
    if (raw.value.children.some((child) => child.name === member)) return raw.value
    const [outer, inner] = [new XmlNode('request'), new XmlNode(member)]
    inner.text = raw.value.text
    inner.children.push(...raw.value.children)
    outer.children.push(inner)
    return outer
  }
  return isRecord(raw.value) && member in raw.value ? raw.value : { [member]: raw.value }
}

function textOf(params: unknown, name: string): string {
  const value = isRecord(params) ? params[name] : undefined
  return typeof value === 'string' ? value : ''
}
