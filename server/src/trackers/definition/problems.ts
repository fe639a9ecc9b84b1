import { ApiError } from '../../platform/words/errors.ts'
import type { Problem, Reason } from '../../platform/words/reasons.ts'

export interface Located extends Problem {
  /** A JSON Pointer into the document. */
  readonly path: string
}

/** Everything that is wrong with a document: reading goes on after a problem, so that all are told at once. */
export interface Problems {
  readonly all: Located[]
  add(path: string, reason: Reason, more?: Partial<Omit<Located, 'path' | 'reason'>>): void
}

export function createProblems(all: Located[] = []): Problems {
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

/** The refusal of a document. Problems of one kind that has its own reason are told by it. */
export function refusalOf(all: readonly Located[]): ApiError {
  const [first] = all
  if (!first) throw new TypeError('A document without problems is not refused.')
  const { reason, ...details } = first
  if (OWN_WORDS.includes(reason) && all.every((each) => each.reason === reason))
    return new ApiError<Reason>(reason, { ...details, all })
  return new ApiError('parameter_invalid', { path: first.path, rule: first.rule ?? 'format', cause: 'definition', all })
}
