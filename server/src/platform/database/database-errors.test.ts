import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { toApiError } from './database-errors.ts'

/** An error as PostgreSQL sends it. */
function said(message: string, { code, routine }: { code: string; routine?: string }): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code, routine })
}

test.each([
  { what: 'a primary that became a standby', code: '25006', routine: 'PreventCommandIfReadOnly' },
  { what: 'the same, in the middle of a statement', code: 'XX000', routine: 'GetNewTransactionId' },
  { what: 'a disk without room', code: '53100', routine: 'mdextend' },
  { what: 'one that stops', code: '57P03', routine: 'ProcessStartupPacket' },
])('$what means unavailable, not an internal error', ({ what, ...where }) => {
  expect(toApiError(said(what, where)).reason).toBe('unavailable')
})

test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])(
  'a connection that ends with %s means unavailable, not an internal error',
  (code) => {
    expect(toApiError(Object.assign(new Error(`write ${code}`), { code })).reason).toBe('unavailable')
  },
)

test('an unexpected error is an internal error without details', () => {
  const unforeseen = said('tuple concurrently updated', { code: 'XX000', routine: 'simple_heap_update' })
  expect(toApiError(unforeseen).reason).toBe('internal_error')
  expect(JSON.stringify(toApiError(unforeseen))).not.toContain('tuple')
})
