// Made from openapi.json by `npm run sdk`: not to be edited.

export type AccessFileVersion = {
  version: number
  /** It is the one in force. */
  is_current: boolean
  access_file: string
  has_default_permissions: boolean
  made_by: {
    id: number
    username: string
  } | null
  made_on: string
}

export type AccessKey = {
  id: number
  creation_date: string
  expiration_date: string | null
  description: string
  last_used_on: string | null
  /** The address that it was used from. */
  last_used_by: string | null
  scopes: ({
    identifier: string
  })[]
}

export type Archive = {
  id: number
  uri: string
  artifact: {
    id: number
    xref: string
  }
  tracker: {
    id: number
    label: string
  }
  project: {
    id: number
    label: string
  }
  deleted_by: {
    id: number
    username: string
  } | null
  deleted_on: string
  /** Null: the artifact came back. */
  purge_on: string | null
  state: "waiting" | "written" | "failed" | "restored" | "expired"
  written_on: string | null
  size: number | null
  sha256: string | null
  file_name: string | null
  /** The job that failed. */
  job_id?: string
}

export type Artifact = {
  id: number
  uri: string
  xref: string
  tracker: TrackerOfArtifact | Tracker
  project: ProjectReference
  submitted_by: number | null
  submitted_by_user: UserMinimal
  submitted_on: string
  html_url: string
  changesets_uri: string
  values: Value[] | null
  values_by_field: Record<string, Value | null> | null
  last_update_by: number | null
  last_update_by_user: UserMinimal
  last_modified_date: string
  status: string
  full_status: {
    value: string
    color: string | null
  } | null
  is_open: boolean
  title: string | null
  assignees: UserMinimal[]
  /** Of a past state: its number. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Only with `max_bytes`: what was cut, and how long it really is. */
  truncated?: ({
    path: string
    bytes: number
  })[]
}

export type AuditEntry = {
  id: number
  /** With microseconds. */
  on: string
  actor: {
    id: number
    username: string
  } | null
  credential: {
    kind: string
    id: number | string | null
  } | null
  address: string | null
  action: string
  object: string | null
  project: {
    id: number
    label: string
  } | null
  outcome: "done" | "refused"
  /** What changed, as it was; null where there was nothing. */
  before: unknown
  /** What changed, as it is; null where there is nothing. */
  after: unknown
  reason: string | null
  request_id: string | null
}

export type BulkLine = {
  op: "create" | "update"
  /** Of what is updated; what is created has none. */
  id?: number
  /** As the header `If-Match`, for an update. */
  if_match?: string
  values?: ValueItem[]
  /** By the name of the field: `{"value": …}`, or the bare value. Lists take labels, people logins. */
  values_by_field?: Record<string, unknown>
  comment?: NewComment | null
}

export type Change = {
  field_id: number
  before: unknown
  after: unknown
}

export type Changeset = {
  id: number
  /** Its number, from 1. */
  version: number
  submitted_by: number | null
  submitted_by_details: UserMinimal | null
  submitted_on: string
  email: string | null
  last_comment: LastComment
  /** All of them, as this version left them. */
  values: Value[]
  last_modified_by: UserMinimal | null
  last_modified_date: string
  changes?: Change[]
}

export type CommitNotification = {
  path: string
  emails: string[]
  users: UserMinimal[]
  user_groups: UserGroupMinimal[]
}

export type CommitRules = {
  is_reference_mandatory: boolean
  is_commit_message_change_allowed: boolean
  /** A message must name an artifact that is in one of these states, by their labels. Absent: commits are free. */
  required_states?: string[]
  /** A commit moves it to this state, by a step that the workflow allows the committer. */
  moves_to?: string | null
}

export type ConditionsDefinition = {
  groups?: string[]
  not_empty?: string[]
  comment?: boolean
}

export type CopiedArtifact = {
  id: number
  uri: string
  xref: string
  tracker: {
    id: number
    color: string
  } & Record<string, unknown>
  project: ProjectReference
  submitted_by: number | null
  submitted_by_user: UserMinimal
  submitted_on: string
  html_url: string
  changesets_uri: string
  values: Value[] | null
  values_by_field: Record<string, Value | null> | null
  last_update_by: number | null
  last_update_by_user: UserMinimal
  last_modified_date: string
  status: string
  full_status: {
    value: string
    color: string | null
  } | null
  is_open: boolean
  title: string | null
  assignees: UserMinimal[]
  /** Of a past state: its number. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Only with `max_bytes`: what was cut, and how long it really is. */
  truncated?: ({
    path: string
    bytes: number
  })[]
  copied: {
    fields_copied: FieldName[]
    fields_not_copied: FieldName[]
  }
}

export type CreatedArtifact = {
  id: number
  uri: string
  xref: string
  tracker: {
    id: number
    color: string
  } & Record<string, unknown>
  project: ProjectReference
  submitted_by: number | null
  submitted_by_user: UserMinimal
  submitted_on: string
  html_url: string
  changesets_uri: string
  values: Value[] | null
  values_by_field: Record<string, Value | null> | null
  last_update_by: number | null
  last_update_by_user: UserMinimal
  last_modified_date: string
  status: string
  full_status: {
    value: string
    color: string | null
  } | null
  is_open: boolean
  title: string | null
  assignees: UserMinimal[]
  /** Of a past state: its number. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Only with `max_bytes`: what was cut, and how long it really is. */
  truncated?: ({
    path: string
    bytes: number
  })[]
}

/** Criteria, as in `query`. */
export type Criteria = unknown

export type CriterionDefinition = {
  field: string
  /** `contains` by default. */
  operator?: string | null
  /** As in the criteria of a search; values of lists by their keys. Absent: any. */
  value?: unknown
}

export type DeletedArtifact = {
  id: number
  xref: string
  title: string | null
  deleted_by: UserMinimal
  deleted_on: string
  purge_on: string
}

export type Delivery = {
  id: number
  uri: string
  /** The place of the event, the same on every repetition. */
  event_id: string
  event: string
  state: "waiting" | "delivered" | "retrying" | "failed" | "parked"
  attempts: number
  /** Of the last answer. */
  status: number | null
  duration_ms: number | null
  /** Why there was no answer, or none that counts. */
  error: string | null
  on: string
}

export type DeliveryAnswer = {
  status: number
  headers: Record<string, unknown> | null
  /** Kept for 7 days. */
  body: string | null
}

export type DeliveryRequest = {
  headers: Record<string, unknown> | null
  /** Kept for 7 days. */
  body: string | null
}

export type DryRun = {
  dry_run: {
    /** The status of the real write. */
    status: number
    /** Its body; what only a real write can give is null. */
    would_answer: unknown
    changes: ({
      object: string
      op: "create" | "update" | "delete"
      fields: ({
        field_id?: number
        name: string
        before: unknown
        after: unknown
      })[]
    })[]
    rules: ({
      rule: string
      name: string
      effect: string
      field_id?: number
    })[]
    notified: Notified[]
  }
}

export type DryRunReport = {
  changes: ({
    object: string
    op: "create" | "update" | "delete"
    fields: ({
      field_id?: number
      name: string
      before: unknown
      after: unknown
    })[]
  })[]
  rules: ({
    rule: string
    name: string
    effect: string
    field_id?: number
  })[]
  notified: Notified[]
}

export type Error = {
  error: {
    /** Equals the status. */
    code: number
    /** English: the name of the status, and what is wrong. */
    message: string
    /** What is wrong, in the caller's language. */
    i18n_error_message: string
    i18n_error_messages?: string[]
    reason: Reason
    details?: ErrorDetails
    request_id: string
  }
}

export type ErrorDetails = {
  /** The place of the first offending input. */
  path?: string
  rule?: Rule
  /** Allowed values (a list) or bounds (an object). */
  allowed?: unknown
  /** A finer code, where several causes share one reason. */
  cause?: string
  /** The values that the text names. */
  params?: Record<string, unknown>
  position?: number
  /** Roles that would be allowed. */
  who_may?: unknown[]
  line?: number
  used_by?: ({
    type: string
    id: number | string
    label: string
  })[]
  current_etag?: string
  current_last_modified?: string
  id?: number | string
  /** Each of several problems. */
  all?: Problem[]
}

export type Event = {
  /** Its place in the feed: `after` and `Last-Event-ID` take it. */
  id: string
  type: string
  on: string
  /** The address of what it is about, below `/api`. */
  object: string | null
  project: Named | null
  tracker: Named | null
  actor: PersonOfEvent | null
  version: number | null
  /** What differs, of what the caller may read. */
  changed: string[]
  /** One that the caller may read. */
  has_comment: boolean
  /** Nobody is told of it by mail. */
  silent: boolean
  transition?: TransitionOfEvent
  member?: PersonOfEvent
  /** Of a commit. */
  revision?: number
  /** Of the first 100 in which a commit has changed something, those that the caller may read. */
  directories?: string[]
  /** The tab that made the change, if it is one of the caller's. */
  client_uuid: string | null
  /** The request that made the change, if it is the caller's. */
  request_id: string | null
}

export type EventPage = {
  events: Event[]
  /** Where to go on: `after` of the next page. */
  next: string
  /** There is more already. */
  has_more: boolean
}

export type Explanation = {
  explain: {
    /** The query as it was understood. */
    normalized: string
    fields: SearchedField[]
    terms: number
    /** What the database expects, before it looks. */
    estimated_matches: number
    /** In the units of the database: compare it with another query. */
    estimated_cost: number
    /** The indexes that serve it. */
    uses: string[]
    ignored: string[]
    warnings: string[]
  }
}

export type FieldName = {
  field_id: number
  label: string
  name: string
}

export type Found = {
  xref: string | null
  html_url: string
  title: string | null
  color_name: string | null
  type: "artifact" | "project" | "repository"
  per_type_id: number
  icon_name: string
  project: ProjectMinimal
  quick_links: unknown[]
  badges: unknown[]
  /** Plain text around the first hit; null: only its title has one. */
  cropped_content: string | null
}

export type Group = {
  /** For each of `by`. */
  key: (GroupedValue | UserMinimal | boolean | string | null)[]
  count: number
  /** By the names of the fields. */
  sum: Record<string, number | null>
}

export type GroupCountSeries = {
  by: GroupedBy[]
  series: GroupCountsThen[]
}

export type GroupCounts = {
  by: GroupedBy[]
  /** Each artifact once, however many groups it is in. */
  total: number
  groups: Group[]
}

export type GroupCountsThen = {
  /** The last second of the step. */
  at: string
  /** Each artifact once, however many groups it is in. */
  total: number
  groups: Group[]
}

export type GroupListDefinition = {
  type: "ugroups"
  groups?: string[]
  default?: string[]
}

export type GroupedBy = {
  name: string
  /** Null: it is no field, but what every artifact has. */
  field_id: number | null
  /** The type of the field. */
  type: string | null
  bucket: "day" | "week" | "month" | "quarter" | "year" | null
}

export type GroupedValue = {
  id: number | string
  label: string
}

export type ImmutableTags = {
  paths: string[]
  whitelist: string[]
}

export type Invitation = {
  email: string
  project: InvitedProject | null
}

export type InvitationOutcome = {
  failures: string[]
  already_project_members: string[]
  /** For site administrators only. */
  known_users_added_to_project_members: string[]
  /** For site administrators only. */
  known_users_not_alive: string[]
}

export type InvitedAccount = {
  username: string
  real_name: string
  password: string
}

