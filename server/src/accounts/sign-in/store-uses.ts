import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { RecalledSignIn } from '../../platform/http/viewer.ts'
import type { SignInMemory } from './recalled-sign-in.ts'

const RESOLUTION_MS = 60_000

/** The last use of a credential is stored at most once a minute. */
export function nextStoredUse(last: Date): Date {
  return new Date(last.getTime() + RESOLUTION_MS)
}

/**
 * Stores that the credential is used now, and in the same statement the uses of the others that this process knows. So
 * the next uses of all are due together: one write a minute, and reads between them find the database unchanged.
 */
export async function storeUses(
  { db, clock }: Context,
  memory: SignInMemory,
  kind: RecalledSignIn['kind'],
  id: string,
): Promise<void> {
  const uses = [{ id, usedOn: clock.now() }, ...memory.takeUses(kind).filter((each) => each.id !== id)]
  const table = sql.table(kind)
  const ids = sql`${uses.map((each) => each.id)}::${kind === 'session' ? sql`text[]` : sql`bigint[]`}`
  // A row that is locked is being written by another process, which stores a use as well.
  await sql`with free as materialized (select id from ${table} where id = any(${ids}) for no key update skip locked)
    update ${table} as credential set last_used_on = used.used_on
    from unnest(${ids}, ${uses.map((each) => each.usedOn)}::timestamptz[]) as used (id, used_on) join free using (id)
    where credential.id = free.id and credential.last_used_on < used.used_on`.execute(db)
}
