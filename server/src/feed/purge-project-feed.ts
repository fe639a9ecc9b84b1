import { type RawBuilder, sql } from 'kysely'
import { failpoint } from '#failpoint'
import { artifactsOfProject } from '../artifacts/trash/purge-project-artifacts.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { ProjectId } from '../projects/project.ts'
import type { ProjectPurger } from '../projects/trash/purge-projects.ts'
import { trackersOfProject } from '../trackers/trackers-of-project.ts'

/** Bounds the lock time per statement. */
const PURGE_BATCH_SIZE = 10_000

/** Removes webhooks with their deliveries, watches, and notifications. The feed itself is kept for its retention time. */
export const purgeFeedOfProject: ProjectPurger = async ({ db }, { id }) => {
  const deliveries = sql`select delivery.id from webhook_delivery delivery
    join webhook on webhook.id = delivery.webhook_id where webhook.project_id = ${id}`
  await deleteInBatches(db, sql`webhook_delivery where id in (${limited(deliveries)})`)
  await sql`delete from webhook where project_id = ${id}`.execute(db)
  const watches = sql`select watch.account_id, watch.kind, watch.object_id from watch where ${isWatched(id)}`
  await deleteInBatches(db, sql`watch where (account_id, kind, object_id) in (${limited(watches)})`)
  for (const table of [sql`notification`, sql`notice_mail`]) {
    const entries = sql`select entry.id from ${table} entry
      join notified_event on notified_event.id = entry.event_id where notified_event.project_id = ${id}`
    await deleteInBatches(db, sql`${table} where id in (${limited(entries)})`)
  }
  await sql`delete from notified_event where project_id = ${id}`.execute(db)
  return 'done'
}

function isWatched(id: ProjectId): RawBuilder<boolean> {
  return sql`(watch.kind = 'project' and watch.object_id = ${id}
    or watch.kind = 'tracker' and watch.object_id in (${trackersOfProject(id)})
    or watch.kind = 'artifact' and watch.object_id in (${artifactsOfProject(id)}))`
}

function limited(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${rows} limit ${PURGE_BATCH_SIZE}`
}

/** Each batch commits by itself. */
async function deleteInBatches(db: Db, which: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`delete from ${which}`.execute(db)
    failpoint('project.batch_purged')
    if (Number(numAffectedRows ?? 0) < PURGE_BATCH_SIZE) return
  }
}

export async function countWebhooks(db: Db | Tx, project: ProjectId): Promise<{ webhooks: number }> {
  const { rows } = await sql<{ webhooks: number }>`
    select count(*) as webhooks from webhook where webhook.project_id = ${project}`.execute(db)
  return { webhooks: rows[0]?.webhooks ?? 0 }
}