export type InvitedProject = {
  id: number
  uri: string
  label: string
  label_without_icon: string
  shortname: string
  status: string | null
  access: string
  is_template: boolean
}

export type Job = {
  id: string
  uri: string
  type: string
  /** `parked`: it failed too often, and waits for an administrator. */
  state: "waiting" | "running" | "retrying" | "parked" | "done"
  attempts: number
  max_attempts: number
  object: string | null
  created_on: string
  run_after: string | null
  last_error: string | null
  request_id: string | null
}

export type JobWithAttempts = {
  id: string
  uri: string
  type: string
  /** `parked`: it failed too often, and waits for an administrator. */
  state: "waiting" | "running" | "retrying" | "parked" | "done"
  attempts: number
  max_attempts: number
  object: string | null
  created_on: string
  run_after: string | null
  last_error: string | null
  request_id: string | null
  /** Failures, the last 25. */
  attempts_log: ({
    on: string
    duration_ms: number
    error: string
  })[]
}

export type LastComment = {
  /** Empty: there is none, or none for the caller. */
  body: string
  /** Safe HTML, with references turned into links. */
  post_processed_body: string
  format: "text" | "html"
  /** The source. */
  commonmark?: string
  /** Who alone may read it. */
  ugroups: UserGroupOfTracker[] | null
}

export type ListValueDefinition = {
  /** Unique in the field; else a slug of the label. */
  key?: string
  label?: string
  description?: string
  /** A name of the palette, or `#rrggbb`. */
  color?: string | null
  hidden?: boolean
  /** The key that it has had so far. */
  renamed_from?: string
}

export type Named = {
  id: number
}

export type NewAccessKey = {
  description?: string
  /** With its zone; null or absent: none. */
  expiration_date?: string | null
  scopes?: string[]
}

export type NewAccessKeyIdentifier = {
  identifier: string
}

export type NewComment = {
  /** At most 65,535 bytes. */
  body: string
  /** `text`, `html` or `commonmark`; anything else is commonmark. */
  format?: unknown
  /** The groups that alone may read it, where the tracker has that. */
  ugroups?: string[]
}

export type NewInvitations = {
  emails: string[]
  custom_message?: string
  project_id?: number | null
}

export type NewPassword = {
  new_password: string
}

export type NewRepositorySettings = {
  commit_rules?: CommitRules
  immutable_tags?: ImmutableTags
  /** Without the block that the server makes itself. */
  access_file?: string
  email_notifications?: NotificationToWrite[]
  has_default_permissions?: boolean
  /** Directories to make in a first revision. */
  layout?: string[]
}

export type NewUser = {
  username: string
  real_name: string
  email: string
  status?: "A" | "R"
  /** Null: the owner sets it by the mailed link. */
  password?: string | null
  /** A zone of the IANA list. */
  time_zone?: string | null
  /** The tag of an installed language. */
  language?: string | null
  /** The format of texts that are sent without one. */
  text_format?: "text" | "html" | "commonmark"
  is_site_admin?: boolean
  /** Mail a link to set the password. */
  invite?: boolean
}

export type NewWebhook = {
  /** http or https, reachable from outside. */
  url: string
  /** Types of events; `artifact.*` is all that begin so. */
  events?: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format?: "form" | "json"
  /** `original`: the form that receivers know, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload?: "original" | "event"
  /** Whose rights cut what is sent. Null, for hooks of trackers: all values. */
  as_user?: number | null
  /** Each delivery waits for the one before. */
  ordered?: boolean
  active?: boolean
  /** What deliveries are signed with, 16 to 256 bytes. Absent: a random one. */
  secret?: string
}

export type NewWebhookSecret = {
  /** What deliveries are signed with, 16 to 256 bytes. Absent: a random one. */
  secret?: string
}

export type Notification = {
  id: number
  on: string
  why: "mention" | "assigned" | "submitted" | "list" | "watch"
  event: Event
  /** The address of what it is about, below `/api`. */
  object: string | null
  /** Of the artifact, as it is called now. */
  title: string | null
  /** The beginning of the comment, or what has changed. */
  excerpt: string
  is_read: boolean
}

export type NotificationSettings = {
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  default_level: "all" | "status" | "mentions" | "none"
  /** When mails are sent; the inbox has all. */
  mail: "immediate" | "hourly" | "daily" | "off"
  /** When the daily digest comes, in the zone of the account. */
  digest_hour: number
  /** Whether one is told of what one has done oneself. */
  own_changes: boolean
  /** Whether one is told of what one is assigned to. */
  assigned: boolean
  /** Whether one is told of what one has submitted. */
  submitted: boolean
  /** Whether `none` keeps mentions away too. */
  mute_mentions: boolean
  /** Mails say what has changed, and not how. */
  short_mails: boolean
}

export type NotificationToWrite = {
  /** A directory; `*` stands for one whole segment. */
  path: string
  emails: string[]
  users: (number | {
    id: number
  })[]
  user_groups: (string | {
    id: string
  })[]
}

export type Notified = {
  user: unknown
  channel: string
  why: string
}

export type OwnArtifact = {
  id: number
  uri: string
  html_url: string
  title: string | null
  xref: string
  tracker: TrackerMinimal
}

export type PasswordChange = {
  current_password: string
  new_password: string
  /** Instead of credentials, where the password has expired. */
  username?: string
}

export type PasswordReset = {
  expires_on: string
}

export type PasswordResetRequest = {
  /** The login, or the address. */
  login: string
}

export type PersonOfEvent = {
  id: number
  username: string
}

export type PersonOfWebhook = {
  id: number
  username: string
}

export type PersonalExport = {
  state: "waiting" | "ready"
  made_on: string | null
  expires_on: string | null
  /** In bytes. */
  size: number | null
}

export type Preference = {
  key: string
  /** False: not set. */
  value: string | false
}

export type Problem = {
  reason: Reason
  /** The place of the first offending input. */
  path?: string
  rule?: Rule
  /** Allowed values (a list) or bounds (an object). */
  allowed?: unknown
  /** A finer code, where several causes share one reason. */
  cause?: string
  /** The values that the text names. */
  params?: Record<string, unknown>
  position?: number
  /** Roles that would be allowed. */
  who_may?: unknown[]
  /** The field of an artifact that it is about. */
  field_id?: number
  name?: string
  label?: string
  message: string
}

export type Project = {
  id: number
  uri: string
  label: string
  label_without_icon: string
  shortname: string
  status: string | null
  access: "public" | "unrestricted" | "private" | "private-wo-restr"
  is_template: boolean
  resources: ({
    type: string
    uri: string
  })[]
  /** A map by service; an empty list while it is empty. */
  additional_informations: unknown[]
  is_member_of: boolean
  description: string
  additional_fields: ({
    name: string
    value: string
  })[]
  icon: string
}

export type ProjectAuditEntry = {
  id: number
  /** With microseconds. */
  on: string
  actor: {
    id: number
    username: string
  } | null
  action: string
  object: string | null
  project: {
    id: number
    label: string
  }
  outcome: "done" | "refused"
  before: unknown
  after: unknown
  reason: string | null
  request_id: string | null
}

export type ProjectMinimal = {
  id: number
  uri: string
  label: string
  label_without_icon: string
  shortname: string
  status: string | null
  access: "public" | "unrestricted" | "private" | "private-wo-restr"
  is_template: boolean
}

export type ProjectReference = {
  id: number
  uri: string
  label: string
  icon: string
}

export type ProjectService = {
  id: number
  uri: string
  service_url: string
  name: string
  label: string
  is_enabled: boolean
  icon: string
  is_custom: boolean
}

export type ReadNotifications = {
  /** How many were unread. */
  read: number
}

/** The closed list of reasons. */
export type Reason = "body_malformed" | "body_required" | "xml_doctype" | "id_malformed" | "parameter_required" | "parameter_invalid" | "parameter_out_of_range" | "parameter_not_allowed" | "parameter_conflict" | "member_unknown" | "query_malformed" | "query_unknown_key" | "query_operator" | "query_too_expensive" | "reference_unknown" | "reference_ambiguous" | "user_not_usable" | "field_required" | "field_not_writable" | "field_duplicate" | "value_invalid" | "value_not_allowed" | "transition_not_allowed" | "rule_violated" | "scope_invalid" | "date_in_past" | "service_disabled" | "group_not_editable" | "duplicate_entry" | "name_invalid" | "name_taken" | "token_unknown" | "authentication_required" | "credentials_malformed" | "credentials_incomplete" | "credentials_invalid" | "credentials_expired" | "credentials_scope" | "session_expired" | "permission_denied" | "account_suspended" | "account_deleted" | "account_pending" | "password_expired" | "cross_site_cookie" | "deletion_disabled" | "project_protected" | "not_found" | "route_not_found" | "not_set" | "project_suspended" | "method_not_allowed" | "not_acceptable" | "repository_name_invalid" | "repository_name_taken" | "idempotency_in_progress" | "idempotency_secret" | "upload_offset_mismatch" | "job_not_parked" | "cursor_expired" | "version_mismatch" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "upload_locked" | "precondition_required" | "deletion_limit_reached" | "project_quota_reached" | "rate_limited" | "header_too_large" | "internal_error" | "unavailable" | "outcome_unknown" | "storage_full"

export type Registration = {
  username: string
  real_name: string
  email: string
  password: string
}

export type RendererDefinition = {
  /** `table`, or a chart. */
  type: string
  label?: string
  columns?: string[]
  page_size?: number
  sort?: ({
    field: string
    direction: "asc" | "desc"
  })[]
} & Record<string, unknown>

export type Replay = {
  /** A place in the feed. */
  after: string
  /** The last that is meant; absent: all until now. */
  until?: string
}

export type Replayed = {
  /** How many are delivered again. */
  events: number
}

export type ReportDefinition = {
  label: string
  description?: string
  /** It belongs to the tracker, as all of a definition do; else to who made it. */
  public?: boolean
  /** One public report at most. */
  default?: boolean
  /** Instead of criteria. */
  expert_query?: string | null
  criteria?: CriterionDefinition[]
  renderers?: RendererDefinition[]
}

export type Repository = {
  id: number
  project: ProjectMinimal
  uri: string
  name: string
  svn_url: string
  settings?: RepositorySettings
  warnings?: ({
    /** Of the access file. */
    line: number
    /** A group that does not exist: its line is commented out. */
    group: string
  })[]
}

export type RepositorySettings = {
  commit_rules: CommitRules
  immutable_tags: ImmutableTags
  /** Without the block that the server makes itself. */
  access_file: string
  email_notifications: CommitNotification[]
  has_default_permissions: boolean
}

export type RepositorySettingsToWrite = {
  commit_rules: CommitRules
  immutable_tags: ImmutableTags
  /** Without the block that the server makes itself. */
  access_file: string
  email_notifications: NotificationToWrite[]
  /** Absent, it becomes true. */
  has_default_permissions?: boolean
  /** Refused: only a new repository has a layout. */
  layout?: unknown
}

export type Rule = "required" | "type" | "format" | "minimum" | "maximum" | "min_length" | "max_length" | "pattern" | "one_of" | "unique" | "exists" | "unknown_member"

export type RulesDefinition = {
  dates?: ({
    source: string
    comparator: "<" | "≤" | "=" | "≥" | ">" | "≠"
    target: string
  })[]
  lists?: ({
    source: string
    target: string
    allow: Record<string, string[]>
  })[]
}

export type SearchedField = {
  name: string
  field_id: number
  type: string
}

