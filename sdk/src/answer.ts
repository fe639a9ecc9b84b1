import type { ErrorDetails, Reason } from './api.ts'

/** The result of a call. A refusal is a value like a success, so that callers must handle it. */
export type Answer<T> = Success<T> | Failure

export interface Success<T> {
  readonly ok: true
  readonly status: number
  readonly body: T
  readonly headers: Headers
  /** For `ifMatch` of the write that follows. */
  readonly etag: string | undefined
  /** True for a 304: the body comes from the cache. */
  readonly isUnchanged: boolean
}

export interface Failure {
  readonly ok: false
  /** 0: no response arrived. */
  readonly status: number
  /**
   * `unreachable`: no response arrived; `unreadable`: the response is not from the API, but for example from a proxy.
   */
  readonly reason: Reason | 'unreachable' | 'unreadable'
  /** In the language of the caller. */
  readonly message: string
  readonly details: ErrorDetails
  /** To find the request in the server log. */
  readonly request_id: string | undefined
  /** The earliest time for a retry. */
  readonly retryAfterSeconds: number | undefined
}

/** A refusal as an exception. */
export class Refusal extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'Refusal'
    this.failure = failure
  }
}

/** Returns the body of a success; throws a refusal. */
export function bodyOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Refusal(answer)
  return answer.body
}

export function unreachable(cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { ok: false, status: 0, reason: 'unreachable', message, ...NOTHING_MORE }
}

/** Parses the common error format; other bodies are `unreadable`. */
export function readFailure(status: number, headers: Headers, text: string): Failure {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isNaN(seconds) ? undefined : seconds
  const error = errorIn(text)
  if (!error)
    return { ok: false, status, reason: 'unreadable', message: `HTTP ${status}`, ...NOTHING_MORE, retryAfterSeconds }
  const { reason, i18n_error_message: message, details = {}, request_id } = error
  return { ok: false, status, reason, message, details, request_id, retryAfterSeconds }
}

const NOTHING_MORE = { details: {}, request_id: undefined, retryAfterSeconds: undefined }

interface WireError {
  reason: Reason
  i18n_error_message: string
  details?: ErrorDetails
  request_id: string
}

function errorIn(text: string): WireError | undefined {
  try {
    const { error } = JSON.parse(text)
    return typeof error?.reason === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
