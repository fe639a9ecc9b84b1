import { DatabaseError } from 'pg'
import { ApiError } from '../messages/errors.ts'
import type { Reason } from '../messages/reasons.ts'

type SimpleReason = Extract<Reason, 'unavailable' | 'header_too_large' | 'body_malformed' | 'route_not_found'>

const REASON_BY_CODE = new Map<string, SimpleReason>([
  ['55P03', 'unavailable'], // lock_timeout
  ['57014', 'unavailable'], // statement_timeout
  ['25P03', 'unavailable'], // idle_in_transaction_session_timeout
  ['53100', 'unavailable'], // disk full
  ['53200', 'unavailable'], // out of memory
  ['53300', 'unavailable'], // too many connections
  ['57P01', 'unavailable'], // the database shuts down
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'], // the database starts up
  ['25006', 'unavailable'], // read only: a former primary
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['EPIPE', 'unavailable'], // the connection was closed while we wrote to it
  ['ETIMEDOUT', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'], // DNS is unavailable
  ['ENOENT', 'unavailable'], // the socket of a stopped database
  ['40001', 'unavailable'],
  ['40P01', 'unavailable'],
])

/** A former primary reports a generic error code; this routine in its source identifies it. */
const PRIMARY_ONLY_ROUTINE = 'GetNewTransactionId'

const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection/i

/** Maps errors of framework and database to API errors. Unexpected errors become `internal_error` without details. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const reason = REASON_BY_CODE.get(codeOf(thrown))
  if (reason) return new ApiError(reason)
  if (routineOf(thrown) === PRIMARY_ONLY_ROUTINE) return new ApiError('unavailable')
  return new ApiError(LOST_CONNECTION.test(messageOf(thrown)) ? 'unavailable' : 'internal_error')
}

/** Serialization failure or deadlock: nothing was written, and a retry may succeed. */
export function isRetryableConflict(thrown: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(thrown))
}

/** Only an error that PostgreSQL itself sends for a COMMIT proves that it failed. */
export function isCommitOutcomeUnknown(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('08')
}

/** The connection was lost during a statement, whose outcome is unknown. */
export function isConnectionLost(thrown: unknown): boolean {
  return /^(57P0[12]|08|E[A-Z])/.test(codeOf(thrown)) || LOST_CONNECTION.test(messageOf(thrown))
}

export function isUniqueViolation(thrown: unknown, constraint: string): boolean {
  return (
    codeOf(thrown) === '23505' &&
    typeof thrown === 'object' &&
    thrown !== null &&
    'constraint' in thrown &&
    thrown.constraint === constraint
  )
}

/** Another transaction held a lock for longer than `lock_timeout`. */
export function isLockTimeout(thrown: unknown): boolean {
  return codeOf(thrown) === '55P03'
}

/** The statement exceeded `statement_timeout`. */
export function isStatementTimeout(thrown: unknown): boolean {
  return codeOf(thrown) === '57014'
}

/** PostgreSQL rejects the regular expression. */
export function isInvalidRegex(thrown: unknown): boolean {
  return codeOf(thrown) === '2201B'
}

function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : ''
}

function routineOf(thrown: unknown): string {
  return thrown instanceof DatabaseError ? (thrown.routine ?? '') : ''
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : ''
}