/** By the name of each column; what stands in a cell follows from the type of the column. */
export type SelectedCells = Record<string, unknown>

export type SelectedColumn = {
  name: string
  type: "artifact" | "text" | "numeric" | "date" | "list_static" | "list_user" | "list_user_group" | "user" | "project" | "tracker" | "pretty_title" | "link_type" | "unknown"
}

export type SemanticsDefinition = {
  title?: string | null
  description?: string | null
  status?: {
    field: string
    open: string[]
  } | null
  contributor?: string | null
  timeframe?: {
    start: string
    duration: string
  } | {
    start: string
    end: string
  } | {
    implied_from: string
  } | null
  progress?: {
    total: string
    remaining: string
  } | {
    link_type: string
  } | null
  initial_effort?: string | null
  /** Closed values of the status. */
  done?: string[] | null
  tooltip?: string[]
}

export type SemanticsOfTracker = {
  title?: {
    field_id: number
  }
  description?: {
    field_id: number
  }
  status?: {
    field_id: number
    value_ids: number[]
  }
  contributor?: {
    field_id: number
  }
  timeframe?: {
    start_date_field_id?: number
    duration_field_id?: number
    end_date_field_id?: number
    implied_from_tracker?: {
      id: number
      uri: string
    }
  }
  progress?: {
    total_effort_field_id?: number
    remaining_effort_field_id?: number
    artifact_link_type?: string
  }
  initial_effort?: {
    field_id: number
  }
  done?: {
    value_ids: number[]
  }
}

export type Session = {
  id: string
  /** It is the one that asks. */
  is_current: boolean
  created_on: string
  last_used_on: string
  /** It ends earlier when it is not used. */
  expires_on: string
  address: string | null
  agent: string | null
}

export type SessionSignIn = {
  /** The login, or the address. */
  username: string
  password: string
}

export type SessionWithUser = {
  id: string
  /** It is the one that asks. */
  is_current: boolean
  created_on: string
  last_used_on: string
  /** It ends earlier when it is not used. */
  expires_on: string
  address: string | null
  agent: string | null
  user: User
}

export type Settings = {
  platform_name: string
  contact_email: string
  anonymous_access: boolean
  restricted_users: boolean
  registration: "closed" | "approval" | "open"
  project_creation: "everyone" | "approval" | "site_admins"
  artifact_deletion_limit: number
  trash_retention_days: number
  archive_deleted_artifacts: boolean
  archive_retention_days: number
  time_zone: string
  language: string
  key_prefix: string
  access_key_max_days: number | null
  session_idle_minutes: number
  session_max_days: number
  password_min_length: number
  body_limit: number
  upload_limit: number
  upload_quota: number
  project_disk_quota: number | null
  svn_file_limit_mb: number
  svn_empty_messages: boolean
  query_terms: number
  query_trackers: number
  query_columns: number
  webhook_private_targets: string[]
  mail_from: string
  mail_footer: string
  event_retention_days: number
  audit_retention_days: number
  delivery_retention_days: number
  /** The address of this platform; the environment fixes it. */
  public_url: string
  /** What the environment fixes. */
  fixed: string[]
}

export type SettingsChanges = {
  platform_name?: string
  contact_email?: string
  anonymous_access?: boolean
  restricted_users?: boolean
  registration?: "closed" | "approval" | "open"
  project_creation?: "everyone" | "approval" | "site_admins"
  artifact_deletion_limit?: number
  trash_retention_days?: number
  archive_deleted_artifacts?: boolean
  archive_retention_days?: number
  time_zone?: string
  language?: string
  key_prefix?: string
  access_key_max_days?: number | null
  session_idle_minutes?: number
  session_max_days?: number
  password_min_length?: number
  body_limit?: number
  upload_limit?: number
  upload_quota?: number
  project_disk_quota?: number | null
  svn_file_limit_mb?: number
  svn_empty_messages?: boolean
  query_terms?: number
  query_trackers?: number
  query_columns?: number
  webhook_private_targets?: string[]
  mail_from?: string
  mail_footer?: string
  event_retention_days?: number
  audit_retention_days?: number
  delivery_retention_days?: number
  public_url?: unknown
}

export type SignIn = {
  username: string
  password: string
}

export type StaticListDefinition = {
  type: "static"
  alphabetical?: boolean
  values?: ListValueDefinition[]
  default?: string[]
}

export type SvnBlamedLine = {
  line: number
  /** Null: it is from where the viewer may not read. */
  revision: number | null
  author: string | null
  date: string | null
  text: string
}

export type SvnDiff = {
  from: number
  to: number
  /** Files, and directories whose properties have changed. */
  files: ({
    path: string
    op: "added" | "modified" | "deleted" | "replaced"
    copied_from: {
      path: string
      revision: number
    } | null
    is_binary: boolean
    hunks: SvnHunk[]
    props: ({
      name: string
      op: "added" | "modified" | "deleted" | "replaced"
      lines: string[]
    })[]
    truncated: boolean
  })[]
  /** There is more than 5 MiB, or than 2,000 files. */
  truncated: boolean
}

export type SvnFile = {
  path: string
  rev: number
  size: number
  /** What its property says, else a guess. */
  mime_type: string
  is_binary: boolean
  /** `LF`, `CRLF`, `CR` or `mixed`: how its lines end. */
  eol: string | null
  /** Properties by their names. */
  props: Record<string, string>
  /** The first MiB at most. */
  content: string
  encoding: "utf-8" | "base64"
  truncated: boolean
}

export type SvnHunk = {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  lines: string[]
}

export type SvnRevision = {
  revision: number
  author: {
    id: number
    username: string
  } | null
  /** What the revision says. */
  author_name: string | null
  date: string | null
  /** Null where some of the paths may not be read. */
  message: string | null
  references: ({
    ref: string
    url: string
  })[] | null
  /** The first 1,000 of those that may be read. */
  paths: ({
    path: string
    op: "added" | "modified" | "deleted" | "replaced"
    copied_from: {
      path: string
      revision: number
    } | null
  })[] | null
  paths_hidden: boolean | null
  paths_truncated: boolean | null
}

export type SvnTreeEntry = {
  name: string
  path: string
  kind: "dir" | "file"
  /** In bytes; null for a directory. */
  size: number | null
  last_revision: number
  last_author: string | null
  last_date: string | null
  /** Properties by their names. */
  props: Record<string, string>
}

export type Token = {
  user_id: string
  token: string
  uri: string
}

export type Tracker = {
  id: number
  uri: string
  html_url: string
  project: ProjectReference
  label: string
  description: string
  item_name: string
  /** Those in use that the caller may read. */
  fields: TrackerField[]
  /** The form: the ids of all elements in use. */
  structure: ({
    id: number
    /** More of the same, for containers. */
    content: unknown[] | null
  })[]
  semantics: SemanticsOfTracker
  /** Null where the caller may not read its field. */
  workflow: WorkflowOfTracker | null
  /** For administrators of the tracker. */
  permissions_for_groups: {
    can_access: UserGroupOfTracker[]
    can_access_submitted_by_user: UserGroupOfTracker[]
    can_access_assigned_to_group: UserGroupOfTracker[]
    can_access_submitted_by_group: UserGroupOfTracker[]
    can_admin: UserGroupOfTracker[]
  } | null
  parent: TrackerReference | null
  resources: ({
    type: string
    uri: string
  })[]
  color_name: string
  notifications: {
    enabled: boolean
  }
  /** Only with `max_bytes`: what was cut, and how long it really is. */
  truncated?: ({
    path: string
    bytes: number
  })[]
}

/** A whole tracker, without ids. */
export type TrackerDefinition = {
  format?: "waypost-tracker/1"
  label?: string
  /** Letters, digits and `_`. */
  item_name?: string
  description?: string
  color_name?: string
  settings?: TrackerSettings
  hierarchy?: {
    parent?: string | null
  }
  permissions?: {
    full?: string[]
    submitted_by_user?: string[]
    submitted_by_group?: string[]
    assigned_to_group?: string[]
    admin?: string[]
  }
  elements?: TrackerElement[]
  unused_elements?: TrackerElement[]
  semantics?: SemanticsDefinition
  workflow?: WorkflowDefinition | null
  rules?: RulesDefinition
  triggers?: TriggerDefinition[]
  reports?: ReportDefinition[]
  canned_responses?: ({
    title: string
    body: string
  })[]
  webhooks?: ({
    url: string
    events?: string[]
    format?: "form" | "json"
  })[]
}

export type TrackerElement = {
  /** Unique in the tracker. */
  name?: string
  type?: string
  label?: string
  description?: string
  required?: boolean
  notifications?: boolean
  /** The settings of its type. */
  properties?: Record<string, unknown>
  /** What a new artifact begins with. Of lists, in `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the field that this one mirrors. */
  shared_from?: string | null
  /** The name that it has had so far. */
  renamed_from?: string
  content?: TrackerElement2[] | null
}

export type TrackerElement2 = {
  /** Unique in the tracker. */
  name?: string
  type?: string
  label?: string
  description?: string
  required?: boolean
  notifications?: boolean
  /** The settings of its type. */
  properties?: Record<string, unknown>
  /** What a new artifact begins with. Of lists, in `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the field that this one mirrors. */
  shared_from?: string | null
  /** The name that it has had so far. */
  renamed_from?: string
  content?: TrackerElement3[] | null
}

export type TrackerElement3 = {
  /** Unique in the tracker. */
  name?: string
  type?: string
  label?: string
  description?: string
  required?: boolean
  notifications?: boolean
  /** The settings of its type. */
  properties?: Record<string, unknown>
  /** What a new artifact begins with. Of lists, in `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the field that this one mirrors. */
  shared_from?: string | null
  /** The name that it has had so far. */
  renamed_from?: string
  content?: TrackerElement4[] | null
}

export type TrackerElement4 = {
  /** Unique in the tracker. */
  name?: string
  type?: string
  label?: string
  description?: string
  required?: boolean
  notifications?: boolean
  /** The settings of its type. */
  properties?: Record<string, unknown>
  /** What a new artifact begins with. Of lists, in `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the field that this one mirrors. */
  shared_from?: string | null
  /** The name that it has had so far. */
  renamed_from?: string
  content?: (Record<string, unknown>)[] | null
}

export type TrackerField = {
  field_id: number
  label: string
  name: string
  type: string
  /** What can be chosen: a list, or an object; null where there is nothing. */
  values: unknown
  required: boolean
  collapsed: boolean
  bindings: {
    type: string | null
    list: unknown[]
  }
  /** What the caller may do. */
  permissions: ("read" | "update" | "create")[]
  /** For administrators of the tracker. */
  permissions_for_groups: {
    can_submit: UserGroupOfTracker[]
    can_read: UserGroupOfTracker[]
    can_update: UserGroupOfTracker[]
  } | null
  default_value: unknown
  has_notifications: boolean
  is_used: boolean
  description: string
  specific_properties: Record<string, unknown>
  label_decorators: unknown[]
  /** Of dates. */
  is_time_displayed?: boolean
  /** Of files, like `max_size_upload`. */
  file_creation_uri?: string
  max_size_upload?: number
  /** Of open lists. */
  hint?: string
  /** Of links. */
  allowed_types?: ({
    shortname: string
    forward_label: string
    reverse_label: string
  })[]
  /** Of fieldsets, in the state that an artifact is in. */
  is_hidden?: boolean
}

export type TrackerMinimal = {
  id: number
  uri: string
  label: string
  color_name: string
  project: ProjectReference
  /** Why no artifact can be made from a title alone; null where nobody asked. */
  cannot_create_reasons: string[] | null
}

