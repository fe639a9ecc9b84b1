import { ApiError } from '../../platform/messages/errors.ts'
import { suggestName } from '../../platform/wire/nearest.ts'
import type { ErrorProblem, Reason } from '../../platform/messages/reasons.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element } from '../tracker.ts'
import { conjunction, type Condition } from './condition.ts'
import { type SearchContext, type Criterion, type CriterionOperator, SearchFault } from './field-search.ts'

const OPERATORS: readonly CriterionOperator[] = ['contains', '=', 'between', '>', '<']

export interface Criteria {
  readonly condition: Condition
  /** Names of fields whose criteria were ignored. */
  readonly ignored: readonly string[]
  /** All fields that have a criterion. */
  readonly fields: readonly Element[]
}

/** Parses the JSON object of criteria, which are combined with AND. Input of any other type has no criteria. */
export async function readCriteria(
  access: Pick<TrackerAccess, 'readable'>,
  given: unknown,
  asking: SearchContext,
): Promise<Criteria> {
  const members = isRecord(given) ? Object.entries(given) : []
  const named = membersOf(members, access)
  const problems: ErrorProblem[] = []
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
    condition: conjunction(...conditions),
    ignored: [...new Set(ignored)],
    fields: [...new Set(named.map(({ element }) => element))],
  }
}

interface Member {
  readonly key: string
  readonly member: unknown
  readonly element: Element
}

/** The field of each criterion. All unknown fields are reported at once. */
function membersOf(
  members: readonly [string, unknown][],
  { readable }: Pick<TrackerAccess, 'readable'>,
): readonly Member[] {
  const fields = readable.filter((element) => fieldTypeOf(element).kind === 'field')
  const find = (key: string) => fields.find(({ id }) => String(id) === key) ?? fields.find(({ name }) => name === key)
  const found = members.map(([key, member]) => ({ key, member, element: find(key) }))
  const unknown = found.filter(({ element }) => element === undefined)
  const [first] = unknown
  const names = fields.map(({ name }) => name)
  if (first)
    throw new ApiError('query_unknown_key', {
      path: first.key,
      cause: 'field',
      allowed: names,
      ...suggestName(first.key, names),
      all: unknown.map(({ key }) => ({
        reason: 'query_unknown_key',
        cause: 'field',
        path: key,
        params: { name: key },
        ...suggestName(key, names),
      })),
    })
  return found.flatMap(({ element, ...rest }) => (element ? [{ ...rest, element }] : []))
}

/** Undefined: the criterion is empty. */
async function readOne(member: unknown, element: Element, asking: SearchContext): Promise<Condition | undefined> {
  const { search } = fieldTypeOf(element)
  const given = criterionIn(member)
  if (!search?.criterion) return undefined
  const { operators = [] } = search
  if (!operators.includes(given.operator)) throw wrongOperator(given.operator, operators)
  return search.criterion(given, element, asking)
}

/** A plain value is searched for; a plain object stands for its values. */
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

function problemWith({ id, name, label }: Element, path: string, { reason, details }: SearchFault): ErrorProblem {
  return { ...details, reason, path, field_id: id, name, label }
}

/** The first problem is the reason. */
function refuse(problems: readonly ErrorProblem[]): void {
  const [first] = problems
  if (!first) return
  const { reason, field_id: _, name: __, label: ___, ...details } = first
  throw new ApiError<Reason>(reason, { ...details, all: problems })
}
