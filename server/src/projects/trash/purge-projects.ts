import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { failpoint } from '#failpoint'
import { recordRightsEvent } from '../membership.ts'
import type { ProjectId } from '../project.ts'

export interface PurgedProject {
  readonly id: ProjectId
  readonly shortname: string
  readonly label: string
}

/**
 * Removes what a module stores in a project, in batches: it may be killed at any time and is called again. `waiting`:
 * something must stay for now, so the project stays too.
 */
export type ProjectPurger = (context: Context, project: PurgedProject) => Promise<'done' | 'waiting'>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Called in this order when a project is purged. Modules add theirs in `ports.ts`. */
    readonly projectPurgers: readonly ProjectPurger[]
  }
}

const DAY_MS = 86_400_000

/** Removes projects for good after the retention period in the trash. */
export const purgeProjectsJob = defineJob({
  type: 'project_purge',
  payload: Type.Object({}),
  async run(context, _payload, { id, request_id }) {
    const { db, clock, settings } = context
    const then = new Date(clock.now().getTime() - settings.current.trash_retention_days * DAY_MS)
    const viewer = { credential: { kind: 'job', id: id.toString(16) }, language: null, time_zone: null } as const
    const origin = { viewer, request_id, address: null }
    const failures: unknown[] = []
    for (const project of await findProjectsToPurge(db, then))
      await purgeProject(context, origin, project, then).catch((error: unknown) => {
        // The failure of one project must not delay the others.
        context.log.error({ err: error, project: project.id }, 'a project could not be purged')
        failures.push(error)
      })
    if (failures.length > 0) throw failures[0]
  },
})

async function findProjectsToPurge(db: Db, then: Date): Promise<PurgedProject[]> {
  const { rows } = await sql<PurgedProject>`
    select project.id, project.shortname, project.label from project
    where project.status = 'deleted' and (project.purge_begun_on is not null or project.deleted_on <= ${then})
    order by project.deleted_on, project.id`.execute(db)
  return rows
}

async function purgeProject(context: Context, origin: Origin, project: PurgedProject, then: Date): Promise<void> {
  const { db, clock } = context
  if (!(await beginPurge(db, project, then, clock.now()))) return
  failpoint('project.purge_begun')
  for (const purge of context.projectPurgers) {
    if ((await purge(context, project)) === 'waiting') return
    failpoint('project.part_purged')
  }
  await inTransaction(db, (tx) => removeProject(tx, origin, project, clock.now()))
  failpoint('project.purged')
}

/** Sets the mark that excludes a restoration. False: the project was restored. */
async function beginPurge(db: Db, { id }: PurgedProject, then: Date, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update project set purge_begun_on = coalesce(purge_begun_on, ${now})
    where id = ${id} and status = 'deleted' and (purge_begun_on is not null or deleted_on <= ${then})`.execute(db)
  return numAffectedRows === 1n
}

/** The rows of the project itself. Its short name is never given again. */
async function removeProject(tx: Tx, origin: Origin, project: PurgedProject, now: Date): Promise<void> {
  const { id, shortname, label } = project
  const { rows } = await sql`select from project where id = ${id} for update`.execute(tx)
  if (rows.length === 0) return // Another process was first.
  await releaseBoundGroups(tx, origin, id)
  for (const table of ['user_group_member', 'user_group', 'label', 'project_service', 'project_member'] as const)
    await tx.deleteFrom(table).where('project_id', '=', id).execute()
  await sql`
    insert into project_tombstone (shortname, project_id, purged_on) values (folded(${shortname}), ${id}, ${now})`.execute(
    tx,
  )
  await tx.deleteFrom('project').where('id', '=', id).execute()
  await recordAudit(tx, origin, {
    action: 'project.purge',
    object: `projects/${id}`,
    project_id: id,
    before: { shortname, label },
  })
}

/** Groups of other projects that took their members from a group of this one are empty from now on. */
async function releaseBoundGroups(tx: Tx, origin: Origin, id: ProjectId): Promise<void> {
  const { rows } = await sql<{ project_id: ProjectId }>`
    with released as (
      update user_group set bound_to = null
      where project_id <> ${id} and bound_to in (select source.id from user_group source where source.project_id = ${id})
      returning project_id
    )
    update project set rights_epoch = rights_epoch + 1 where id in (select project_id from released)
    returning id as project_id`.execute(tx)
  for (const { project_id } of rows) await recordRightsEvent({ tx, origin }, project_id, 'everybody')
}
