import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findVisibleTrackers } from '../find-visible-trackers.ts'
import type { Report, ReportId, TrackerId } from '../tracker.ts'
import type { FoundReport } from './find-report.ts'

interface ReportPart {
  readonly id: ReportId
  readonly tracker_id: TrackerId
  /** Null: the report is public, and part of its tracker. */
  readonly report: Omit<Report, 'id'> | null
}

/** Those of these reports that the viewer may see, by id: public ones and their own, in trackers that they may see. */
export async function findVisibleReports(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FoundReport>> {
  if (ids.length === 0) return new Map()
  const { rows: parts } = await sql<ReportPart>`
    select part.id, part.tracker_id, own.report
    from tracker_part part left join tracker_report own on own.id = part.id
    where part.id = any(${ids}::bigint[]) and part.kind = 'report'
      and (own.id is null or own.owner_id = ${viewer.account_id ?? null})`.execute(db)
  const trackers = [...new Set(parts.map(({ tracker_id }) => tracker_id))]
  const isAmong = sql<boolean>`tracker.id = any(${trackers}::bigint[])`
  const accesses = await findVisibleTrackers(context, db, viewer, isAmong, trackers.length)
  const byTracker = new Map(accesses.map((access) => [access.tracker.id, access]))
  return new Map(
    parts.flatMap(({ id, tracker_id, report: own }) => {
      const access = byTracker.get(tracker_id)
      const report = own ? { ...own, id } : access?.tracker.reports.find((each) => each.id === id)
      return access && report ? [[id, { access, report, isPublic: own === null }]] : []
    }),
  )
}
