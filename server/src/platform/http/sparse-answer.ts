import { type TProperties, type TSchema, Type } from 'typebox'
import { countFitting, cutObject, FEWEST_BYTES, MOST_BYTES, tooSmall } from '../wire/max-bytes.ts'
import { isRecord } from '../wire/schema-shape.ts'
import { type Choice, choose, pickedOf, readChoice, requireReadable } from '../wire/sparse.ts'
import { ApiError } from '../words/errors.ts'
import type { Answer } from './answer.ts'
import type { Page } from './pages.ts'
import type { CutElements, Reply, Route } from './route.ts'

export const sparseParameters: TProperties = {
  fields: Type.Optional(
    Type.String({
      description:
        'Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires.',
    }),
  ),
  max_bytes: Type.Optional(
    Type.Integer({
      minimum: FEWEST_BYTES,
      maximum: MOST_BYTES,
      description:
        'Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only.',
    }),
  ),
}

/** How much of an answer is asked for. */
export interface Sparse {
  readonly choice: Choice
  /** As they were asked for; none: all. */
  readonly names: readonly string[]
  readonly maximum: number | undefined
}

/** Undefined: all of it. What can be refused without the answer is refused here. */
export function readSparse(route: Route, query: Record<string, unknown>, format: string): Sparse | undefined {
  const { fields, max_bytes: maximum } = query
  if (!route.sparse || (fields === undefined && maximum === undefined)) return undefined
  if (maximum !== undefined && format !== 'json') throw new ApiError('parameter_conflict', { path: 'max_bytes' })
  const names = typeof fields === 'string' ? fields.split(',').map((name) => name.trim()) : []
  return {
    choice: readChoice(typeof fields === 'string' ? fields : '', shownBy(route).schema),
    names: names.filter((name) => name !== ''),
    maximum: typeof maximum === 'number' ? maximum : undefined,
  }
}

/** The members that are asked for, so that a handler need not find the others; undefined: all. */
export function chosenMembers(sparse: Sparse | undefined): ReadonlySet<string> | undefined {
  return sparse && sparse.choice !== 'all' ? new Set(sparse.choice.keys()) : undefined
}

/** What is asked for of an element, in an export. */
export function chooseElement(
  { choice }: Sparse,
  route: Route,
  element: unknown,
  fields: Reply<unknown>['fieldNames'],
): unknown {
  return choose(element, choice, shownBy(route).schema, fields)
}

export function requireReadableFields({ choice }: Sparse, route: Route, fields: Reply<unknown>['fieldNames']): void {
  requireReadable(choice, shownBy(route).schema, fields)
}

/** All of it, for who shows elements himself, or need not read what is left out. */
export function cutElements(sparse: Sparse, route: Route): CutElements {
  return {
    requireReadable: (fields) => requireReadableFields(sparse, route, fields),
    element: (element, fields) => chooseElement(sparse, route, element, fields),
    picked: (member, fields) => pickedOf(sparse.choice, member, fields),
  }
}

interface Cut {
  readonly answer: Answer
  readonly found: Reply<unknown>
  readonly page: Page
}

/** The answer as far as it is asked for, and the page that it is then. */
export function cutAnswer(route: Route, { choice, maximum }: Sparse, whole: Cut): Cut {
  const { answer, found, page } = whole
  if (answer.body === null) return whole
  const { schema, member, isList } = shownBy(route)
  requireReadable(choice, schema, found.fieldNames)
  const body: unknown = JSON.parse(answer.body)
  const shown = choose(isRecord(body) && member !== undefined ? body[member] : body, choice, schema, found.fieldNames)
  const around = (part: unknown) => (isRecord(body) && member !== undefined ? { ...body, [member]: part } : part)
  const printed = (part: unknown) => ({ ...answer, body: JSON.stringify(around(part)) })
  if (maximum === undefined) return { ...whole, answer: printed(shown) }
  if (!isList || !Array.isArray(shown))
    return { ...whole, answer: printed(isRecord(shown) ? cutObject(shown, maximum) : shown) }

  const count = countFitting(shown, Buffer.byteLength(JSON.stringify(around([]))), maximum)
  if (count === shown.length) return { ...whole, answer: printed(shown) }
  const next = found.placeAt?.(count - 1)
  // Where nothing leads on, what is left out could never be had.
  if (!next) throw tooSmall(Buffer.byteLength(printed(shown).body))
  return { answer: printed(shown.slice(0, count)), found: { ...found, next }, page: { ...page, limit: count } }
}

/** What is chosen from: an object, or each element of a list, which may stand in a member of its own. */
export function shownBy({ answer, pages, path }: Route): { schema: TSchema; member?: string; isList: boolean } {
  if (!answer) throw new TypeError(`${path} shows nothing.`)
  if ('items' in answer && isRecord(answer.items)) return { schema: answer.items, isList: true }
  const members = 'properties' in answer && isRecord(answer.properties) ? Object.entries(answer.properties) : []
  // What stands before the list tells about it.
  const list = pages ? members.findLast(([, each]) => isRecord(each) && 'items' in each) : undefined
  const items = list && isRecord(list[1]) ? list[1]['items'] : undefined
  return list && isRecord(items) ? { schema: items, member: list[0], isList: true } : { schema: answer, isList: false }
}
