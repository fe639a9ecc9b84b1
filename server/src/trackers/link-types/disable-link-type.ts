import { sql } from 'kysely'
import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { ProjectId } from '../../projects/project.ts'

/** CLI: disables new links of the type in the project. Existing links stay. */
export function disableLinkType(db: Db, origin: Origin, shortname: string, project_id: ProjectId): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { is_system, is_reserved } = await findLinkType(tx, shortname)
    if (is_system || is_reserved) throw new Error(`${shortname} is a built-in link type and cannot be disabled.`)
    const { rows } = await sql`
      insert into disabled_link_type (project_id, shortname) values (${project_id}, ${shortname})
      on conflict do nothing returning shortname`.execute(tx)
    if (rows.length === 0) return
    await recordAudit(tx, origin, { action: 'link_type.disable', object: `link_types/${shortname}`, project_id })
  })
}

export function enableLinkType(db: Db, origin: Origin, shortname: string, project_id: ProjectId): Promise<void> {
  return inTransaction(db, async (tx) => {
    await findLinkType(tx, shortname)
    const { rows } = await sql`
      delete from disabled_link_type disabled
      where disabled.project_id = ${project_id} and disabled.shortname = ${shortname} returning disabled.shortname`.execute(
      tx,
    )
    if (rows.length === 0) return
    await recordAudit(tx, origin, { action: 'link_type.enable', object: `link_types/${shortname}`, project_id })
  })
}

async function findLinkType(tx: Tx, shortname: string): Promise<{ is_system: boolean; is_reserved: boolean }> {
  const { rows } = await sql<{ is_system: boolean; is_reserved: boolean }>`
    select link_type.is_system, link_type.is_reserved from link_type where link_type.shortname = ${shortname}`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw new Error(`There is no link type ${shortname}.`)
  return found
}
