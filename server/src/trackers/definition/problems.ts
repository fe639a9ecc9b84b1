import { ApiError } from '../../platform/messages/errors.ts'
import type { ErrorProblem, Reason } from '../../platform/messages/reasons.ts'

export interface Located extends ErrorProblem {
  /** A JSON Pointer into the document. */
  readonly path: string
}

/** Collects the problems of a document; parsing continues after each, so that all are reported at once. */
export interface DefinitionProblems {
  readonly all: Located[]
  add(path: string, reason: Reason, more?: Partial<Omit<Located, 'path' | 'reason'>>): void
}

export function createDefinitionProblems(all: Located[] = []): DefinitionProblems {
  return {
    all,
    add(path, reason, more = {}) {
      all.push({ reason, path, ...more })
    },
  }
}

export function pointer(path: string, ...members: readonly (string | number)[]): string {
  return path + members.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

const OWN_WORDS: readonly Reason[] = ['name_invalid', 'name_taken', 'rule_violated']

/** The error for an invalid document. If all problems share a kind with its own reason, that reason is used. */
export function toDefinitionError(all: readonly Located[]): ApiError {
  const [first] = all
  if (!first) throw new TypeError('A document without problems is not refused.')
  const { reason, ...details } = first
  if (OWN_WORDS.includes(reason) && all.every((each) => each.reason === reason))
    return new ApiError<Reason>(reason, { ...details, all })
  return new ApiError('parameter_invalid', { path: first.path, rule: first.rule ?? 'format', cause: 'definition', all })
}
