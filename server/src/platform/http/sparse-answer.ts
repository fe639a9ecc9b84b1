import { type TProperties, type TSchema, Type } from 'typebox'
import { countFitting, cutObject, MIN_REPLY_BYTES, MAX_REPLY_BYTES, maxBytesTooSmall } from '../wire/max-bytes.ts'
import { isRecord } from '../wire/schema-shape.ts'
import {
  type FieldSelection,
  selectMembers,
  selectedFields,
  parseFieldSelection,
  requireReadable,
} from '../wire/sparse.ts'
import { ApiError } from '../messages/errors.ts'
import type { RenderedReply } from './render-reply.ts'
import type { Pagination } from './pages.ts'
import type { Route } from './route.ts'
import type { CutElements, RouteReply } from './route-call.ts'

const fieldsParameter: TProperties = {
  fields: Type.Optional(
    Type.String({
      description:
        'Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires.',
    }),
  ),
}

const maxBytesParameter: TProperties = {
  max_bytes: Type.Optional(
    Type.Integer({
      minimum: MIN_REPLY_BYTES,
      maximum: MAX_REPLY_BYTES,
      description:
        'Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only.',
    }),
  ),
}

/** Every read of JSON accepts `fields`, unless the parameter has another meaning there. */
function takesFields({ method, writes, answer, formats, query }: Route): boolean {
  return method === 'GET' && !writes && answer !== undefined && formats?.file === undefined && !query?.['fields']
}

export function sparseParameters(route: Route): TProperties {
  return { ...(takesFields(route) && fieldsParameter), ...(route.formats?.sparse && maxBytesParameter) }
}

/** The requested part of a response. */
export interface Sparse {
  readonly choice: FieldSelection
  /** As requested; empty: all. */
  readonly names: readonly string[]
  readonly maximum: number | undefined
}

/** Undefined: the complete response. Refuses everything that is invalid independent of the response. */
export function readSparse(route: Route, query: Record<string, unknown>, format: string): Sparse | undefined {
  const { fields, max_bytes: maximum } = query
  if (!takesFields(route) || (fields === undefined && maximum === undefined)) return undefined
  if (maximum !== undefined && format !== 'json') throw new ApiError('parameter_conflict', { path: 'max_bytes' })
  const names = typeof fields === 'string' ? fields.split(',').map((name) => name.trim()) : []
  return {
    choice: parseFieldSelection(typeof fields === 'string' ? fields : '', selectableSchema(route).schema),
    names: names.filter((name) => name !== ''),
    maximum: typeof maximum === 'number' ? maximum : undefined,
  }
}

/** The requested members, so that a handler can skip the others; undefined: all. */
export function chosenMembers(sparse: Sparse | undefined): ReadonlySet<string> | undefined {
  return sparse && sparse.choice !== 'all' ? new Set(sparse.choice.keys()) : undefined
}

/** Cuts one element of an export. */
export function chooseElement(
  { choice }: Sparse,
  route: Route,
  element: unknown,
  fields: RouteReply<unknown>['fieldNames'],
): unknown {
  return selectMembers(element, choice, selectableSchema(route).schema, fields)
}

export function requireReadableFields(
  { choice }: Sparse,
  route: Route,
  fields: RouteReply<unknown>['fieldNames'],
): void {
  requireReadable(choice, selectableSchema(route).schema, fields)
}

/** For handlers that represent elements themselves, or skip reading the rest. */
export function cutElements(sparse: Sparse, route: Route): CutElements {
  return {
    requireReadable: (fields) => requireReadableFields(sparse, route, fields),
    element: (element, fields) => chooseElement(sparse, route, element, fields),
    picked: (member, fields) => selectedFields(sparse.choice, member, fields),
  }
}

interface Cut {
  readonly answer: RenderedReply
  readonly found: RouteReply<unknown>
  readonly page: Pagination
}

/** The cut response with its new page. */
export function cutReply(route: Route, { choice, maximum }: Sparse, whole: Cut): Cut {
  const { answer, found, page } = whole
  if (answer.body === null) return whole
  const { schema, member, isList } = selectableSchema(route)
  requireReadable(choice, schema, found.fieldNames)
  const body: unknown = JSON.parse(answer.body)
  const shown = selectMembers(
    isRecord(body) && member !== undefined ? body[member] : body,
    choice,
    schema,
    found.fieldNames,
  )
  const around = (part: unknown) => (isRecord(body) && member !== undefined ? { ...body, [member]: part } : part)
  const printed = (part: unknown) => ({ ...answer, body: JSON.stringify(around(part)) })
  if (maximum === undefined) return { ...whole, answer: printed(shown) }
  if (!isList || !Array.isArray(shown))
    return { ...whole, answer: printed(isRecord(shown) ? cutObject(shown, maximum) : shown) }

  const count = countFitting(shown, Buffer.byteLength(JSON.stringify(around([]))), maximum)
  if (count === shown.length) return { ...whole, answer: printed(shown) }
  const next = found.placeAt?.(count - 1)
  // Without a next page the omitted elements would be unreachable.
  if (!next) throw maxBytesTooSmall(Buffer.byteLength(printed(shown).body))
  return { answer: printed(shown.slice(0, count)), found: { ...found, next }, page: { ...page, limit: count } }
}

/** The schema to select from: an object, or the elements of a list, which may be a member of its own. */
export function selectableSchema({ answer, pages, path }: Route): {
  schema: TSchema
  member?: string
  isList: boolean
} {
  if (!answer) throw new TypeError(`${path} shows nothing.`)
  if ('items' in answer && isRecord(answer.items)) return { schema: answer.items, isList: true }
  const members = 'properties' in answer && isRecord(answer.properties) ? Object.entries(answer.properties) : []
  // Members before the list describe it.
  const list = pages ? members.findLast(([, each]) => isRecord(each) && 'items' in each) : undefined
  const items = list && isRecord(list[1]) ? list[1]['items'] : undefined
  return list && isRecord(items) ? { schema: items, member: list[0], isList: true } : { schema: answer, isList: false }
}
