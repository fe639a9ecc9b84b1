import { ApiError } from '../../platform/messages/errors.ts'
import type { Details, ErrorProblem, Reason } from '../../platform/messages/reasons.ts'
import type { Element } from '../tracker.ts'
import type { SyntaxFault } from './tql/syntax-fault.ts'

/** A problem with its position in the query text. */
export interface PlacedProblem extends ErrorProblem {
  readonly position: number
}

export interface QueryProblems {
  add(problem: PlacedProblem): void
  /** Throws all collected problems, if any. The first one in the text is the reason. */
  refuse(): void
}

/** `path`: the parameter that contains the query. */
export function createQueryProblems(path: string): QueryProblems {
  const problems: PlacedProblem[] = []
  return {
    add(problem) {
      problems.push({ ...problem, path })
    },
    refuse() {
      const all = problems.toSorted((one, other) => one.position - other.position)
      const [first] = all
      if (!first) return
      const { reason, field_id: _, name: __, label: ___, ...details } = first
      throw new ApiError<Reason>(reason, { ...details, all })
    },
  }
}

/** Throws the single problem of a text that cannot be parsed, or of a query kind that is not supported here. */
export function refuseText(path: string, problem: PlacedProblem): never {
  const { reason, ...details } = { ...problem, path } satisfies PlacedProblem
  throw new ApiError<Reason>(reason, { ...details, all: [{ ...problem, path }] })
}

export function problemOfSyntax({ problem, position, expected, deepest = 0 }: SyntaxFault): PlacedProblem {
  if (problem === 'syntax') return { reason: 'query_malformed', cause: problem, position, allowed: expected }
  const allowed = { maximum: deepest }
  return { reason: 'parameter_out_of_range', rule: 'maximum', cause: problem, position, allowed }
}

/** The members of a problem that identify a field. */
export function ofField({ id, name, label }: Element): Pick<ErrorProblem, 'field_id' | 'name' | 'label'> {
  return { field_id: id, name, label }
}

/** The suggestion among the parameters of a problem. */
export function meaning(nearest: string | undefined): NonNullable<Details['params']> {
  return nearest === undefined ? {} : { did_you_mean: nearest }
}
