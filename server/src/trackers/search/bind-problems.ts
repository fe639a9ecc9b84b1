import { ApiError } from '../../platform/words/errors.ts'
import type { Details, Problem, Reason } from '../../platform/words/reasons.ts'
import type { Element } from '../tracker.ts'
import type { SyntaxFault } from './tql/syntax-fault.ts'

/** A problem of a text, which has a place in it. */
export interface PlacedProblem extends Problem {
  readonly position: number
}

export interface Problems {
  add(problem: PlacedProblem): void
  /** Throws all that were added, if any. The first in the text is the reason. */
  refuse(): void
}

/** `path`: the parameter that the text stands in. */
export function createProblems(path: string): Problems {
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

/** The one problem that a text has which cannot be read, or is of a kind that is not read here. */
export function refuseText(path: string, problem: PlacedProblem): never {
  const { reason, ...details } = { ...problem, path } satisfies PlacedProblem
  throw new ApiError<Reason>(reason, { ...details, all: [{ ...problem, path }] })
}

export function problemOfSyntax({ problem, position, expected, deepest = 0 }: SyntaxFault): PlacedProblem {
  if (problem === 'syntax') return { reason: 'query_malformed', cause: problem, position, allowed: expected }
  const allowed = { maximum: deepest }
  return { reason: 'parameter_out_of_range', rule: 'maximum', cause: problem, position, allowed }
}

/** Of a field of a tracker, as it is called. */
export function ofField({ id, name, label }: Element): Pick<Problem, 'field_id' | 'name' | 'label'> {
  return { field_id: id, name, label }
}

/** What was probably meant, for the parameters of a problem. */
export function meaning(nearest: string | undefined): NonNullable<Details['params']> {
  return nearest === undefined ? {} : { did_you_mean: nearest }
}