export type TrackerOfArtifact = {
  id: number
  uri: string
  label: string
  color_name: string
  project: ProjectReference
  /** Why no artifact can be made from a title alone; null where nobody asked. */
  cannot_create_reasons: string[] | null
  /** Fields that nobody may change in its state. With `tracker_structure_format=state`. */
  frozen_fields?: number[]
  /** Fieldsets that forms leave out in its state. With `tracker_structure_format=state`. */
  hidden_fieldsets?: number[]
}

export type TrackerPlan = {
  changes: ({
    op: "add" | "change" | "hide" | "unuse" | "delete"
    /** A JSON Pointer into the document; of what goes, into the stored one. */
    path: string
    from: unknown
    to: unknown
    impact: {
      /** Those that have a value there. */
      artifacts: number
      /** Those of the tracker that name the field. */
      reports: number
    }
  })[]
  /** Why the document would be refused; none: it would not. */
  errors: unknown[]
  warnings: ({
    path: string
    message: string
  })[]
}

export type TrackerReference = {
  id: number
  uri: string
  label: string
  color: string
  project: ProjectReference
}

export type TrackerReport = {
  id: number
  uri: string
  label: string
  is_public: boolean
  is_default: boolean
  resources: ({
    type: string
    uri: string
  })[]
}

export type TrackerReportFull = {
  id: number
  uri: string
  label: string
  is_public: boolean
  is_default: boolean
  resources: ({
    type: string
    uri: string
  })[]
  /** With `representation=full`. */
  renderers?: ({
    id: number
    type: string
    label: string
  })[]
  /** With `representation=full`, for those who may change the report; null for others. */
  definition?: ReportDefinition | null
}

export type TrackerSettings = {
  submit_instructions?: string
  browse_instructions?: string
  allow_copy?: boolean
  instantiate_for_new_projects?: boolean
  log_priority_changes?: boolean
  notifications_level?: "all" | "none" | "status_change"
  email_gateway?: boolean
  private_comments?: boolean
  in_new_dropdown?: boolean
  allow_move?: boolean
  allow_deletion?: boolean
  require_precondition?: boolean
}

export type Transition = {
  id: number
  /** Null: a new artifact. */
  from_id: number | null
  to_id: number
  authorized_user_group_ids: string[]
  not_empty_field_ids: number[]
  is_comment_required: boolean
}

export type TransitionAction = {
  id: number
  type: "set_field_value" | "run_job" | "frozen_fields" | "hidden_fieldsets"
  field_type?: "date" | "int" | "float"
  field_id?: number
  /** A number; for a date `current`, empty to clear, or null. */
  value?: unknown
  job_url?: string
  field_ids?: number[]
  fieldset_ids?: number[]
}

/** Values of the status. */
export type TransitionOfEvent = {
  from: number | null
  to: number | null
}

export type TrashEntry = {
  type: "artifact" | "tracker" | "project" | "repository"
  id: number
  uri: string
  /** Of an artifact, its title. */
  label: string
  project: {
    id: number
    label: string
  }
  deleted_by: {
    id: number
    username: string
  } | null
  deleted_on: string | null
  /** Null: it is kept. */
  purge_on: string | null
  /** Null: nobody can bring it back. */
  restore_uri: string | null
}

export type TriggerDefinition = {
  target: {
    field: string
    value: string
  }
  condition: "at_least_one" | "all_of"
  when: ({
    tracker: string
    field: string
    value: string
  })[]
}

export type Unsubscription = {
  /** Its address below `/api`; null: all mails about changes. */
  object: string | null
}

export type User = {
  /** Null for an anonymous person, like the other members that name one. */
  id: number | null
  uri: string | null
  user_url: string | null
  real_name: string | null
  display_name: string
  username: string | null
  ldap_id: string | null
  avatar_url: string
  is_anonymous: boolean
  has_avatar: boolean
  /** Absent for anonymous callers, null for restricted ones. */
  email?: string | null
  /** `A` active, `R` restricted, `S` suspended, `D` deleted, `P` pending, `V` and `W` validated. */
  status?: "A" | "R" | "S" | "D" | "P" | "V" | "W" | null
  /** For oneself and site administrators, like all that follow. */
  time_zone?: string | null
  language?: string | null
  /** The format of texts that are sent without one. */
  text_format?: "text" | "html" | "commonmark"
  /** In force as soon as it is verified. */
  pending_email?: string | null
  is_site_admin?: boolean
}

export type UserChanges = {
  /** `A` active, `R` restricted, `S` suspended, `D` deleted, `P` pending, `V` and `W` validated. */
  status?: "A" | "R" | "S" | "D" | "P" | "V" | "W"
  username?: string
  email?: string
  real_name?: string
  /** A zone of the IANA list. */
  time_zone?: string | null
  /** The tag of an installed language. */
  language?: string | null
  /** The format of texts that are sent without one. */
  text_format?: "text" | "html" | "commonmark"
  is_site_admin?: boolean
  /** End all sessions and tokens, and mail a link to set a new password. */
  password_reset?: boolean
}

export type UserGroup = {
  id: string
  uri: string
  /** In the language of the caller. The names never change with it. */
  label: string
  users_uri: string
  short_name: string
  key: string
  additional_information: Record<string, unknown>
  project: ProjectMinimal | null
}

export type UserGroupMinimal = {
  id: string
  uri: string
  /** In the language of the caller. The names never change with it. */
  label: string
  users_uri: string
  short_name: string
  key: string
}

export type UserGroupOfProject = {
  id: string
  uri: string
  /** In the language of the caller. The names never change with it. */
  label: string
  users_uri: string
  short_name: string
  key: string
  additional_information: Record<string, unknown>
}

export type UserGroupOfTracker = {
  id: string
  uri: string
  label: string
  users_uri: string
  short_name: string
  key: string
}

export type UserListDefinition = {
  type: "users"
  sources?: string[]
  default?: string[]
}

export type UserMinimal = {
  /** Null for an anonymous person, like the other members that name one. */
  id: number | null
  uri: string | null
  user_url: string | null
  real_name: string | null
  display_name: string
  username: string | null
  ldap_id: string | null
  avatar_url: string
  is_anonymous: boolean
  has_avatar: boolean
}

/** Further members follow from the type. */
export type Value = {
  field_id: number
  type: string
  label: string
} & Record<string, unknown>

export type ValueItem = {
  field_id: number
  value?: unknown
  bind_value_ids?: unknown
  links?: unknown
  all_links?: unknown
  parent?: unknown
  is_autocomputed?: unknown
  manual_value?: unknown
  add?: unknown
  remove?: unknown
} & Record<string, unknown>

export type Version = {
  flavor_name: string
  version_number: string
}

export type Watch = {
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  level: "all" | "status" | "mentions" | "none"
  /** The address of what this level was chosen for, or of the settings; null: it was chosen for this. */
  inherited_from: string | null
}

export type WatchedObject = {
  /** Its address below `/api`. */
  object: string
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  level: "all" | "status" | "mentions" | "none"
}

export type Webhook = {
  id: number
  uri: string
  url: string
  events: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format: "form" | "json"
  /** `original`: the form that receivers know, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload: "original" | "event"
  /** Whose rights cut what is sent. Null, for hooks of trackers: all values. */
  as_user: number | null
  /** Each delivery waits for the one before. */
  ordered: boolean
  active: boolean
  /** `paused`: nothing was delivered for 3 days. `off`: switched off, by people or by the receiver (410). */
  state: "ok" | "failing" | "paused" | "off"
  last_status: number | null
  /** Its place in the feed: what is behind it is still to be planned. */
  place: string
  created_by: PersonOfWebhook | null
  created_on: string
}

export type WebhookChange = {
  /** http or https, reachable from outside. */
  url?: string
  /** Types of events; `artifact.*` is all that begin so. */
  events?: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format?: "form" | "json"
  /** `original`: the form that receivers know, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload?: "original" | "event"
  /** Whose rights cut what is sent. Null, for hooks of trackers: all values. */
  as_user?: number | null
  /** Each delivery waits for the one before. */
  ordered?: boolean
  /** True also ends a pause: it goes on at `place`. */
  active?: boolean
}

export type WebhookSecret = {
  secret: string
}

export type WebhookWithSecret = {
  id: number
  uri: string
  url: string
  events: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format: "form" | "json"
  /** `original`: the form that receivers know, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload: "original" | "event"
  /** Whose rights cut what is sent. Null, for hooks of trackers: all values. */
  as_user: number | null
  /** Each delivery waits for the one before. */
  ordered: boolean
  active: boolean
  /** `paused`: nothing was delivered for 3 days. `off`: switched off, by people or by the receiver (410). */
  state: "ok" | "failing" | "paused" | "off"
  last_status: number | null
  /** Its place in the feed: what is behind it is still to be planned. */
  place: string
  created_by: PersonOfWebhook | null
  created_on: string
  /** Shown once, here. */
  secret: string
}

export type WholeDelivery = {
  id: number
  uri: string
  /** The place of the event, the same on every repetition. */
  event_id: string
  event: string
  state: "waiting" | "delivered" | "retrying" | "failed" | "parked"
  attempts: number
  /** Of the last answer. */
  status: number | null
  duration_ms: number | null
  /** Why there was no answer, or none that counts. */
  error: string | null
  on: string
  request: DeliveryRequest | null
  answer: DeliveryAnswer | null
}

export type WorkflowDefinition = {
  field: string
  used?: boolean
  mode?: "simple" | "advanced"
  states?: ({
    to: string
    from: string[]
    conditions?: ConditionsDefinition | null
    actions?: ({
      type: "set_field_value"
      field: string
      value: number | string | null
    } | {
      type: "run_job"
      job_url: string
    } | {
      type: "frozen_fields"
      fields: string[]
    } | {
      type: "hidden_fieldsets"
      fieldsets: string[]
    })[]
  })[]
  transitions?: ({
    from: string
    to: string
    conditions?: ConditionsDefinition | null
    actions?: ({
      type: "set_field_value"
      field: string
      value: number | string | null
    } | {
      type: "run_job"
      job_url: string
    } | {
      type: "frozen_fields"
      fields: string[]
    } | {
      type: "hidden_fieldsets"
      fieldsets: string[]
    })[]
  })[]
}

export type WorkflowOfTracker = {
  /** 0: there is no workflow. */
  field_id: number
  is_used: "1" | "0" | ""
  is_legacy: boolean
  is_advanced: boolean
  rules: {
    dates: ({
      source_field_id: number
      target_field_id: number
      comparator: string
    })[]
    lists: ({
      source_field_id: number
      source_value_id: number
      target_field_id: number
      target_value_id: number
    })[]
  }
  transitions: ({
    id: number
    /** Null: a new artifact. */
    from_id: number | null
    to_id: number
  })[]
}

