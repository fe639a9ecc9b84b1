import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { FileId } from './file.ts'

const LASTS = 10_000
const RENEWED = 3_000

/**
 * Only one request writes a file at a time. No connection is held for it: who writes says so again and again, and who
 * stops saying so has gone. Undefined: somebody else is writing.
 */
export async function takeLease(db: Db, id: FileId, now: Date): Promise<string | undefined> {
  const writer = randomUUID()
  const { numAffectedRows } = await sql`
    update file set writer = ${writer}, writing_until = ${endOf(now)}
    where id = ${id} and (writer is null or writing_until <= ${now})`.execute(db)
  return numAffectedRows === 1n ? writer : undefined
}

/** False: it is lost, and so is the right to write. */
export async function renew(db: Db, id: FileId, writer: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update file set writing_until = ${endOf(now)} where id = ${id} and writer = ${writer}`.execute(db)
  return numAffectedRows === 1n
}

export async function giveUp(db: Db, id: FileId, writer: string): Promise<void> {
  await sql`update file set writer = null, writing_until = null where id = ${id} and writer = ${writer}`.execute(db)
}

/** Until when nobody else may write, for the statements that move the file on. */
export function endOf(now: Date): Date {
  return new Date(now.getTime() + LASTS)
}

/** Runs `work` as the only writer, however long it takes; refused while somebody else is one. */
export async function asOnlyWriter<T>(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  id: FileId,
  work: (writer: string) => Promise<T>,
): Promise<T> {
  const writer = await takeLease(db, id, clock.now())
  if (writer === undefined) throw new ApiError('upload_locked')
  const timer = setInterval(() => {
    // One that fails is followed by others; if none passes, the next piece is not recorded.
    renew(db, id, writer, clock.now()).catch((error: unknown) => log.warn({ err: error }, 'lease not renewed'))
  }, RENEWED)
  try {
    return await work(writer)
  } finally {
    clearInterval(timer)
    await giveUp(db, id, writer).catch((error: unknown) => log.warn({ err: error }, 'lease not given up'))
  }
}
