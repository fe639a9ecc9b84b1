import type { Generated, JSONColumnType } from 'kysely'
import type { AccountId } from '../platform/http/viewer.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Widget } from './dashboards/dashboard.ts'
import type { AccessKind, FieldId, GroupNumber, Report, ReportId, Structure, TrackerId } from './tracker.ts'

declare module '../platform/database/db.ts' {
  interface Tables {
    tracker: TrackerTable
    tracker_version: {
      project_id: ProjectId
      tracker_id: TrackerId
      version: number
      changed_by: AccountId | null
      changed_on: Date
      definition: JSONColumnType<object>
    }
    tracker_grant: { project_id: ProjectId; tracker_id: TrackerId; kind: AccessKind; group_id: GroupNumber }
    /** Totals without their changes; the view `tracker_counter` has exact ones. */
    tracker_total: {
      project_id: ProjectId
      tracker_id: TrackerId
      last_number: Generated<number>
      artifacts: Generated<number>
    }
    tracker_total_change: { id: Generated<number>; project_id: ProjectId; tracker_id: TrackerId; artifacts: number }
    tracker_rank: { tracker_id: TrackerId; project_id: ProjectId; version: Generated<number> }
    tracker_part: { id: Generated<number>; project_id: ProjectId; tracker_id: TrackerId; kind: PartKind }
    tracker_report: {
      id: ReportId
      project_id: ProjectId
      tracker_id: TrackerId
      owner_id: AccountId
      report: JSONColumnType<Omit<Report, 'id'>>
    }
    /** Exactly one of the owners is set. */
    dashboard: {
      project_id: ProjectId | null
      account_id: AccountId | null
      version: Generated<number>
      widgets: JSONColumnType<readonly Widget[], string | undefined>
    }
    open_value: {
      id: Generated<number>
      project_id: ProjectId
      tracker_id: TrackerId
      field_id: FieldId
      label: string
    }
    link_type: {
      shortname: string
      forward_label: string
      reverse_label: string
      is_system: Generated<boolean>
      is_reserved: Generated<boolean>
    }
    disabled_link_type: { project_id: ProjectId; shortname: string }
  }
}

export type PartKind = 'element' | 'value' | 'transition' | 'action' | 'trigger' | 'report' | 'renderer'

interface TrackerTable {
  id: Generated<TrackerId>
  project_id: ProjectId
  item_name: string
  label: string
  description: Generated<string>
  color_name: string
  parent_id: TrackerId | null
  contributor_field_id: FieldId | null
  restriction_field_id: FieldId | null
  structure: JSONColumnType<Structure>
  version: Generated<number>
  rights_epoch: Generated<number>
  created_by: AccountId | null
  created_on: Date
  deleted_by: AccountId | null
  deleted_on: Date | null
}
