import type { ErrorDetails, Reason } from './api.ts'

/** What came of a call. A refusal is a value like a success, so that nobody forgets it. */
export type Answer<T> = Success<T> | Failure

export interface Success<T> {
  readonly ok: true
  readonly status: number
  readonly body: T
  readonly headers: Headers
  /** For `ifMatch` of the write that follows. */
  readonly etag: string | undefined
  /** It is what we had: the server said 304. */
  readonly isUnchanged: boolean
}

export interface Failure {
  readonly ok: false
  /** 0: no answer came. */
  readonly status: number
  /** `unreachable`: no answer came; `unreadable`: one came that is not the API's, as of a proxy. */
  readonly reason: Reason | 'unreachable' | 'unreadable'
  /** In the language of the caller. */
  readonly message: string
  readonly details: ErrorDetails
  /** For those who have to look into the server's log. */
  readonly request_id: string | undefined
  /** When it may be tried again. */
  readonly retryAfterSeconds: number | undefined
}

/** A refusal, thrown. */
export class Refusal extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'Refusal'
    this.failure = failure
  }
}

/** The body of a success; a refusal is thrown. */
export function bodyOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Refusal(answer)
  return answer.body
}

export function unreachable(cause: unknown): Failure {
  const message = cause instanceof Error ? cause.message : String(cause)
  return { ok: false, status: 0, reason: 'unreachable', message, ...NOTHING_MORE }
}

/** Reads the common shape of refusals; whatever else stands there is none of ours. */
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
