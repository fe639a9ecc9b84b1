import { sql } from 'kysely'
import type { WriteContext } from '../platform/http/write-context.ts'
import { recordRightsEvent } from './membership.ts'
import type { ProjectId } from './project.ts'

/** Hides an active project until its import has ended. False if it is not active. */
export async function hideDuringImport(work: WriteContext, id: ProjectId): Promise<boolean> {
  return switchStatus(work, id, 'active', 'importing')
}

/** Shows the project again. False if another status was set meanwhile, which stays. */
export async function showAfterImport(work: WriteContext, id: ProjectId): Promise<boolean> {
  return switchStatus(work, id, 'importing', 'active')
}

async function switchStatus(work: WriteContext, id: ProjectId, from: string, to: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update project set status = ${to}, version = version + 1, rights_epoch = rights_epoch + 1
    where id = ${id} and status = ${from}`.execute(work.tx)
  if (numAffectedRows !== 1n) return false
  await recordRightsEvent(work, id, 'everybody')
  return true
}
