import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'

/** A type of link. */
export interface LinkType {
  readonly shortname: string
  /** The labels at the source and at the target. */
  readonly forward_label: string
  readonly reverse_label: string
}

/** The link types of the project: those of the platform, which cannot be disabled, then the others. */
export async function linkTypesOf(db: Db | Tx, project: number): Promise<LinkType[]> {
  const { rows } = await sql<LinkType>`
    select link_type.shortname, link_type.forward_label, link_type.reverse_label from link_type
    where link_type.is_system or not exists (select from disabled_link_type disabled
      where disabled.project_id = ${project} and disabled.shortname = link_type.shortname)
    order by not link_type.is_system, link_type.shortname`.execute(db)
  return rows
}

/** All link types in the same order, after the untyped one. */
export async function everyLinkType(db: Db | Tx): Promise<LinkType[]> {
  const { rows } = await sql<LinkType>`
    select link_type.shortname, link_type.forward_label, link_type.reverse_label from link_type
    order by not link_type.is_system, link_type.shortname`.execute(db)
  return [{ shortname: '', forward_label: '', reverse_label: '' }, ...rows]
}
