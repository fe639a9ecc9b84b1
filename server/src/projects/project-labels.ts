import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'

/** The labels of these projects, for callers who have already checked access. */
export async function projectLabels(db: Db | Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; label: string }>`
    select project.id, project.label from project where project.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, label }) => [id, label]))
}
