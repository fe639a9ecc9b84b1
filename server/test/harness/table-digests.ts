import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'

/** One digest per table, of all its rows except those that `except` excludes. */
export async function tableDigests(
  db: Db,
  except: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(db)
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select each::text as row from ${sql.table(name)} each`.execute(db)
    const out = except[name]
    const kept = rows.map(({ row }) => row).filter((row) => out === undefined || !new RegExp(out).test(row))
    digests.set(name, kept.toSorted().join('\n'))
  }
  return digests
}

/** The names of the changed tables. */
export function changedTables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before.keys()].filter((name) => before.get(name) !== after.get(name))
}
