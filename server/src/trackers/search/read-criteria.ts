import { ApiError } from '../../platform/words/errors.ts'
import type { Problem, Reason } from '../../platform/words/reasons.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { fieldTypeOf } from '../fields/field-types.ts'
import type { Sight } from '../sight.ts'
import type { Element } from '../tracker.ts'
import { both, type Condition } from './condition.ts'
import { type Asking, type Criterion, type CriterionOperator, SearchFault } from './field-search.ts'

const OPERATORS: readonly CriterionOperator[] = ['contains', '=', 'between', '>', '<']

export interface Criteria {
  readonly condition: Condition
  /** The names of fields that criteria were given for in vain. */
  readonly ignored: readonly string[]
  /** All that are named. */
  readonly fields: readonly Element[]
}

/** Reads the JSON object of criteria. All of them must hold; whatever else is given asks for nothing. */
export async function readCriteria(sight: Pick<Sight, 'readable'>, given: unknown, asking: Asking): Promise<Criteria> {
  const members = isRecord(given) ? Object.entries(given) : []
  const named = membersOf(members, sight)
  const problems: Problem[] = []
  const conditions: Condition[] = []
  const ignored: string[] = []
  for (const { key, member, element } of named) {
    try {
      const condition = await readOne(member, element, asking)
      if (condition) conditions.push(condition)
      else ignored.push(element.name)
    } catch (error) {
      if (!(error instanceof SearchFault)) throw error
      problems.push(problemWith(element, key, error))
    }
  }
  refuse(problems)
  return {
    condition: both(...conditions),
    ignored: [...new Set(ignored)],
    fields: [...new Set(named.map(({ element }) => element))],
  }
}

interface Member {
  readonly key: string
  readonly member: unknown
  readonly element: Element
}

/** The field of each. All that are unknown are told at once. */
function membersOf(members: readonly [string, unknown][], { readable }: Pick<Sight, 'readable'>): readonly Member[] {
  const fields = readable.filter((element) => fieldTypeOf(element).kind === 'field')
  const find = (key: string) => fields.find(({ id }) => String(id) === key) ?? fields.find(({ name }) => name === key)
  const found = members.map(([key, member]) => ({ key, member, element: find(key) }))
  const unknown = found.filter(({ element }) => element === undefined)
  const [first] = unknown
  if (first)
    throw new ApiError('query_unknown_key', {
      path: first.key,
      cause: 'field',
      allowed: fields.map(({ name }) => name),
      all: unknown.map(({ key }) => ({
        reason: 'query_unknown_key',
        cause: 'field',
        path: key,
        params: { name: key },
      })),
    })
  return found.flatMap(({ element, ...rest }) => (element ? [{ ...rest, element }] : []))
}

/** Undefined: it says nothing. */
async function readOne(member: unknown, element: Element, asking: Asking): Promise<Condition | undefined> {
  const { search } = fieldTypeOf(element)
  const given = criterionIn(member)
  if (!search?.criterion) return undefined
  const { operators = [] } = search
  if (!operators.includes(given.operator)) throw wrongOperator(given.operator, operators)
  return search.criterion(given, element, asking)
}

/** A bare value is looked for; of a bare object, its values are. */
function criterionIn(member: unknown): Criterion {
  const { operator = null, value = null } = isRecord(member) ? member : {}
  const isWhole = isRecord(member) && ('operator' in member || 'value' in member)
  if (!isWhole && member !== null)
    return { operator: 'contains', value: isRecord(member) ? Object.values(member) : member }
  if (operator === null || value === null) throw new SearchFault('query_malformed', { cause: 'criterion' })
  const known = OPERATORS.find((each) => each === operator)
  if (!known) throw wrongOperator(typeof operator === 'string' ? operator : JSON.stringify(operator), OPERATORS)
  return { operator: known, value }
}

function wrongOperator(operator: string, allowed: readonly CriterionOperator[]): SearchFault {
  return new SearchFault('query_operator', { cause: 'operator', allowed, params: { operator } })
}

function problemWith({ id, name, label }: Element, path: string, { reason, details }: SearchFault): Problem {
  return { ...details, reason, path, field_id: id, name, label }
}

/** The first of them is the reason. */
function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const { reason, field_id: _, name: __, label: ___, ...details } = first
  throw new ApiError<Reason>(reason, { ...details, all: problems })
}
