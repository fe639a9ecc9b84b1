import { DatabaseError } from 'pg'
import { ApiError } from '../words/errors.ts'
import type { Reason } from '../words/reasons.ts'

type Plain = Extract<Reason, 'unavailable' | 'header_too_large' | 'body_malformed' | 'route_not_found'>

const BY_CODE = new Map<string, Plain>([
  ['55P03', 'unavailable'], // lock_timeout
  ['57014', 'unavailable'], // statement_timeout
  ['25P03', 'unavailable'], // idle_in_transaction_session_timeout
  ['53100', 'unavailable'], // the disk of the database is full
  ['53200', 'unavailable'], // it has no memory
  ['53300', 'unavailable'], // too many connections
  ['57P01', 'unavailable'], // the database stops
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'], // the database starts
  ['25006', 'unavailable'], // read only: a primary that is no longer one
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['EPIPE', 'unavailable'], // a connection that was ended while we wrote to it
  ['ETIMEDOUT', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'], // whoever knows the names of hosts is away
  ['ENOENT', 'unavailable'], // the socket of a database that is gone
  ['40001', 'unavailable'],
  ['40P01', 'unavailable'],
])

/** A primary that is no longer one says so with the code of a fault of its own; the place in the source is telling. */
const ONLY_ON_A_PRIMARY = 'GetNewTransactionId'

const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection/i

/** Puts what framework and database throw into our own words. What nobody foresaw is our fault, and says no more. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const reason = BY_CODE.get(codeOf(thrown))
  if (reason) return new ApiError(reason)
  if (routineOf(thrown) === ONLY_ON_A_PRIMARY) return new ApiError('unavailable')
  return new ApiError(LOST_CONNECTION.test(messageOf(thrown)) ? 'unavailable' : 'internal_error')
}

/** Serialisation failure and deadlock: nothing was written, and the next attempt may well pass. */
export function isWorthAnotherTry(thrown: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(thrown))
}

/** An error that PostgreSQL itself sent for a COMMIT says that it did not happen; anything else says nothing. */
export function outcomeIsUnknown(thrown: unknown): boolean {
  const code = codeOf(thrown)
  return !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('08')
}

/** The connection broke under a statement: whether it was carried out, nobody can say. */
export function connectionWasLost(thrown: unknown): boolean {
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

/** Somebody else held for longer than we wait what a statement needs. */
export function waitedTooLong(thrown: unknown): boolean {
  return codeOf(thrown) === '55P03'
}

/** A statement was ended because of the time it took. */
export function ranOutOfTime(thrown: unknown): boolean {
  return codeOf(thrown) === '57014'
}

/** A regular expression that PostgreSQL does not understand. */
export function isBadPattern(thrown: unknown): boolean {
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
