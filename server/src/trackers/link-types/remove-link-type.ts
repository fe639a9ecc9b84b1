import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

/** A tracker that uses a link type. */
export interface LinkTypeUse {
  readonly id: number
  readonly label: string
}

/** Some trackers, also deleted ones, whose progress is computed by links of the type. */
export async function findTrackersByProgress(tx: Tx, name: string, limit: number): Promise<LinkTypeUse[]> {
  const { rows } = await sql<LinkTypeUse>`
    select tracker.id, tracker.label from tracker
    where tracker.structure #>> '{semantics,progress,link_type}' = ${name}
    order by tracker.id limit ${limit}`.execute(tx)
  return rows
}

/** Also removes it from the projects that disabled it. */
export async function removeLinkType(tx: Tx, name: string): Promise<void> {
  await sql`delete from disabled_link_type where shortname = ${name}`.execute(tx)
  await sql`delete from link_type where shortname = ${name}`.execute(tx)
}
