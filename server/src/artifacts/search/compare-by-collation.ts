import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

/** Compares pairs of texts by the collation of the database: -1, 0 or 1. */
export async function compareByCollation(
  tx: Tx,
  pairs: readonly (readonly [one: string, other: string])[],
  collation: 'waypost' | 'default',
): Promise<readonly number[]> {
  const collate = collation === 'waypost' ? sql`collate waypost` : sql``
  const { rows } = await sql<{ sign: number }>`
    select case when pair.one ${collate} < pair.other then -1 when pair.one ${collate} > pair.other then 1 else 0 end as sign
    from unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, other]) => other)}::text[])
      with ordinality as pair (one, other, place) order by pair.place`.execute(tx)
  return rows.map(({ sign }) => sign)
}
