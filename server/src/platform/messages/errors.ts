import { STATUS_CODES } from 'node:http'
import { type Catalogue, errorMessage } from './catalogue.ts'
import { english } from './english.ts'
import { type Details, type DetailsOf, type ErrorProblem, REASONS, type Reason } from './reasons.ts'

/** An error that the caller may see: a reason and details, never a sentence. Any other thrown value is a 500. */
export class ApiError<R extends Reason = Reason> extends Error {
  readonly reason: R
  readonly details: Details | undefined
  /** The status of the reason, unless the contract requires another one here. */
  status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: R, ...[details]: DetailsOf<R>) {
    super(reason)
    this.reason = reason
    this.details = details
    this.status = REASONS[reason][0]
    this.headers = {}
  }

  /** For the few places where the contract requires another status: one of `ODD_STATUSES`. */
  withStatus(status: number): this {
    this.status = status
    return this
  }

  with(headers: Record<string, string>): this {
    Object.assign(this.headers, headers)
    return this
  }
}

/**
 * The body of every error. `language` is the viewer's; programs rely on `code` and `reason` only. `i18n_error_messages`
 * lists all problems where the contract has it.
 */
export function errorBody(
  { reason, status, details: facts }: ApiError,
  request_id: string,
  { language = english, listsProblems = false }: { language?: Catalogue; listsProblems?: boolean } = {},
) {
  const details = facts && shortened(facts)
  const problems = details?.all ?? [{ ...details, reason }]
  const sentences = (words: Catalogue) => problems.map((each) => errorMessage(words, each.reason, each)).join('\n')
  return {
    error: {
      code: status,
      message: `${STATUS_CODES[status]}: ${sentences(english)}`,
      i18n_error_message: sentences(language),
      ...(listsProblems &&
        status === 400 && { i18n_error_messages: problems.map((each) => errorMessage(language, each.reason, each)) }),
      reason,
      ...(details && { details: withMessages(details, language) }),
      request_id,
    },
  }
}

function withMessages(details: Details, language: Catalogue) {
  if (!details.all) return details
  return {
    ...details,
    all: details.all.map((each) => ({ ...each, message: errorMessage(language, each.reason, each) })),
  }
}

/** Limits input that an error repeats, in characters: enough to recognize it. */
const MAX_ECHOED_LENGTH = 500
/** A body may have thousands of problems; people do not read more than these. */
const MAX_PROBLEMS = 50

function shortened<Facts extends Details | ErrorProblem>(facts: Facts): Facts {
  const { path, params } = facts
  // Queries give their suggestion as a parameter.
  const nearest = facts.nearest ?? params?.['did_you_mean']
  return {
    ...facts,
    ...(typeof nearest === 'string' && { nearest: short(nearest) }),
    ...(path !== undefined && { path: short(path) }),
    ...(params && { params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, short(value)])) }),
    ...('all' in facts && facts.all && { all: facts.all.slice(0, MAX_PROBLEMS).map(shortened) }),
  }
}

function short<Value>(value: Value): Value | string {
  if (typeof value !== 'string' || value.length <= MAX_ECHOED_LENGTH) return value
  return `${value.slice(0, MAX_ECHOED_LENGTH).toWellFormed()}…`
}
