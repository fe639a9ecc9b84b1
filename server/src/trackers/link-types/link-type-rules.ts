import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

export interface LinkTypeRule {
  readonly shortname: string
  /** Only the platform writes links of this type. */
  readonly is_reserved: boolean
  /** Disabled in this project. */
  readonly is_disabled: boolean
}

/** All link types, and whether users may write links of each type in a project. */
export async function linkTypeRules(db: Db | Tx, project: number): Promise<ReadonlyMap<string, LinkTypeRule>> {
  const { rows } = await sql<LinkTypeRule>`
    select link_type.shortname, link_type.is_reserved, not link_type.is_system and exists (select from disabled_link_type disabled
      where disabled.project_id = ${project} and disabled.shortname = link_type.shortname) as is_disabled
    from link_type`.execute(db)
  return new Map(rows.map((row) => [row.shortname, row]))
}
