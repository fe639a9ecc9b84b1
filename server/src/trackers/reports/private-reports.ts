import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { renamedIn } from '../form/names-in-reports.ts'
import type { FieldId, Report, Tracker, TrackerId } from '../tracker.ts'

/** The private reports of an account in a tracker, oldest first. */
export async function findPrivateReports(db: Db | Tx, tracker: TrackerId, owner: AccountId): Promise<Report[]> {
  const rows = await db
    .selectFrom('tracker_report')
    .select(['id', 'report'])
    .where('tracker_id', '=', tracker)
    .where('owner_id', '=', owner)
    .orderBy('id')
    .execute()
  return rows.map(({ id, report }) => ({ ...report, id }))
}

export async function insertPrivateReport(
  tx: Tx,
  { id: tracker_id, project_id }: Pick<Tracker, 'id' | 'project_id'>,
  owner_id: AccountId,
  { id, ...report }: Report,
): Promise<void> {
  await tx
    .insertInto('tracker_report')
    .values({ id, project_id, tracker_id, owner_id, report: JSON.stringify(report) })
    .execute()
}

/** False: it was deleted concurrently. */
export async function updatePrivateReport(tx: Tx, { id, ...report }: Report): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tracker_report')
    .set({ report: JSON.stringify(report) })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** False: it was deleted concurrently. */
export async function deletePrivateReport(tx: Tx, { id }: Pick<Report, 'id'>): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('tracker_report').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0
}

/** Private reports are visible to their owner only, so they are deleted with the account. */
export async function erasePrivateReports({ tx }: WriteContext, account: AccountId): Promise<void> {
  await tx.deleteFrom('tracker_report').where('owner_id', '=', account).execute()
}

/** Queries contain field names; rename the fields in private reports too. */
export async function renameInPrivateReports(tx: Tx, before: Tracker, after: Tracker): Promise<void> {
  const was = new Map<FieldId, string>(before.elements.map(({ id, name }) => [id, name]))
  const names = new Map(
    after.elements.flatMap(({ id, name }) => {
      const old = was.get(id)
      return old === undefined || old === name ? [] : [[old, name]]
    }),
  )
  if (names.size === 0) return
  const rows = await tx
    .selectFrom('tracker_report')
    .select(['id', 'report'])
    .where('tracker_id', '=', after.id)
    .forUpdate()
    .execute()
  for (const { id, report } of rows) {
    const renamed = renamedIn(report, (name) => names.get(name) ?? name)
    if (!isDeepStrictEqual(renamed, report)) await updatePrivateReport(tx, { ...renamed, id })
  }
}
