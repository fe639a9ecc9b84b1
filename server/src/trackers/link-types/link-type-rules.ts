import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface LinkTypeRule {
  readonly shortname: string
  /** Written by the platform only. */
  readonly is_reserved: boolean
  /** Not in this project. */
  readonly is_disabled: boolean
}

/** Every type of link there is, and whether links of it may be written by hand in a project. */
export async function linkTypeRules(db: Db | Tx, project: number): Promise<ReadonlyMap<string, LinkTypeRule>> {
  const { rows } = await sql<LinkTypeRule>`
    select link_type.shortname, link_type.is_reserved, not link_type.is_system and exists (select from disabled_link_type disabled
      where disabled.project_id = ${project} and disabled.shortname = link_type.shortname) as is_disabled
    from link_type`.execute(db)
  return new Map(rows.map((row) => [row.shortname, row]))
}
