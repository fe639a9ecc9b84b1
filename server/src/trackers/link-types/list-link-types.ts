import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { LinkType } from './link-type.ts'

interface ListedLinkType extends LinkType {
  /** Short names of the projects that disabled it. */
  readonly disabled_in: readonly string[]
}

/** CLI: all link types, those of the platform first. */
export async function listLinkTypes(db: Db): Promise<ListedLinkType[]> {
  const { rows } = await sql<ListedLinkType>`
    select link_type.shortname, link_type.forward_label, link_type.reverse_label, array(
      select ${projectShortname} from disabled_link_type disabled ${joinProject(sql`disabled.project_id`)}
      where disabled.shortname = link_type.shortname order by 1) as disabled_in
    from link_type order by not link_type.is_system, link_type.shortname`.execute(db)
  return rows
}
