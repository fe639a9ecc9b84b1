import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/db.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import { fold } from '../../login.ts'

interface WantedAddress {
  readonly email: string
  /** The account that is to have it; undefined: a new one. */
  readonly account_id?: AccountId
}

/** The addresses, folded, that another account has, or that are wanted twice. Locks keep the rest free. */
export async function findTakenAddresses(tx: Tx, wanted: readonly WantedAddress[]): Promise<Set<string>> {
  const rows = wanted.map(({ email, account_id }) => ({ email, folded: fold(email), account_id: account_id ?? null }))
  const taken = new Set<string>()
  const seen = new Set<string>()
  for (const { folded } of rows) {
    if (seen.has(folded)) taken.add(folded)
    seen.add(folded)
  }
  if (rows.length === 0) return taken
  await lockNames(tx, 'email', [...seen])
  const { rows: found } = await sql<{ folded: string }>`
    select given.folded from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given (email text, folded text, account_id bigint)
      join account on folded(account.email) = folded(given.email)
    where account.id is distinct from given.account_id`.execute(tx)
  for (const { folded } of found) taken.add(folded)
  return taken
}

/** The locks of `requireFreeLogin` and `isFreeEmail`, in one order. */
export async function lockNames(tx: Tx, kind: 'email' | 'login', names: readonly string[]): Promise<void> {
  const keys = names.map((name) => `${kind} ${name}`).toSorted()
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 0))
    from (select key from unnest(${keys}::text[]) with ordinality as given (key, place) order by place) ordered`.execute(
    tx,
  )
}
