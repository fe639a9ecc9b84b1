import { STATUS_CODES } from 'node:http'
import { type Catalogue, say } from './catalogue.ts'
import { english } from './english.ts'
import { type Details, type DetailsOf, type Problem, REASONS, type Reason } from './reasons.ts'

/** A refusal that the caller may see: a reason and facts, never a sentence. Anything else thrown is a 500. */
export class ApiError<R extends Reason = Reason> extends Error {
  readonly reason: R
  readonly details: Details | undefined
  /** The status of the list, unless the contract keeps another one for this reason here. */
  status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: R, ...[details]: DetailsOf<R>) {
    super(reason)
    this.reason = reason
    this.details = details
    this.status = REASONS[reason][0]
    this.headers = {}
  }

  /** For the odd place where the contract keeps another status: one of `ODD_STATUSES`. */
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
 * The one shape of every error. `language` is the viewer's; programs rely on `code` and `reason` only.
 * `i18n_error_messages` names every problem at once, where the contract has it.
 */
export function errorBody(
  { reason, status, details: facts }: ApiError,
  request_id: string,
  { language = english, listsProblems = false }: { language?: Catalogue; listsProblems?: boolean } = {},
) {
  const details = facts && shortened(facts)
  const problems = details?.all ?? [{ ...details, reason }]
  const sentences = (words: Catalogue) => problems.map((each) => say(words, each.reason, each)).join('\n')
  return {
    error: {
      code: status,
      message: `${STATUS_CODES[status]}: ${sentences(english)}`,
      i18n_error_message: sentences(language),
      ...(listsProblems &&
        status === 400 && { i18n_error_messages: problems.map((each) => say(language, each.reason, each)) }),
      reason,
      ...(details && { details: withMessages(details, language) }),
      request_id,
    },
  }
}

function withMessages(details: Details, language: Catalogue) {
  if (!details.all) return details
  return { ...details, all: details.all.map((each) => ({ ...each, message: say(language, each.reason, each) })) }
}

/** Of a name that a caller made up, in characters: enough to know it again, and no megabyte that comes back three times. */
const MOST_SAID_AGAIN = 500
/** Nobody reads more, and a body may have thousands. */
const MOST_PROBLEMS = 50

function shortened<Facts extends Details | Problem>(facts: Facts): Facts {
  const { path, params } = facts
  return {
    ...facts,
    ...(path !== undefined && { path: shortText(path) }),
    ...(params && { params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, short(value)])) }),
    ...('all' in facts && facts.all && { all: facts.all.slice(0, MOST_PROBLEMS).map(shortened) }),
  }
}

function short<Value>(value: Value): Value | string {
  return typeof value === 'string' ? shortText(value) : value
}

function shortText(text: string): string {
  return text.length > MOST_SAID_AGAIN ? `${text.slice(0, MOST_SAID_AGAIN).toWellFormed()}…` : text
}
