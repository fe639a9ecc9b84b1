import { errorMessage } from './catalogue.ts'
import { english } from './english.ts'
import { ApiError } from './errors.ts'

/** The message of a failure for a terminal: sentences, neither a stack nor a bare code. */
export function describeFailure(thrown: unknown): string {
  if (thrown instanceof ApiError) return sentences(thrown).join('\n')
  // Several addresses of one host failed: the aggregate has no message of its own.
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(describeFailure).join('\n')
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message}\n${describeFailure(thrown.cause)}`
}

function sentences({ reason, details }: ApiError): string[] {
  const problems = details?.all ?? [{ ...details, reason }]
  const users = details?.used_by?.map(({ type, id, label }) => `  ${type} ${id} ${label}`) ?? []
  return [...problems.map((each) => errorMessage(english, each.reason, each)), ...users]
}
