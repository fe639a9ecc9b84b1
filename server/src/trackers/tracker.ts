import type { Id } from '../platform/database/ids.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { ProjectId } from '../projects/project.ts'

export type TrackerId = Id<'tracker'>
/** Also used for containers and static elements. */
export type FieldId = Id<'field'>
export type ListValueId = Id<'list_value'>
export type TransitionId = Id<'transition'>
export type ActionId = Id<'action'>
type TriggerId = Id<'trigger'>
export type ReportId = Id<'report'>
export type RendererId = Id<'renderer'>

/** A platform group (up to 100), or the id of a custom group. */
export type GroupNumber = number

export const ACCESS_KINDS = ['full', 'submitted_by_user', 'submitted_by_group', 'assigned_to_group', 'admin'] as const
export type AccessKind = (typeof ACCESS_KINDS)[number]
export type Grants = Readonly<Record<AccessKind, readonly GroupNumber[]>>

export interface Tracker extends Structure {
  readonly id: TrackerId
  readonly project_id: ProjectId
  readonly item_name: string
  readonly label: string
  readonly description: string
  readonly color_name: string
  readonly parent_id: TrackerId | null
  readonly version: number
  readonly rights_epoch: number
}

/** The content of the column `structure`. */
export interface Structure {
  readonly settings: TrackerSettings
  readonly grants: Grants
  /** In form order: containers before their content, unused elements last. */
  readonly elements: readonly Element[]
  readonly semantics: Semantics
  readonly workflow: Workflow | null
  readonly rules: { readonly dates: readonly DateRule[]; readonly lists: readonly ListRule[] }
  readonly triggers: readonly Trigger[]
  /** Public reports only. Private reports are stored in a table of their own. */
  readonly reports: readonly Report[]
  readonly canned_responses: readonly { readonly title: string; readonly body: string }[]
  readonly webhooks: readonly Hook[]
}

/** A webhook of the definition; absent members have the defaults of the original product. */
export interface Hook {
  readonly url: string
  readonly events?: readonly string[]
  readonly format?: 'form' | 'json'
}

export interface TrackerSettings {
  readonly submit_instructions: string
  readonly browse_instructions: string
  readonly allow_copy: boolean
  readonly instantiate_for_new_projects: boolean
  readonly log_priority_changes: boolean
  readonly notifications_level: 'all' | 'none' | 'status_change'
  readonly private_comments: boolean
  readonly in_new_dropdown: boolean
  readonly allow_move: boolean
  readonly allow_deletion: boolean
  readonly require_precondition: boolean
}

export interface Element {
  readonly id: FieldId
  readonly parent_id: FieldId | null
  readonly name: string
  /** The key of its type in `fields/field-types.ts`. */
  readonly type: string
  readonly label: string
  readonly description: string
  readonly is_used: boolean
  readonly is_required: boolean
  readonly notifies: boolean
  /** Complete: missing settings have the defaults of the type. */
  readonly properties: Readonly<Record<string, unknown>>
  /** The default value of a new artifact, in the stored form of the type; null: none. */
  readonly default: unknown
  readonly bind: Bind | null
  /** Null for containers and static elements, which every viewer may read. */
  readonly rights: GroupsOfField | null
  /** The original of a shared field. Type and bind are copies; every change of the original updates them. */
  readonly shared_from: FieldId | null
}

export interface GroupsOfField {
  readonly read: readonly GroupNumber[]
  readonly submit: readonly GroupNumber[]
  readonly update: readonly GroupNumber[]
}

export type Bind = StaticBind | UsersBind | GroupsBind

export interface StaticBind {
  readonly type: 'static'
  readonly alphabetical: boolean
  readonly values: readonly ListValue[]
}

export interface ListValue {
  readonly id: ListValueId
  /** Identifies the value in definitions; it never changes. */
  readonly key: string
  readonly label: string
  readonly description: string
  /** A palette name, or `#rrggbb`. */
  readonly color: string | null
  readonly is_hidden: boolean
  /** The most artifacts that a column of a board should hold. */
  readonly limit?: number
}

export type UserSource = 'artifact_submitters' | 'artifact_modifiers' | 'registered_users' | GroupNumber

export interface UsersBind {
  readonly type: 'users'
  readonly sources: readonly UserSource[]
}

export interface GroupsBind {
  readonly type: 'ugroups'
  readonly values: readonly { readonly id: ListValueId; readonly group: GroupNumber; readonly is_hidden: boolean }[]
}

