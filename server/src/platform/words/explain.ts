import { say } from './catalogue.ts'
import { english } from './english.ts'
import { ApiError } from './errors.ts'

/** What a person at a terminal is told of a failure: sentences, neither a stack nor a bare code. */
export function explain(thrown: unknown): string {
  if (thrown instanceof ApiError) return sentences(thrown).join('\n')
  // Several addresses of one host were tried, and none answered: the whole has no words of its own.
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(explain).join('\n')
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message}\n${explain(thrown.cause)}`
}

function sentences({ reason, details }: ApiError): string[] {
  const problems = details?.all ?? [{ ...details, reason }]
  const users = details?.used_by?.map(({ type, id, label }) => `  ${type} ${id} ${label}`) ?? []
  return [...problems.map((each) => say(english, each.reason, each)), ...users]
}
