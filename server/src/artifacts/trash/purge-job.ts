import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { type Origin, recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { recordEvent } from '../../platform/database/events.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { ProjectId } from '../../projects/project.ts'
import {
  type DeletedTracker,
  findTrackersDeletedBefore,
  lockInTrash,
  purgeTracker,
} from '../../trackers/purge-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { purgeArtifacts } from './purge-artifact.ts'

const DAY_MS = 86_400_000
/** Limits the duration of locks. */
const PURGE_BATCH_SIZE = 500

/** Removes artifacts for good after the retention period in the trash. Safe to interrupt after any batch. */
export const purgeJob = defineJob({
  type: 'artifact_purge',
  payload: Type.Object({}),
  async run({ db, clock, settings }, _payload, { id, request_id }) {
    const then = new Date(clock.now().getTime() - settings.current.trash_retention_days * DAY_MS)
    const viewer = { credential: { kind: 'job', id: id.toString(16) }, language: null, time_zone: null } as const
    const origin = { viewer, request_id, address: null }
    await purgeAll(db, origin, sql`artifact.deleted_on <= ${then}`)
    for (const tracker of await findTrackersDeletedBefore(db, then)) await purgeWithArtifacts(db, origin, tracker)
  },
})

async function purgeWithArtifacts(db: Db, origin: Origin, { id, project_id, label }: DeletedTracker): Promise<void> {
  const isInTrash = (tx: Tx) => lockInTrash(tx, id)
  await purgeAll(db, origin, sql`artifact.tracker_id = ${id}`, isInTrash)
  await inTransaction(db, async (tx) => {
    const { rows } = await sql`select from artifact where artifact.tracker_id = ${id} limit 1`.execute(tx)
    // Some artifacts wait for their archive; then the tracker waits too.
    if (rows.length > 0 || !(await isInTrash(tx))) return
    await purgeTracker(tx, id)
    await recordAudit(tx, origin, { action: 'tracker.purge', object: `trackers/${id}`, project_id, before: { label } })
  })
}

/** In batches, each in its own transaction, which first checks that the purge is still allowed. */
async function purgeAll(
  db: Db,
  origin: Origin,
  which: RawBuilder<unknown>,
  stillMay: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<void> {
  for (;;) {
    const count = await inTransaction(db, async (tx) => ((await stillMay(tx)) ? purgePart(tx, origin, which) : 0))
    if (count < PURGE_BATCH_SIZE) return
  }
}

/** Whether an archive of the `artifact` row is queued and not written. */
export const awaitsArchive = sql<boolean>`exists (select from artifact_archive waiting
  where waiting.artifact_id = artifact.id and waiting.written_on is null and not waiting.is_restored)`

interface Row {
  readonly id: ArtifactId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId
  readonly version: number
}

async function purgePart(tx: Tx, origin: Origin, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Row>`
    select artifact.id, artifact.project_id, artifact.tracker_id, artifact.version from artifact
    where ${which} and not ${awaitsArchive}
    order by artifact.id limit ${PURGE_BATCH_SIZE} for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  await purgeArtifacts(
    tx,
    rows.map(({ id }) => id),
  )
  for (const { id, project_id, tracker_id, version } of rows) {
    const object = `artifacts/${id}`
    await recordAudit(tx, origin, { action: 'artifact.purge', object, project_id, before: { tracker_id, version } })
    await recordEvent(tx, origin, { type: 'artifact.purged', object, project_id, payload: { tracker_id } })
  }
  return rows.length
}
