import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { FileId } from './file.ts'

const LEASE_MS = 10_000
const RENEW_INTERVAL_MS = 3_000

/**
 * Lease on a file: one request writes at a time, without holding a connection. The writer renews it; it expires when
 * the writer stops. Undefined: another writer has the lease.
 */
export async function takeLease(db: Db, id: FileId, now: Date): Promise<string | undefined> {
  const writer = randomUUID()
  const { numAffectedRows } = await sql`
    update file set writer = ${writer}, writing_until = ${leaseEnd(now)}
    where id = ${id} and (writer is null or writing_until <= ${now})`.execute(db)
  return numAffectedRows === 1n ? writer : undefined
}

/** False: the lease is lost, and its holder must stop writing. */
export async function renewLease(db: Db, id: FileId, writer: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update file set writing_until = ${leaseEnd(now)} where id = ${id} and writer = ${writer}`.execute(db)
  return numAffectedRows === 1n
}

export async function releaseLease(db: Db, id: FileId, writer: string): Promise<void> {
  await sql`update file set writer = null, writing_until = null where id = ${id} and writer = ${writer}`.execute(db)
}

/** The end of a renewed lease, for statements that record progress. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS)
}

/** Runs `work` while holding and renewing the lease; refused while another writer has it. */
export async function asOnlyWriter<T>(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  id: FileId,
  work: (writer: string) => Promise<T>,
): Promise<T> {
  const writer = await takeLease(db, id, clock.now())
  if (writer === undefined) throw new ApiError('upload_locked')
  const timer = setInterval(() => {
    // A failed renewal is retried at the next interval; if all fail, the next piece is not recorded.
    renewLease(db, id, writer, clock.now()).catch((error: unknown) => log.warn({ err: error }, 'lease not renewed'))
  }, RENEW_INTERVAL_MS)
  try {
    return await work(writer)
  } finally {
    clearInterval(timer)
    await releaseLease(db, id, writer).catch((error: unknown) => log.warn({ err: error }, 'lease not given up'))
  }
}