/** What goes in and comes out, by method and address. */
export interface Operations {
  /** Search users by login or real name. */
  'GET /users': {
    query: {
      /** Words, separated by commas; or `{"username":"…"}`, or `{"email":"…"}`. */
      query: string
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: User[]
  }
  /** Make an account. */
  'POST /users': {
    body: NewUser
    answer: User
  }
  /** Show a user. */
  'GET /users/{id}': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    answer: User
  }
  /** Change a user. */
  'PATCH /users/{id}': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    body: {
      values: UserChanges
    } | UserChanges
    answer: boolean
  }
  /** Erase a person, and keep their work. */
  'DELETE /users/{id}': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    body: {
      /** The login of who is to be erased. */
      confirm: string
    }
    answer: undefined
  }
  /** Read a preference of your own. */
  'GET /users/{id}/preferences': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    query: {
      /** The name of the preference. */
      key: string
    }
    answer: Preference
  }
  /** Set a preference of your own. */
  'PATCH /users/{id}/preferences': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    body: {
      /** The name of the preference. */
      key: string
      value: string
    }
    answer: undefined
  }
  /** Forget a preference of your own. */
  'DELETE /users/{id}/preferences': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    query: {
      /** The name of the preference. */
      key: string
    }
    answer: undefined
  }
  /** Ask for a file with all that is kept about you; a mail says when it is ready. */
  'POST /users/self/export': {
    answer: undefined
  }
  /** Show how it stands with the file that you asked for. */
  'GET /users/self/export': {
    answer: PersonalExport
  }
  /** Download the file that you asked for: it is there for 7 days. */
  'GET /users/self/export/content': {
    answer: string
  }
  /** List your access keys. */
  'GET /users/{id}/access_keys': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    query?: {
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: AccessKey[]
  }
  /** Make an access key. Its secret is shown once, here. */
  'POST /access_keys': {
    body?: NewAccessKey
    answer: NewAccessKeyIdentifier
  }
  /** Show an access key of your own. */
  'GET /access_keys/{id}': {
    path: {
      /** The key; `self` is the one that this request is signed in with. */
      id: number | "self"
    }
    answer: AccessKey
  }
  /** Delete an access key of your own. It opens nothing from the very next request on. */
  'DELETE /access_keys/{id}': {
    path: {
      /** The key. */
      id: number
    }
    answer: undefined
  }
  /** Sign in for 24 hours. Access keys are the better way. */
  'POST /tokens': {
    body: SignIn
    answer: Token
  }
  /** End all of your tokens. */
  'DELETE /tokens': {
    answer: undefined
  }
  /** End one of your tokens. */
  'DELETE /tokens/{token}': {
    path: {
      /** The token. */
      token: string
    }
    answer: undefined
  }
  /** Sign in: the answer sets the cookie of the web interface. */
  'POST /session': {
    body: SessionSignIn
    answer: SessionWithUser
  }
  /** Show the session of the cookie, and who it is. */
  'GET /session': {
    answer: SessionWithUser
  }
  /** Sign out. */
  'DELETE /session': {
    answer: undefined
  }
  /** List your own live sessions, last used first. */
  'GET /users/self/sessions': {
    answer: Session[]
  }
  /** End all your sessions but the one that asks. */
  'DELETE /users/self/sessions': {
    answer: undefined
  }
  /** End one of your own sessions. */
  'DELETE /users/self/sessions/{id}': {
    path: {
      /** The session. */
      id: string
    }
    answer: undefined
  }
  /** Change your password. */
  'PUT /users/self/password': {
    body: PasswordChange
    answer: undefined
  }
  /** Ask for a link to set a new password. */
  'POST /password_resets': {
    body: PasswordResetRequest
    answer: undefined
  }
  /** See whether a link to set a password still works. */
  'GET /password_resets/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    answer: PasswordReset
  }
  /** Set a new password by a mailed link. It does not sign in. */
  'PUT /password_resets/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    body: NewPassword
    answer: undefined
  }
  /** Mail the link that confirms your new address again. */
  'POST /email_verifications': {
    answer: undefined
  }
  /** Confirm an address by a mailed link. */
  'PUT /email_verifications/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    answer: undefined
  }
  /** Invite people by their addresses, to the platform or to a project. */
  'POST /invitations': {
    body: NewInvitations
    answer: InvitationOutcome
  }
  /** Show what a mailed invitation is for. */
  'GET /invitations/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    answer: Invitation
  }
  /** Make your account by a mailed invitation, and sign in. */
  'PUT /invitations/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    body: InvitedAccount
    answer: SessionWithUser
  }
  /** Ask for an account of your own; the mail says how it goes on. */
  'POST /registrations': {
    body: Registration
    answer: undefined
  }
  /** List the projects that the caller may enter. */
  'GET /projects': {
    query?: {
      /** A JSON object with one of `shortname`, `is_tracker_admin`, `with_status`, `is_member_of`, `is_admin_of`. */
      query?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Project[]
  }
  /** Create a project from a template. */
  'POST /projects': {
    body: {
      /** 3 to 30 letters, digits and dashes; it begins with a letter or digit. */
      shortname: string
      /** 3 to 40 characters. */
      label: string
      is_public: boolean
      allow_restricted?: boolean | null
      description?: string
      template_id?: number
      xml_template_name?: string
      from_archive?: {
        file_name: string
        file_size: number
      }
    }
    answer: Project
  }
  /** Show a project. */
  'GET /projects/{id}': {
    path: {
      /** The project. */
      id: number
    }
    answer: Project
  }
  /** Suspend a project, or make it active: also one that waits for approval. */
  'PATCH /projects/{id}': {
    path: {
      /** The project. */
      id: number
    }
    body: {
      status: "active" | "suspended"
    }
    answer: undefined
  }
  /** List the user groups of a project. */
  'GET /projects/{id}/user_groups': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** `{"with_system_user_groups":true}` */
      query?: string
    }
    answer: UserGroupOfProject[]
  }
  /** List the labels of a project. */
  'GET /projects/{id}/labels': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** A part of the label. */
      query?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      labels: ({
        id: number
        label: string
        is_outline: boolean
        color: string
      })[]
    }
  }
  /** Show the latest activity of a project. */
  'GET /projects/{id}/heartbeats': {
    path: {
      /** The project. */
      id: number
    }
    answer: {
      entries: ({
        updated_at: string
        /** Safe HTML. */
        html_message: string
        icon: string
        small_icon: string
        icon_name: string
        user: UserMinimal | null
      })[]
      are_there_activities_user_cannot_see: boolean
    }
  }
  /** Show the banner of a project. */
  'GET /projects/{id}/banner': {
    path: {
      /** The project. */
      id: number
    }
    answer: {
      /** Plain text, not empty. */
      message: string
    }
  }
  /** Set the banner of a project. */
  'PUT /projects/{id}/banner': {
    path: {
      /** The project. */
      id: number
    }
    body: {
      /** Plain text, not empty. */
      message: string
    }
    answer: undefined
  }
  /** Take the banner off a project. */
  'DELETE /projects/{id}/banner': {
    path: {
      /** The project. */
      id: number
    }
    answer: undefined
  }
  /** List the services of a project. */
  'GET /projects/{id}/project_services': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: ProjectService[]
  }
  /** Switch a service of a project on or off. */
  'PUT /project_services/{id}': {
    path: {
      /** The service. */
      id: number
    }
    body: {
      is_enabled: boolean
    }
    answer: undefined
  }
  /** Find the references in a text. */
  'POST /projects/{id}/extract_references': {
    path: {
      /** The project in which the text is written. */
      id: number
    }
    body: {
      text: string
    }
    answer: ({
      text: string
      link: string
      /** The word before it that says what is done, as in `closes art #7`. */
      context: string
    })[]
  }
  /** Find artifacts, projects and repositories by keywords. */
  'POST /search': {
    query?: {
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    body: {
      /** Words that must all occur, `"a phrase"`; the last word counts as a beginning too. */
      keywords: string
      types?: ("artifact" | "project" | "repository")[]
      /** Only what is in this project. */
      project?: number
      /** Only artifacts of this tracker. */
      tracker?: number
      /** Only artifacts that are open, or that are not. */
      is_open?: boolean
    }
    answer: Found[]
  }
  /** Always empty: there is no git here. */
  'GET /projects/{id}/git': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      repositories: unknown[]
    }
  }
  /** Always empty: there is no milestones here. */
  'GET /projects/{id}/milestones': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** Always empty: there is no plannings here. */
  'GET /projects/{id}/plannings': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** Always empty: there is no backlog here. */
  'GET /projects/{id}/backlog': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** List what was administered in a project, the latest first. */
  'GET /projects/{id}/audit': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: ProjectAuditEntry[]
  }
  /** Create a user group in a project. */
  'POST /user_groups': {
    body: {
      project_id: number
      /** Letters, digits, `_` and `-`. */
      short_name: string
      description?: string
    }
    answer: UserGroup
  }
  /** Show a user group. */
  'GET /user_groups/{id}': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    answer: UserGroup
  }
  /** List the users in a group. */
  'GET /user_groups/{id}/users': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    query?: {
      /** `{"identifier":"<login>"}`: that user, if in the group. */
      query?: string
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: User[]
  }
  /** Replace the users in a group. */
  'PUT /user_groups/{id}/users': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    body: {
      /** Each has one of `id`, `username`, `email`, `ldap_id`, and all have the same one. */
      user_references: ({
        id?: number
        username?: string
        email?: string
        ldap_id?: string
      })[]
    } | ({
      id?: number
      username?: string
      email?: string
      ldap_id?: string
    })[]
    answer: undefined
  }
  /** List the groups that a user is in. */
  'GET /users/{id}/membership': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    query?: {
      scope?: "project"
      /** With `scope=project` only. */
      format?: "id" | "full"
    }
    answer: (string | UserGroup)[]
  }
  /** List the trackers of a project that the caller may see. */
  'GET /projects/{id}/trackers': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** `full` unless told otherwise. */
      representation?: "full" | "minimal"
      /** `{"is_tracker_admin":true}`: only those that the caller administers. */
      query?: string
      /** With `minimal`: why no artifact can be made from this semantic alone. */
      with_creation_semantic_check?: ("title")[]
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: (Tracker | TrackerMinimal)[]
  }
  /** Create a tracker from a definition, or as a copy of another one. */
  'POST /projects/{id}/trackers': {
    path: {
      /** The project. */
      id: number
    }
    body: {
      format?: "waypost-tracker/1"
      label?: string
      /** Letters, digits and `_`. */
      item_name?: string
      description?: string
      color_name?: string
      settings?: TrackerSettings
      hierarchy?: {
        parent?: string | null
      }
      permissions?: {
        full?: string[]
        submitted_by_user?: string[]
        submitted_by_group?: string[]
        assigned_to_group?: string[]
        admin?: string[]
      }
      elements?: TrackerElement[]
      unused_elements?: TrackerElement[]
      semantics?: SemanticsDefinition
      workflow?: WorkflowDefinition | null
      rules?: RulesDefinition
      triggers?: TriggerDefinition[]
      reports?: ReportDefinition[]
      canned_responses?: ({
        title: string
        body: string
      })[]
      webhooks?: ({
        url: string
        events?: string[]
        format?: "form" | "json"
      })[]
      /** The tracker to copy. Beside it stand `label` and `item_name` only. */
      copy_from?: {
        id: number
      }
    }
    answer: Tracker
  }
  /** Show a tracker with its structure. */
  'GET /trackers/{id}': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
    }
    answer: Tracker
  }
  /** Make, switch or remove the workflow of a tracker. */
  'PATCH /trackers/{id}': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** `{"workflow":{…}}`; it may be the body as well. */
      query?: string
    }
    body?: {
      workflow?: {
        /** Removes the workflow. */
        delete_transitions_rules?: true
        set_transitions_rules?: {
          /** Makes a workflow on this field. */
          field_id?: number
          /** Switches it on or off. */
          is_used?: boolean
        }
        is_legacy?: false
        /** Whether each transition has its own conditions and actions, or each value. */
        is_advanced?: boolean
      }
    }
    answer: Tracker
  }
  /** Put a tracker and its artifacts into the trash. */
  'DELETE /trackers/{id}': {
    path: {
      /** The tracker. */
      id: number
    }
    answer: undefined
  }
  /** List the types of the links that start in a tracker. */
  'GET /trackers/{id}/used_artifact_links': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: ({
      /** Empty: links without a type. */
      shortname: string
      forward_label: string
    })[]
  }
  /** List the open artifacts that could be parents of those in a tracker. */
  'GET /trackers/{id}/parent_artifacts': {
    path: {
      /** The tracker of the children. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 100. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: ({
      id: number
      title: string | null
      xref: string
      uri: string
      html_url: string
      tracker: TrackerMinimal
      full_status: {
        value: string
        color: string | null
      } | null
    })[]
  }
  /** Rename, describe, use or move an element of a tracker, or add values to it. */
  'PATCH /tracker_fields/{id}': {
    path: {
      /** The element. */
      id: number
    }
    body: {
      label?: string
      /** Small letters, digits, `_` and `-`. */
      name?: string
      description?: string
      use_it?: boolean
      /** Appended to the values of a select box or of radio buttons. */
      new_values?: string[]
      move?: {
        /** Null: the root. */
        parent_id?: number | null
        /** Null: the last. */
        next_sibling_id?: number | null
      }
    }
    answer: TrackerField
  }
  /** Remove an element that nothing needs. What artifacts have stored stays in their history. */
  'DELETE /tracker_fields/{id}': {
    path: {
      /** The element. */
      id: number
    }
    answer: undefined
  }
  /** Announce a file for a field, to upload it in as many parts as it takes (tus 1.0.0) at `upload_href`. */
  'POST /tracker_fields/{id}/files': {
    path: {
      /** The field. */
      id: number
    }
    body: {
      name: string
      /** In bytes; at most `max_size_upload` of the field. */
      file_size: number
      /** The media type; only ever shown. */
      file_type?: string
      description?: string
    }
    answer: {
      /** For the value of the field, once the last byte has come. */
      id: number
      /** Where it will be; for you alone until it is attached. */
      download_href: string
      /** Where to send it, within 4 hours; null: it is empty. */
      upload_href: string | null
    }
  }
  /** Add a transition to the workflow of a tracker. */
  'POST /tracker_workflow_transitions': {
    body: {
      tracker_id: number
      /** 0: a new artifact. */
      from_id: number | null
      to_id: number
    }
    answer: {
      id: number
      uri: string
    }
  }
  /** Show a transition and its conditions. */
  'GET /tracker_workflow_transitions/{id}': {
    path: {
      /** The transition. */
      id: number
    }
    answer: Transition
  }
  /** Set the conditions of a transition; in simple mode, of all that lead to the same value. */
  'PATCH /tracker_workflow_transitions/{id}': {
    path: {
      /** The transition. */
      id: number
    }
    body: {
      /** Who may: at least one group. */
      authorized_user_group_ids?: string[]
      not_empty_field_ids?: number[]
      is_comment_required?: boolean
    }
    answer: undefined
  }
  /** Remove a transition. */
  'DELETE /tracker_workflow_transitions/{id}': {
    path: {
      /** The transition. */
      id: number
    }
    answer: undefined
  }
  /** Show what a transition does. */
  'GET /tracker_workflow_transitions/{id}/actions': {
    path: {
      /** The transition. */
      id: number
    }
    answer: TransitionAction[]
  }
  /** Replace what a transition does; in simple mode, of all that lead to the same value. */
  'PUT /tracker_workflow_transitions/{id}/actions': {
    path: {
      /** The transition. */
      id: number
    }
    body: {
      post_actions: ({
        /** Absent: a new one. */
        id?: number | null
        type: "set_field_value" | "run_job" | "frozen_fields" | "hidden_fieldsets"
        field_type?: "date" | "int" | "float"
        field_id?: number
        value?: number | string | null
        job_url?: string
        field_ids?: number[]
        fieldset_ids?: number[]
      })[]
    }
    answer: undefined
  }
  /** List the reports of a tracker: public ones, then the caller's own. */
  'GET /trackers/{id}/tracker_reports': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: TrackerReport[]
  }
  /** Save a search as a report: for oneself, or for everybody who sees the tracker. */
  'POST /trackers/{id}/tracker_reports': {
    path: {
      /** The tracker. */
      id: number
    }
    body: ReportDefinition
    answer: TrackerReportFull
  }
  /** Show a report. */
  'GET /tracker_reports/{id}': {
    path: {
      /** The report. */
      id: number
    }
    query?: {
      /** What it is made of too; minimal by default. */
      representation?: "minimal" | "full"
    }
    answer: TrackerReportFull
  }
  /** Replace a report. Public ones can be made private, and the other way round; it keeps its id. */
  'PUT /tracker_reports/{id}': {
    path: {
      /** The report. */
      id: number
    }
    body: ReportDefinition
    answer: TrackerReportFull
  }
  /** Remove a report. */
  'DELETE /tracker_reports/{id}': {
    path: {
      /** The report. */
      id: number
    }
    answer: undefined
  }
  /** List the artifacts that a report finds, as far as the caller may see them. */
  'GET /tracker_reports/{id}/artifacts': {
    path: {
      /** The report. */
      id: number
    }
    query?: {
      /** With all values, or with those of the columns. */
      values?: "all" | "from_table_renderer"
      /** Which table is meant, where there are several. */
      table_renderer_id?: number
      /** Flat: by the name of each field, a scalar or labels. */
      output_format?: "nested" | "flat" | "flat_with_semicolon_string_array"
      /** Nothing is unsaved here: it says nothing. */
      with_unsaved_changes?: boolean
      /** Between cells of CSV. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV begins with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV has texts as they are, although they may look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: (Artifact | Record<string, unknown>)[]
  }
  /** List the artifacts of a tracker, or those that fit criteria or a query. */
  'GET /trackers/{id}/artifacts': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** With the values of every field; `fields` that name `values` ask for them too. */
      values?: "all"
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A text of the query language; criteria win over it. */
      expert_query?: string
      /** By id, ascending unless said otherwise; `ORDER BY` wins over it. */
      order?: "asc" | "desc"
      /** With `AS OF`: the values of that moment, and not those of today. */
      values_as_of?: boolean
      /** How it would be answered, instead of the answer. */
      explain?: boolean
      /** Between cells of CSV. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV begins with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV has texts as they are, although they may look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 100. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Artifact[] | Explanation
  }
  /** Count the artifacts of a tracker, or those that fit criteria or a query, in groups. */
  'GET /trackers/{id}/artifacts/groups': {
    path: {
      /** The tracker. */
      id: number
    }
    query: {
      /** One or two, with a comma between them: fields of lists, people and dates, `@status`, `@assigned_to`, `is_open`. A date has a bucket, as in `due:month`: `day`, `week`, `month`, `quarter` or `year`. */
      by: string
      /** Up to three number fields that are added up in each group. */
      sum?: string
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A text of the query language; criteria win over it. */
      expert_query?: string
      /** The largest groups first; of a series, those that are largest over all its steps. Else by what they are of. */
      order?: "count"
      /** With the values of lists that no artifact has. */
      empty?: boolean
      /** The same counts at the end of each of these steps, from history. */
      over?: "day" | "week" | "month"
      /** A day or an instant of the first step. */
      from?: string
      /** One of the last step; absent: now. */
      to?: string
      /** Rows of a page. Default: 200. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: GroupCounts | GroupCountSeries | Explanation
  }
  /** Create and update many artifacts, line by line. */
  'POST /trackers/{id}/artifacts/bulk': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** `false`: nobody is told by mail. Only administrators of the tracker may say so. */
      notify?: boolean
      /** Ends after the part of the first line that fails. */
      stop_on_error?: boolean
    }
    answer: string
  }
  /** Show several artifacts by their ids. */
  'GET /artifacts': {
    query: {
      /** `{"id":[12,15]}`: at most 100, each once. */
      query: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 100. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      collection: Artifact[]
    }
  }
  /** Create an artifact. */
  'POST /artifacts': {
    body: {
      tracker: {
        id: number
      }
      values?: ValueItem[]
      /** By the name of the field: `{"value": …}`, or the bare value. Lists take labels, people logins. */
      values_by_field?: Record<string, unknown>
      comment?: NewComment | null
      /** Only its title is taken, and no rule is checked. */
      from_artifact?: {
        id: number
      }
    }
    answer: CreatedArtifact
  }
  /** List the open artifacts that you submitted or that are assigned to you, the last updated first. */
  'GET /users/{id}/artifacts': {
    path: {
      /** The user; `self` or `me` is who asks. */
      id: number | "self" | "me"
    }
    query: {
      /** `{"submitted_by":true,"assigned_to":true}`: one of them, or either. */
      query: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
      /** Rows of a page. Default: 250. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: OwnArtifact[]
  }
  /** Show columns of the artifacts that a query finds in several trackers. */
  'GET /crosstracker_query/content': {
    query: {
      /** `{"tql_query":"SELECT @pretty_title FROM @project = 'self' WHERE @status = OPEN()","project_id":101}`; the project is what `self` means, and may be left out where the query names its projects. */
      query: string
      /** How it would be answered, instead of the answer. */
      explain?: boolean
      /** Between cells of CSV. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV begins with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV has texts as they are, although they may look like formulas. */
      raw?: boolean
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      selected: SelectedColumn[]
      artifacts: SelectedCells[]
    } | Explanation
  }
  /** Show an artifact, now or as it was. */
  'GET /artifacts/{id}': {
    path: {
      /** The artifact. */
      id: number
    }
    query?: {
      /** How values are answered; a list by default. */
      values_format?: "collection" | "by_field" | "all"
      /** Which types `values_by_field` lists. */
      by_field_types?: "alphanumeric" | "all"
      tracker_structure_format?: "minimal" | "complete" | "state"
      /** The number of a version, from 1. */
      version?: number
      /** An instant; a day means its end. */
      at?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
    }
    answer: Artifact
  }
  /** Change values of an artifact, comment on it, or both. */
  'PUT /artifacts/{id}': {
    path: {
      /** The artifact. */
      id: number
    }
    query?: {
      /** How values are answered; a list by default. */
      values_format?: "collection" | "by_field" | "all"
    }
    body: {
      values?: ValueItem[]
      /** By the name of the field: `{"value": …}`, or the bare value. Lists take labels, people logins. */
      values_by_field?: Record<string, unknown>
      comment?: NewComment | null
    }
    answer: Artifact
  }
  /** Move an artifact to another tracker. */
  'PATCH /artifacts/{id}': {
    path: {
      /** The artifact. */
      id: number
    }
    body: {
      move: {
        /** Where it goes. */
        tracker_id: number
        /** Only tell what would become of its fields. */
        dry_run?: boolean
        /** Without effect. */
        should_populate_feedback_on_success?: boolean
      }
    }
    answer: {
      dry_run: {
        fields: {
          fields_migrated: FieldName[]
          fields_not_migrated: FieldName[]
          fields_partially_migrated: FieldName[]
        }
      } | null
    }
  }
  /** Delete an artifact: it waits in the trash. With `purge`, remove one that is there for good. */
  'DELETE /artifacts/{id}': {
    path: {
      /** The artifact. */
      id: number
    }
    query?: {
      /** Only site administrators. */
      purge?: boolean
    }
    answer: undefined
  }
  /** List the versions of an artifact that show the caller something. */
  'GET /artifacts/{id}/changesets': {
    path: {
      /** The artifact. */
      id: number
    }
    query?: {
      /** `comments`: only versions with a comment, without values. */
      fields?: "all" | "comments"
      /** Of the whole list; the oldest first by default. */
      order?: "asc" | "desc"
      /** Adds `changes`: what differs from the version before. */
      diff?: boolean
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Changeset[]
  }
  /** Show one version of an artifact. */
  'GET /artifacts/{id}/changesets/{changeset_id}': {
    path: {
      /** The artifact. */
      id: number
      /** The `id` of the version, not its number. */
      changeset_id: number
    }
    query?: {
      /** Adds `changes`: what differs from the version before. */
      diff?: boolean
    }
    answer: Changeset
  }
  /** Say of which types the links of an artifact are, and where they are listed. */
  'GET /artifacts/{id}/links': {
    path: {
      /** The artifact. */
      id: number
    }
    answer: {
      natures: ({
        /** Empty: links without a type. */
        shortname: string
        direction: "forward" | "reverse"
        label: string
        uri: string
      })[]
    }
  }
  /** Replace the links of an artifact, in both directions. */
  'PUT /artifacts/{id}/links': {
    path: {
      /** The artifact. */
      id: number
    }
    body: {
      all_links: ({
        /** The artifact at the other end. */
        id: unknown
        /** Always there; empty: without a type. */
        type?: unknown
        /** `forward`, which need not be said, or `reverse`. */
        direction?: unknown
      } & Record<string, unknown>)[]
    }
    answer: Artifact
  }
  /** List the artifacts that an artifact links to, or that link to it. */
  'GET /artifacts/{id}/linked_artifacts': {
    path: {
      /** The artifact. */
      id: number
    }
    query: {
      /** `forward`: those that it links to. */
      direction: "forward" | "reverse"
      /** The type of the links; without it, those that have none. */
      nature?: string
      /** Flat: by the name of each field, a scalar or labels. */
      output_format?: "nested" | "flat" | "flat_with_semicolon_string_array"
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      collection: Artifact[]
    } | (Record<string, unknown>)[]
  }
  /** Bring an artifact back from the trash. */
  'POST /artifacts/{id}/restore': {
    path: {
      /** The artifact. */
      id: number
    }
    answer: Artifact
  }
  /** Copy an artifact: what you may read of it, and may submit where it goes. */
  'POST /artifacts/{id}/copy': {
    path: {
      /** The artifact. */
      id: number
    }
    body?: {
      /** Another than its own. */
      tracker?: {
        id: number
      }
      /** Instead of what is copied. */
      values?: ValueItem[]
      /** By the name of the field: `{"value": …}`, or the bare value. Lists take labels, people logins. */
      values_by_field?: Record<string, unknown>
      /** None, unless said otherwise. */
      links?: "none" | "forward"
      /** With its attachments, unless said otherwise. */
      files?: boolean
      /** With its comments, as one text. */
      comments?: boolean
    }
    answer: CopiedArtifact
  }
  /** List the deleted artifacts of a tracker, the latest first. */
  'GET /trackers/{id}/trash': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: DeletedArtifact[]
  }
  /** List what is deleted in a project and not yet purged, the latest first. */
  'GET /projects/{id}/trash': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: TrashEntry[]
  }
  /** List everything that is deleted and not yet purged, the latest first. */
  'GET /trash': {
    query?: {
      type?: "artifact" | "tracker" | "project" | "repository"
      /** Only what was deleted in this project. */
      project?: number
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: TrashEntry[]
  }
  /** List archives of deleted artifacts, newest first. */
  'GET /archives': {
    query?: {
      project?: number
      tracker?: number
      artifact?: number
      deleted_by?: number
      state?: "waiting" | "written" | "failed" | "restored" | "expired"
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Archive[]
  }
  /** Show the archive of a deleted artifact. */
  'GET /archives/{id}': {
    path: {
      /** The archive. */
      id: number
    }
    answer: Archive
  }
  /** Download the archive of a deleted artifact. The audit log tells who did. */
  'GET /archives/{id}/content': {
    path: {
      /** The archive. */
      id: number
    }
    answer: string
  }
  /** Read a chunk of an attachment, or of a file of your own that is not attached yet. */
  'GET /artifact_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    query?: {
      /** Bytes to leave out. Default: 0. */
      offset?: number
      /** Bytes of the chunk. Default: 1048576. */
      limit?: number
    }
    answer: {
      /** The bytes in base64, each chunk by itself. */
      data: string
    }
  }
  /** Upload a file, or the first chunk of one. It is yours alone until you name it in a file field. */
  'POST /artifact_temporary_files': {
    body: {
      /** Without any folder. Leading dots are removed. */
      name: string
      /** Shown to others; the file is served as what it is. */
      mimetype: string
      /** One chunk in base64: 1048576 bytes at most, decoded. */
      content: string
      description?: string
    }
    answer: {
      id: number
      /** Who uploaded it. */
      submitted_by: number
      description: string
      name: string
      /** In bytes. */
      size: number
      /** The media type as the uploader says. */
      type: string
      /** Where to download it; null until it is attached. */
      html_url: string | null
      /** A small picture of it, if it is one. */
      html_preview_url: string | null
      uri: string
    }
  }
  /** List the files that you have uploaded in chunks and that nothing has yet. */
  'GET /artifact_temporary_files': {
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: ({
      id: number
      /** Who uploaded it. */
      submitted_by: number
      description: string
      name: string
      /** In bytes. */
      size: number
      /** The media type as the uploader says. */
      type: string
      /** Where to download it; null until it is attached. */
      html_url: string | null
      /** A small picture of it, if it is one. */
      html_preview_url: string | null
      uri: string
    })[]
  }
  /** Append the next chunk. The one that came last may be sent again, after an answer that was lost. */
  'PUT /artifact_temporary_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    body: {
      /** One chunk in base64: 1048576 bytes at most, decoded. */
      content: string
      /** The number of the chunk, not of a byte: 2 follows the first. */
      offset: number
    }
    answer: {
      id: number
      /** Who uploaded it. */
      submitted_by: number
      description: string
      name: string
      /** In bytes. */
      size: number
      /** The media type as the uploader says. */
      type: string
      /** Where to download it; null until it is attached. */
      html_url: string | null
      /** A small picture of it, if it is one. */
      html_preview_url: string | null
      uri: string
    }
  }
  /** Read a chunk of a file that you have uploaded. */
  'GET /artifact_temporary_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    query?: {
      /** Bytes to leave out. Default: 0. */
      offset?: number
      /** Bytes of the chunk. Default: 1048576. */
      limit?: number
    }
    answer: {
      /** The bytes in base64, each chunk by itself. */
      data: string
    }
  }
  /** Delete a file that you have uploaded and that nothing has yet. */
  'DELETE /artifact_temporary_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    answer: undefined
  }
  /** Show what a definition would make, and why it would be refused. */
  'POST /projects/{id}/trackers/plan': {
    path: {
      /** The project. */
      id: number
    }
    body: {
      format?: "waypost-tracker/1"
      label?: string
      /** Letters, digits and `_`. */
      item_name?: string
      description?: string
      color_name?: string
      settings?: TrackerSettings
      hierarchy?: {
        parent?: string | null
      }
      permissions?: {
        full?: string[]
        submitted_by_user?: string[]
        submitted_by_group?: string[]
        assigned_to_group?: string[]
        admin?: string[]
      }
      elements?: TrackerElement[]
      unused_elements?: TrackerElement[]
      semantics?: SemanticsDefinition
      workflow?: WorkflowDefinition | null
      rules?: RulesDefinition
      triggers?: TriggerDefinition[]
      reports?: ReportDefinition[]
      canned_responses?: ({
        title: string
        body: string
      })[]
      webhooks?: ({
        url: string
        events?: string[]
        format?: "form" | "json"
      })[]
      /** The tracker to copy. Beside it stand `label` and `item_name` only. */
      copy_from?: {
        id: number
      }
    }
    answer: TrackerPlan
  }
  /** Show the whole definition of a tracker, without ids. */
  'GET /trackers/{id}/definition': {
    path: {
      /** The tracker. */
      id: number
    }
    answer: TrackerDefinition
  }
  /** Make a tracker what a definition says, or with `dry_run` show the plan of it. */
  'PUT /trackers/{id}/definition': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Remove what the definition leaves out, where nothing was ever stored in it. */
      prune?: boolean
    }
    body: TrackerDefinition
    answer: TrackerDefinition | TrackerPlan
  }
  /** Take a tracker out of the trash, with its artifacts. */
  'POST /trackers/{id}/restore': {
    path: {
      /** The tracker. */
      id: number
    }
    body?: {
      /** Another one, where its own is in use by now. */
      item_name?: string
    }
    answer: Tracker
  }
  /** List the Subversion repositories of a project. */
  'GET /projects/{id}/svn': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** A JSON object with the exact `name`. */
      query?: string
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      repositories: Repository[]
    }
  }
  /** Create a Subversion repository; as soon as this is answered, it can be checked out. */
  'POST /svn': {
    body: {
      project_id: number
      /** 3 to 255 letters, digits, `-`, `_` and `.`, beginning with a letter. */
      name: string
      settings?: NewRepositorySettings
    }
    answer: Repository
  }
  /** Show a Subversion repository. */
  'GET /svn/{id}': {
    path: {
      /** The repository. */
      id: number
    }
    answer: Repository
  }
  /** Replace the settings of a Subversion repository, all of them; in force for the next request. */
  'PUT /svn/{id}': {
    path: {
      /** The repository. */
      id: number
    }
    body: {
      settings: RepositorySettingsToWrite
    }
    answer: Repository
  }
  /** Put a Subversion repository into the trash; from now on it is gone for everybody, and its name is free. */
  'DELETE /svn/{id}': {
    path: {
      /** The repository. */
      id: number
    }
    answer: undefined
  }
  /** List every access file that a repository has had, the newest first. */
  'GET /svn/{id}/access_files': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 10. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: AccessFileVersion[]
  }
  /** Take a Subversion repository out of the trash; what takes longer than a minute goes on as a job. */
  'POST /svn/{id}/restore': {
    path: {
      /** The repository. */
      id: number
    }
    body?: {
      /** Another one, where its own is in use by now. */
      name?: string
    }
    answer: Repository | Job
  }
  /** List a directory of a repository: directories first, by name. */
  'GET /svn/{id}/tree': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Begins with `/`, which is the root and the default. */
      path?: string
      /** A revision, or `HEAD`, which is the default. */
      rev?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: SvnTreeEntry[]
  }
  /** Show a file in a repository, or send its bytes. */
  'GET /svn/{id}/file': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Begins with `/`, which is the root and the default. */
      path?: string
      /** A revision, or `HEAD`, which is the default. */
      rev?: string
      /** The bytes alone, to be kept as a file. */
      raw?: boolean
    }
    answer: SvnFile
  }
  /** List the history of a path in a repository, newest first, across copies. */
  'GET /svn/{id}/log': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Begins with `/`, which is the root and the default. */
      path?: string
      /** The newest revision, in which there is such a path; `HEAD` is the default. */
      rev?: string
      /** The oldest revision. */
      until?: string
      /** End where it was copied from elsewhere. */
      stop_on_copy?: boolean
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: SvnRevision[]
  }
  /** List the revisions of a repository, newest first. */
  'GET /svn/{id}/revisions': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** The login of the committer. */
      author?: string
      /** Stands in the message, in any letter case. */
      text?: string
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: SvnRevision[]
  }
  /** Show a revision of a repository. */
  'GET /svn/{id}/revisions/{rev}': {
    path: {
      /** The repository. */
      id: number
      /** The revision. */
      rev: number
    }
    answer: SvnRevision
  }
  /** Compare two revisions of a path in a repository. */
  'GET /svn/{id}/diff': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Begins with `/`, which is the root and the default. */
      path?: string
      /** Where `to` is not given, the new side. */
      rev?: string
      /** The old side; the revision before `to` is the default. */
      from?: string
      /** The new side. */
      to?: string
      /** Unchanged lines. Default: 3. */
      context?: number
    }
    answer: SvnDiff
  }
  /** Show who wrote the lines of a file in a repository. */
  'GET /svn/{id}/blame': {
    path: {
      /** The repository. */
      id: number
    }
    query?: {
      /** Begins with `/`, which is the root and the default. */
      path?: string
      /** A revision, or `HEAD`, which is the default. */
      rev?: string
      /** Rows of a page. Default: 1000. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: {
      lines: SvnBlamedLine[]
    }
  }
  /** The change feed: what happened, in one order, as far as the caller may know of it. `text/event-stream` goes on. */
  'GET /events': {
    query?: {
      /** A place: what comes after it. `now`: nothing yet, but a place. Absent: from the oldest. */
      after?: string
      /** Separated by commas; `artifact.*` is all that begin so. */
      types?: string
      project?: number
      tracker?: number
      /** Events of a page. Default: 100. */
      limit?: number
    }
    answer: EventPage
  }
  /** Follow the first artifacts of a tracker, or of those that fit: `ready`, then `enter`, `change`, `leave`, `size` and `reset`. */
  'GET /trackers/{id}/artifacts/live': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A text of the query language; criteria win over it. */
      expert_query?: string
      /** By id, ascending unless said otherwise; `ORDER BY` wins over it. */
      order?: "asc" | "desc"
      /** Rows that are shown. Default: 100. */
      limit?: number
      /** Refused here: the list takes it. */
      offset?: string
      /** Refused here: the list takes it. */
      cursor?: string
      /** Refused here: the list takes it. */
      explain?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` always come, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the answer to this size: a list loses elements from its end; an object its longest texts, then entries of its lists, and says so in `truncated`. JSON only. */
      max_bytes?: number
    }
    answer: string
  }
  /** List the webhooks of a tracker. */
  'GET /trackers/{id}/webhooks': {
    path: {
      /** The tracker. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Webhook[]
  }
  /** Let an address be told what happens in a tracker. The secret is shown once, here. */
  'POST /trackers/{id}/webhooks': {
    path: {
      /** The tracker. */
      id: number
    }
    body: NewWebhook
    answer: WebhookWithSecret
  }
  /** List the webhooks of a project, without those of its trackers. */
  'GET /projects/{id}/webhooks': {
    path: {
      /** The project. */
      id: number
    }
    query?: {
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Webhook[]
  }
  /** Let an address be told what happens in a project. The secret is shown once, here. */
  'POST /projects/{id}/webhooks': {
    path: {
      /** The project. */
      id: number
    }
    body: NewWebhook
    answer: WebhookWithSecret
  }
  /** Show a webhook. */
  'GET /webhooks/{id}': {
    path: {
      /** The webhook. */
      id: number
    }
    answer: Webhook
  }
  /** Change a webhook, switch it off, or let it go on. */
  'PATCH /webhooks/{id}': {
    path: {
      /** The webhook. */
      id: number
    }
    body: WebhookChange
    answer: Webhook
  }
  /** Remove a webhook, with its log and with what it has not sent yet. */
  'DELETE /webhooks/{id}': {
    path: {
      /** The webhook. */
      id: number
    }
    answer: undefined
  }
  /** Give a webhook another secret, which is shown once, here. For a day the old one signs too. */
  'PUT /webhooks/{id}/secret': {
    path: {
      /** The webhook. */
      id: number
    }
    body?: NewWebhookSecret
    answer: WebhookSecret
  }
  /** Send a `ping`, whether or not the webhook is switched on. */
  'POST /webhooks/{id}/test': {
    path: {
      /** The webhook. */
      id: number
    }
    answer: Delivery
  }
  /** What a webhook has sent and is to send, newest first. */
  'GET /webhooks/{id}/deliveries': {
    path: {
      /** The webhook. */
      id: number
    }
    query?: {
      state?: "waiting" | "delivered" | "retrying" | "failed" | "parked"
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Delivery[]
  }
  /** Show a delivery with what was sent and what came back. */
  'GET /webhooks/{id}/deliveries/{delivery_id}': {
    path: {
      /** The webhook. */
      id: number
      /** The delivery. */
      delivery_id: number
    }
    answer: WholeDelivery
  }
  /** Deliver an event once more, by its old id, whether or not the webhook is switched on. */
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    path: {
      /** The webhook. */
      id: number
      /** The delivery. */
      delivery_id: number
    }
    answer: Delivery
  }
  /** Deliver again what happened after a place in the feed, at most 10,000 events. */
  'POST /webhooks/{id}/replay': {
    path: {
      /** The webhook. */
      id: number
    }
    body: Replay
    answer: Replayed
  }
  /** Remove an entry of your inbox. */
  'DELETE /notifications/{id}': {
    path: {
      /** The entry. */
      id: number
    }
    answer: undefined
  }
  /** Mark an entry of your inbox as read, or as unread. */
  'PATCH /notifications/{id}': {
    path: {
      /** The entry. */
      id: number
    }
    body: {
      is_read: boolean
    }
    answer: undefined
  }
  /** Your inbox: what you were told of, the newest first. `X-Notifications-Unread` says how much is unread. */
  'GET /notifications': {
    query?: {
      /** Only what is unread. */
      unread?: boolean
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Notification[]
  }
  /** Mark an entry of your inbox and all older ones as read. */
  'POST /notifications/read': {
    body: {
      /** The newest entry that is meant. */
      until: number | string
    }
    answer: ReadNotifications
  }
  /** See what the link of a mail would end. It ends nothing. */
  'GET /unsubscribe/{token}': {
    path: {
      /** From the link of a mail. */
      token: string
    }
    answer: Unsubscription
  }
  /** Be told no more of what a mail is about, by the link in it. */
  'POST /unsubscribe/{token}': {
    path: {
      /** From the link of a mail. */
      token: string
    }
    body?: {
      "List-Unsubscribe"?: string
    }
    answer: undefined
  }
  /** Show what you want to be told of, and how. */
  'GET /users/self/notification_settings': {
    answer: NotificationSettings
  }
  /** Choose what you want to be told of, and how. What is left out stays as it is. */
  'PATCH /users/self/notification_settings': {
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      default_level?: "all" | "status" | "mentions" | "none"
      /** When mails are sent; the inbox has all. */
      mail?: "immediate" | "hourly" | "daily" | "off"
      /** When the daily digest comes, in the zone of the account. */
      digest_hour?: number
      /** Whether one is told of what one has done oneself. */
      own_changes?: boolean
      /** Whether one is told of what one is assigned to. */
      assigned?: boolean
      /** Whether one is told of what one has submitted. */
      submitted?: boolean
      /** Whether `none` keeps mentions away too. */
      mute_mentions?: boolean
      /** Mails say what has changed, and not how. */
      short_mails?: boolean
    }
    answer: NotificationSettings
  }
  /** Be told as much of this artifact as of what is around it. */
  'DELETE /artifacts/{id}/watch': {
    path: {
      /** The artifact. */
      id: number
    }
    answer: Watch
  }
  /** Show how much you are told of this artifact. */
  'GET /artifacts/{id}/watch': {
    path: {
      /** The artifact. */
      id: number
    }
    answer: Watch
  }
  /** Choose how much you are told of this artifact. */
  'PUT /artifacts/{id}/watch': {
    path: {
      /** The artifact. */
      id: number
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** Be told as much of this project as of what is around it. */
  'DELETE /projects/{id}/watch': {
    path: {
      /** The project. */
      id: number
    }
    answer: Watch
  }
  /** Show how much you are told of this project. */
  'GET /projects/{id}/watch': {
    path: {
      /** The project. */
      id: number
    }
    answer: Watch
  }
  /** Choose how much you are told of this project. */
  'PUT /projects/{id}/watch': {
    path: {
      /** The project. */
      id: number
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** Be told as much of this tracker as of what is around it. */
  'DELETE /trackers/{id}/watch': {
    path: {
      /** The tracker. */
      id: number
    }
    answer: Watch
  }
  /** Show how much you are told of this tracker. */
  'GET /trackers/{id}/watch': {
    path: {
      /** The tracker. */
      id: number
    }
    answer: Watch
  }
  /** Choose how much you are told of this tracker. */
  'PUT /trackers/{id}/watch': {
    path: {
      /** The tracker. */
      id: number
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** List the people who watch this artifact, of those whom you see. */
  'GET /artifacts/{id}/watchers': {
    path: {
      /** The artifact. */
      id: number
    }
    answer: UserMinimal[]
  }
  /** List what you have chosen to be told of, or not. */
  'GET /users/self/watches': {
    answer: WatchedObject[]
  }
  /** Show the settings of the platform. */
  'GET /settings': {
    answer: Settings
  }
  /** Change settings of the platform. */
  'PATCH /settings': {
    body: SettingsChanges
    answer: Settings
  }
  /** Read the audit log, newest first. */
  'GET /audit': {
    query?: {
      /** Who did it: the id of a user. */
      actor?: number
      /** What was done: a name, or a beginning like `user.*`. */
      action?: string
      /** To what: a `uri`. */
      object?: string
      /** In which project. */
      project?: number
      /** From which address. */
      address?: string
      /** In which request. */
      request_id?: string
      outcome?: "done" | "refused"
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Between cells of CSV. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV begins with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV has texts as they are, although they may look like formulas. */
      raw?: boolean
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: AuditEntry[]
  }
  /** List background jobs, newest first. */
  'GET /jobs': {
    query?: {
      /** `parked`: it failed too often, and waits for an administrator. */
      state?: "waiting" | "running" | "retrying" | "parked" | "done"
      /** Only jobs of this type. */
      type?: string
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Rows of a page. Default: 50. */
      limit?: number
      /** Rows to leave out. Default: 0. */
      offset?: number
      /** A place from a `Link` header. */
      cursor?: string
    }
    answer: Job[]
  }
  /** Show a background job and how its attempts went. */
  'GET /jobs/{id}': {
    path: {
      /** The job. */
      id: string
    }
    answer: JobWithAttempts
  }
  /** Give a parked job up: it is never run again. */
  'DELETE /jobs/{id}': {
    path: {
      /** The job. */
      id: string
    }
    answer: undefined
  }
  /** Give a parked job all its attempts again. */
  'POST /jobs/{id}/retry': {
    path: {
      /** The job. */
      id: string
    }
    answer: Job
  }
  /** Show what this server is. */
  'GET /version': {
    answer: Version
  }
}

/** Writes that have no `Idempotency-Key`: they are never sent twice. */
export const WITHOUT_KEY: readonly string[] = [
  'POST /tokens',
  'POST /session',
  'POST /password_resets',
  'PUT /password_resets/{token}',
  'POST /projects/{id}/extract_references',
  'POST /search',
  'POST /projects/{id}/trackers/plan',
  'POST /unsubscribe/{token}',
]