export interface Semantics {
  readonly title: FieldId | null
  readonly description: FieldId | null
  readonly status: { readonly field_id: FieldId; readonly open: readonly ListValueId[] } | null
  readonly contributor: FieldId | null
  readonly timeframe:
    | { readonly start: FieldId; readonly duration: FieldId }
    | { readonly start: FieldId; readonly end: FieldId }
    | { readonly implied_from: TrackerId }
    | null
  readonly progress: { readonly total: FieldId; readonly remaining: FieldId } | { readonly link_type: string } | null
  readonly initial_effort: FieldId | null
  readonly done: readonly ListValueId[] | null
  readonly tooltip: readonly FieldId[]
}

export interface Workflow {
  readonly field_id: FieldId
  readonly is_used: boolean
  readonly is_advanced: boolean
  /** In simple mode, all transitions to a value share their conditions and actions. */
  readonly transitions: readonly Transition[]
}

export interface Transition {
  readonly id: TransitionId
  /** Null: a new artifact. */
  readonly from: ListValueId | null
  readonly to: ListValueId
  /** The groups that may perform it; empty: everyone who may update the field. */
  readonly groups: readonly GroupNumber[]
  readonly not_empty: readonly FieldId[]
  readonly needs_comment: boolean
  readonly actions: readonly Action[]
}

export type Action =
  | {
      readonly id: ActionId
      readonly type: 'set_field_value'
      readonly field_id: FieldId
      /** Dates: `current` sets the current date, `''` clears it. */
      readonly value: number | 'current' | '' | null
    }
  | { readonly id: ActionId; readonly type: 'run_job'; readonly job_url: string }
  | { readonly id: ActionId; readonly type: 'frozen_fields'; readonly field_ids: readonly FieldId[] }
  | { readonly id: ActionId; readonly type: 'hidden_fieldsets'; readonly fieldset_ids: readonly FieldId[] }

export const DATE_COMPARATORS = ['<', '≤', '=', '≥', '>', '≠'] as const
export type DateComparator = (typeof DATE_COMPARATORS)[number]

export interface DateRule {
  readonly source: FieldId
  readonly comparator: DateComparator
  readonly target: FieldId
}

/** The rules of a pair of fields form an allowlist. `NONE_VALUE_ID` stands for no value. */
export interface ListRule {
  readonly source: FieldId
  readonly source_value: ListValueId | typeof NONE_VALUE_ID
  readonly target: FieldId
  readonly target_value: ListValueId | typeof NONE_VALUE_ID
}

/** The reserved id of the list value None. */
export const NONE_VALUE_ID = 100

export interface Trigger {
  readonly id: TriggerId
  /** The target field, in this (parent) tracker. */
  readonly field_id: FieldId
  readonly value: ListValueId
  readonly condition: 'at_least_one' | 'all_of'
  /** The conditions, in trackers of children. */
  readonly when: readonly { readonly tracker_id: TrackerId; readonly field_id: FieldId; readonly value: ListValueId }[]
}

/** A saved search: criteria or a query, with its renderers. */
export interface Report {
  readonly id: ReportId
  readonly label: string
  readonly description: string
  /** At most one per tracker; never a private report. */
  readonly is_default: boolean
  /** Null: the criteria apply. */
  readonly expert_query: string | null
  readonly criteria: readonly ReportCriterion[]
  readonly renderers: readonly Renderer[]
}

export interface ReportCriterion {
  readonly field_id: FieldId
  /** Null: the default operator of the field. */
  readonly operator: string | null
  /** List values are given by key. Null: the criterion is shown but not applied. */
  readonly value: unknown
}

/** The lengths of groups of a date. */
export const BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]

export interface Renderer {
  readonly id: RendererId
  /** `table`, or a chart. */
  readonly type: string
  readonly label: string
  readonly columns: readonly FieldId[]
  readonly page_size: number | null
  readonly sort: readonly { readonly field_id: FieldId; readonly direction: 'asc' | 'desc' }[]
  /** In pixels; other columns have their usual width. Absent in reports of earlier versions. */
  readonly column_widths?: readonly { readonly field_id: FieldId; readonly width: number }[]
  /** Absent in reports of earlier versions; null: no groups. */
  readonly grouped_by?: { readonly field_id: FieldId; readonly bucket?: Bucket } | null
  /** Additional members of charts, stored as given. */
  readonly more: Readonly<Record<string, unknown>>
}

/** The stored value per field; absent: nothing was ever stored. Only the field type knows the form. */
export type StoredValues = Readonly<Record<string, unknown>>

/** The version data of an artifact that fields show. */
export interface VersionFacts {
  readonly id: number
  readonly number: number
  readonly rank: number
  readonly submitted_by: AccountId | null
  readonly submitted_on: Date
  readonly last_update_by: AccountId | null
  readonly last_modified_date: Date
}
