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
  uri: string
  creation_date: string
  expiration_date: string | null
  description: string
  last_used_on: string | null
  /** The address that it was used from. */
  last_used_by: string | null
  scopes: ({
    identifier: string
  })[]
  /** The projects that it is limited to; null: it is not. */
  projects: number[] | null
}

/** Any other form, which the field checks. Members that only a `Value` has are ignored. */
export type AnyValueItem = {
  field_id: number
  value?: unknown
  bind_value_ids?: unknown
  add?: unknown
  remove?: unknown
  links?: unknown
  all_links?: unknown
  parent?: unknown
  is_autocomputed?: unknown
  manual_value?: unknown
  type?: unknown
  label?: unknown
  format?: unknown
  commonmark?: unknown
  post_processed_value?: unknown
  is_time_displayed?: unknown
  minutes?: unknown
  values?: unknown
  bind_value_objects?: unknown
  bind_type?: unknown
  file_descriptions?: unknown
  reverse_links?: unknown
  granted_groups?: unknown
  granted_groups_ids?: unknown
}

export type Archive = {
  id: number
  uri: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
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
  /** Null if the artifact was restored. */
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
  /** The version number of a past state. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources?: ({
    type: string
    uri: string
  })[]
  /** Only with `max_bytes`: the members that were cut, with their original size. */
  truncated?: ({
    path: string
    bytes: number
  })[]
}

export type ArtifactIdValue = {
  field_id: number
  type: "aid"
  label: string
  value: number
}

export type ArtifactLink = {
  id: number
  uri: string
  tracker: TrackerReference
  /** Empty: without a type. */
  type: string | null
}

/** For fields of type `art_link`. */
export type ArtifactLinksInput = {
  field_id: number
  /** All links from the artifact. */
  links?: ({
    id: number
    type?: string | null
  })[]
  /** All links from and to the artifact; excludes the others. */
  all_links?: ({
    id: number
    direction: "forward" | "reverse"
    type: string
  })[]
  parent?: {
    id: number
  }
}

export type ArtifactLinksValue = {
  field_id: number
  type: "art_link"
  label: string
  links: ArtifactLink[]
  reverse_links: ArtifactLink[]
}

/** For fields of type `perm`. */
export type ArtifactPermissionsInput = {
  field_id: number
  value: {
    /** Ids of groups. */
    granted_groups?: string[]
    /** False: the artifact is not restricted. */
    is_used_by_default?: boolean
  }
}

export type ArtifactPermissionsValue = {
  field_id: number
  type: "perm"
  label: string
  granted_groups: string[]
  granted_groups_ids: string[]
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
  /** The artifact to update; absent for a creation. */
  id?: number
  /** Like the header `If-Match`, for an update. */
  if_match?: string
  values?: ValueItem[]
  /** By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins. */
  values_by_field?: Record<string, unknown>
  comment?: NewComment | null
}

export type BurndownValue = {
  field_id: number
  type: "burndown"
  label: string
  value: {
    start_date: string
    /** In working days. */
    duration: number
    capacity: number | null
    is_under_calculation: boolean
    /** The working days; Monday is 1. */
    opening_days: number[]
    points: (number | null)[]
    points_with_date: ({
      date: string
      remaining_effort: number | null
    })[]
  }
}

export type BurnupValue = {
  field_id: number
  type: "burnup"
  label: string
  value: {
    start_date: string
    /** In working days. */
    duration: number
    capacity: number | null
    is_under_calculation: boolean
    /** The working days; Monday is 1. */
    opening_days: number[]
    points_with_date: ({
      date: string
      team_effort: number
      total_effort: number
    })[]
    points_with_date_count_elements: ({
      date: string
      closed_elements: number
      total_elements: number
    })[]
  }
}

export type CannedResponse = {
  title: string
  body: string
}

export type Change = {
  field_id: number
  before: unknown
  after: unknown
}

export type ChangeCounts = {
  /** The start of the first step; null without `from` and changes. */
  from: string | null
  to: string
  total: number
  /** The first change of this time, rounded up to a second. */
  first: string | null
  /** The last change of this time, rounded up to a second. */
  last: string | null
  /** The number of changes in each step. */
  steps: number[]
}

export type Changeset = {
  id: number
  uri?: string
  /** The version number, from 1. */
  version: number
  submitted_by: number | null
  submitted_by_details: UserMinimal | null
  submitted_on: string
  email: string | null
  last_comment: LastComment
  /** All values after this version. */
  values: Value[]
  last_modified_by: UserMinimal | null
  last_modified_date: string
  changes?: Change[]
  /** Of an imported version: who imported it. The author is the one that the source names. */
  imported_by?: UserMinimal | null
  /** Of an imported version: the system that it comes from. */
  source?: string
}

/** For fields of type `cb`. */
export type CheckBoxesInput = {
  field_id: number
  /** Ids of values, accounts or groups; null or 100: none. */
  bind_value_ids: (number | string | null)[]
}

export type CheckBoxesValue = {
  field_id: number
  type: "cb"
  label: string
  values: (ListValue | UserOfValue | UserGroupOfTracker)[]
  /** For groups, the ids are strings. */
  bind_value_ids: (number | string)[]
}

export type Comment = {
  uri: string
  /** Empty if there is no comment that the caller may read. */
  body: string
  /** Safe HTML, with references turned into links. */
  post_processed_body: string
  format: "text" | "html"
  /** The source. */
  commonmark?: string
  /** The only groups that may read it. */
  ugroups: UserGroupOfTracker[] | null
  /** The number of the present text. */
  version: number
  /** Only tracker administrators can still read the earlier texts. */
  is_deleted: boolean
  /** Absent if there are none. */
  reactions?: CommentReaction[]
  submitted_by: UserMinimal | null
  submitted_on: string
  /** The texts that were replaced, oldest first. */
  earlier: EarlierText[]
}

export type CommentReaction = {
  name: "thumbs_up" | "thumbs_down" | "heart" | "laugh" | "celebrate" | "eyes"
  count: number
  /** The caller is one of them. */
  is_mine: boolean
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

export type CommitRulesToWrite = {
  is_reference_mandatory: boolean
  is_commit_message_change_allowed: boolean
  /** A message must name an artifact that is in one of these states, by their labels. Absent: commits are free. */
  required_states?: string[]
  /** A commit moves it to this state, by a step that the workflow allows the committer. */
  moves_to?: string | null
}

/** For fields of type `computed`. */
export type ComputedInput = {
  field_id: number
  /** True: without a manual value. */
  is_autocomputed?: boolean
  manual_value?: number | string | null
}

export type ComputedValue = {
  field_id: number
  type: "computed"
  label: string
  is_autocomputed: boolean
  value: number | null
  manual_value: number | null
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
  /** The version number of a past state. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources?: ({
    type: string
    uri: string
  })[]
  /** Only with `max_bytes`: the members that were cut, with their original size. */
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
  /** The version number of a past state. */
  version?: number
  as_of?: string
  is_current?: boolean
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources?: ({
    type: string
    uri: string
  })[]
  /** Only with `max_bytes`: the members that were cut, with their original size. */
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
  /** As in the criteria of a search; list values by key. Absent: any value. */
  value?: unknown
}

export type CrossReferencesValue = {
  field_id: number
  type: "cross"
  label: string
  value: ({
    ref: string
    url: string
    direction: "out" | "in" | "both"
  })[]
}

export type Dashboard = {
  widgets: Widget[]
}

export type DashboardInput = {
  /** In their order on the page. */
  widgets: WidgetInput[]
}

/** For fields of type `date`. */
export type DateInput = {
  field_id: number
  /** A day or, for fields with a time, an instant. */
  value: string | null
}

export type DateValue = {
  field_id: number
  type: "date"
  label: string
  value: string | null
  is_time_displayed: boolean
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
  /** The feed cursor of the event, the same on every attempt. */
  event_id: string
  event: string
  state: "waiting" | "delivered" | "retrying" | "failed" | "parked"
  attempts: number
  /** Status of the last response. */
  status: number | null
  duration_ms: number | null
  /** Why the last attempt failed. */
  error: string | null
  on: string
}

export type DeliveryAnswer = {
  status: number
  headers: Record<string, unknown> | null
  /** Kept for 7 days. Null where the body of the request is cut or withheld. */
  body: string | null
}

export type DeliveryRequest = {
  headers: Record<string, unknown> | null
  /** Kept for 7 days. */
  body: string | null
}

export type Directory = {
  name: string
  uri: string
  /** Its name for people. */
  label: string
  /** Hosts with the same content, tried in this order: `ldaps://ldap.example`, `ldap://10.0.0.5:389`. */
  urls: string[]
  /** The entry below which people are. */
  people_base: string
  /** `ldaps` needs `ldaps://`, the others `ldap://`. `none` sends passwords in clear text, and needs `is_internal`. */
  tls: "ldaps" | "starttls" | "none"
  /** The certificate authority of its hosts as PEM, instead of those that the server trusts. */
  ca_certificate: string | null
  /** Null: searches are anonymous. */
  bind_dn: string | null
  bind_password_file: string | null
  /** Which entries are people. */
  people_filter: string
  /** Null: all may. */
  disabled_filter: string | null
  /** Names an entry for ever: `entryUUID`, or `objectGUID` of Active Directory. */
  id_attribute: string
  /** The login: `uid`, or `sAMAccountName`. */
  login_attribute: string
  /** The name of the person: `cn`, or `displayName`. */
  name_attribute: string
  /** The mail address. */
  email_attribute: string
  /** `email`: an address finds an account that is not linked yet, unless a site administrator has it. */
  match_by: "id" | "email"
  /** For people without an account: at their first sign-in, or all of them by the sync. */
  new_accounts: "never" | "at_sign_in" | "by_sync"
  /** Null: groups are ignored. */
  groups_base: string | null
  /** Which entries are groups. */
  groups_filter: string
  /** The members of a group, as DNs, or as logins (`memberUid`). */
  member_attribute: string
  /** How deep members of groups inside of groups count; 0: only direct members. */
  max_group_depth: number
  group_mappings: ({
    /** The DN of a group, or its `cn` if no other group has it. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  /** Its hosts may have private addresses. */
  is_internal: boolean
  /** Null: no sync. */
  sync_interval_minutes: number | null
  /** If more people are missing in a sync, it suspends none of them. */
  max_suspensions: number
  /** False: its people cannot sign in by password; no sync. */
  is_enabled: boolean
  /** A password is stored. It is never shown. */
  has_bind_password: boolean
  /** Null: there was none. */
  last_sync: DirectorySync | null
}

export type DirectoryChanges = {
  /** Never shown again. Null removes it. */
  bind_password?: string | null
  /** Its name for people. */
  label?: string
  /** Hosts with the same content, tried in this order: `ldaps://ldap.example`, `ldap://10.0.0.5:389`. */
  urls?: string[]
  /** The entry below which people are. */
  people_base?: string
  /** `ldaps` needs `ldaps://`, the others `ldap://`. `none` sends passwords in clear text, and needs `is_internal`. */
  tls?: "ldaps" | "starttls" | "none"
  /** The certificate authority of its hosts as PEM, instead of those that the server trusts. */
  ca_certificate?: string | null
  /** Null: searches are anonymous. */
  bind_dn?: string | null
  /** The name of a file in `WAYPOST_IDENTITY_SECRETS` with the password, instead of `bind_password`. */
  bind_password_file?: string | null
  /** Which entries are people. */
  people_filter?: string
  /** Null: all may. */
  disabled_filter?: string | null
  /** Names an entry for ever: `entryUUID`, or `objectGUID` of Active Directory. */
  id_attribute?: string
  /** The login: `uid`, or `sAMAccountName`. */
  login_attribute?: string
  /** The name of the person: `cn`, or `displayName`. */
  name_attribute?: string
  /** The mail address. */
  email_attribute?: string
  /** `email`: an address finds an account that is not linked yet, unless a site administrator has it. */
  match_by?: "id" | "email"
  /** For people without an account: at their first sign-in, or all of them by the sync. */
  new_accounts?: "never" | "at_sign_in" | "by_sync"
  /** Null: groups are ignored. */
  groups_base?: string | null
  /** Which entries are groups. */
  groups_filter?: string
  /** The members of a group, as DNs, or as logins (`memberUid`). */
  member_attribute?: string
  /** How deep members of groups inside of groups count; 0: only direct members. */
  max_group_depth?: number
  group_mappings?: ({
    /** The DN of a group, or its `cn` if no other group has it. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  /** Its hosts may have private addresses. */
  is_internal?: boolean
  /** Null: no sync. */
  sync_interval_minutes?: number | null
  /** If more people are missing in a sync, it suspends none of them. */
  max_suspensions?: number
  /** False: its people cannot sign in by password; no sync. */
  is_enabled?: boolean
}

export type DirectorySync = {
  started_on: string
  /** Null: it is running. */
  ended_on: string | null
  /** Why it failed, or left something out. In English. */
  error: string | null
  counts: DirectorySyncCounts
}

export type DirectorySyncCounts = {
  /** Entries that were read. */
  people: number
  /** Groups that were read. */
  groups: number
  created: number
  /** Accounts that were found by their address. */
  linked: number
  updated: number
  reactivated: number
  suspended: number
  /** Linked people who may sign in here, but not in the directory. */
  missing: number
  /** Entries without an id or a login, or without an address for a new account. */
  unusable: number
  /** Entries whose address belongs to another account. */
  conflicts: number
  /** New memberships. */
  joined: number
  /** Ended memberships. */
  left: number
}

export type DirectoryTest = {
  findings: ({
    check: string
    state: "ok" | "warning" | "wrong"
    /** In English. */
    detail: string
  })[]
}

export type DryRun = {
  dry_run: {
    /** The status of the real write. */
    status: number
    /** Its body; members that only a real write generates are null. */
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

/** For fields of type `duration`. */
export type DurationInput = {
  field_id: number
  value: string | number | null
}

export type DurationValue = {
  field_id: number
  type: "duration"
  label: string
  /** Such as `2h 30m`. */
  value: string | null
  minutes: number | null
}

export type EarlierText = {
  version: number
  /** The source. */
  body: string
  format: "text" | "html" | "commonmark"
  replaced_by: UserMinimal | null
  replaced_on: string
}

export type Error = {
  error: {
    /** Equals the status. */
    code: number
    /** English: the name of the status, and the problem. */
    message: string
    /** The problem, in the caller's language. */
    i18n_error_message: string
    i18n_error_messages?: string[]
    reason: Reason
    details?: ErrorDetails
    request_id: string
  }
}

export type ErrorDetails = {
  /** The path of the first invalid input. */
  path?: string
  rule?: Rule
  /** Allowed values (a list) or bounds (an object). */
  allowed?: unknown
  /** The scope that the access key needs for this call. */
  scope?: string
  /** The known name that is closest to the given one. */
  nearest?: string
  /** A more specific code, if several causes share one reason. */
  cause?: string
  /** The values that the text names. */
  params?: Record<string, unknown>
  position?: number
  /** Roles that would be allowed. */
  who_may?: unknown[]
  line?: number
  column?: number
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
  /** Its cursor in the feed, for `after` and `Last-Event-ID`. */
  id: string
  type: string
  on: string
  /** The address of the object, below `/api`. */
  object: string | null
  project: Named | null
  tracker: Named | null
  actor: PersonOfEvent | null
  version: number | null
  /** Changed fields and members that the caller may read. */
  changed: string[]
  /** There is a comment that the caller may read. */
  has_comment: boolean
  /** The event sends no notifications. */
  silent: boolean
  transition?: TransitionOfEvent
  member?: PersonOfEvent
  /** Revision of the commit. */
  revision?: number
  /** Directories with changes of the commit, those of the first 100 that the caller may read. */
  directories?: string[]
  /** The tab that made the change, if it is one of the caller's. */
  client_uuid: string | null
  /** The request that made the change, if it is the caller's. */
  request_id: string | null
}

export type EventPage = {
  events: Event[]
  /** The cursor for `after` of the next page. */
  next: string
  /** More events are available now. */
  has_more: boolean
}

export type Explanation = {
  explain: {
    /** The query as parsed. */
    normalized: string
    fields: SearchedField[]
    terms: number
    /** The number of rows that the database estimates, rounded up to a power of ten. */
    estimated_matches: number
    /** The cost in database units, rounded up to a power of ten, for comparison with other queries. */
    estimated_cost: number
    /** The indexes in use. */
    uses: string[]
    ignored: string[]
    warnings: string[]
  }
}

export type FacetedHits = {
  /** By default those named by the query, then by titles, then by texts. */
  artifacts: QuickArtifact[]
  /** False if there are more than 1000 matches. */
  is_complete: boolean
  facets: SearchFacets
}

export type FieldName = {
  field_id: number
  label: string
  name: string
}

/** For fields of type `file`. */
export type FileInput = {
  field_id: number
  /** Ids of all files; excludes the others. */
  value?: number[]
  add?: number[]
  remove?: number[]
}

export type FileValue = {
  field_id: number
  type: "file"
  label: string
  file_descriptions: ({
    id: number
    /** The id of the uploader. */
    submitted_by: number
    description: string
    name: string
    /** In bytes. */
    size: number
    /** The media type as declared by the uploader. */
    type: string
    /** The download address; null until the file is attached. */
    html_url: string | null
    /** The preview, if the file is an image. */
    html_preview_url: string | null
    uri: string
  })[]
}

/** For fields of type `float`. */
export type FloatInput = {
  field_id: number
  value: number | string
}

export type FloatValue = {
  field_id: number
  type: "float"
  label: string
  value: number | null
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
  /** Plain text around the first hit; null if only the title matches. */
  cropped_content: string | null
}

export type Group = {
  /** One per key of `by`. */
  key: (GroupedValue | UserMinimal | GroupedParent | boolean | string | null)[]
  count: number
  /** By field name. */
  sum: Record<string, number | null>
}

export type GroupCountSeries = {
  by: GroupedBy[]
  series: GroupCountsThen[]
}

export type GroupCounts = {
  by: GroupedBy[]
  /** The number of artifacts; each counts once, even if it is in several groups. */
  total: number
  groups: Group[]
}

export type GroupCountsThen = {
  /** The last second of the step. */
  at: string
  /** The number of artifacts; each counts once, even if it is in several groups. */
  total: number
  groups: Group[]
}

export type GroupListDefinition = {
  type: "ugroups"
  groups?: string[]
  default?: string[]
}

export type GroupUserChanges = {
  /** Each has exactly one of `id`, `username`, `email`, `ldap_id`; all must use the same one. */
  add?: ({
    id?: number
    username?: string
    email?: string
    ldap_id?: string
  })[]
  /** As `add`. */
  remove?: ({
    id?: number
    username?: string
    email?: string
    ldap_id?: string
  })[]
}

export type GroupedBy = {
  name: string
  /** Null: it is no field, but what every artifact has. */
  field_id: number | null
  /** The type of the field. */
  type: string | null
  bucket: "day" | "week" | "month" | "quarter" | "year" | null
}

export type GroupedParent = {
  id: number
  xref: string
  /** The title. */
  label: string | null
}

export type GroupedValue = {
  id: number | string
  label: string
}

export type IdentityProvider = {
  name: string
  uri: string
  /** As the provider spells it. `https`; `http` only on this machine. It cannot be changed later. */
  issuer: string
  /** The text of its button. */
  label: string
  /** False: people cannot sign in by it, and its sessions end. */
  is_enabled: boolean
  client_id: string
  client_secret_file: string | null
  client_authentication: "client_secret_basic" | "client_secret_post" | "none"
  scopes: string[]
  /** `email`: a verified address finds an account that is not linked yet; then the subject counts. */
  match_by: "subject" | "email"
  /** Its addresses count as verified without `email_verified`. Only if its users cannot choose them. */
  trusts_email: boolean
  /** Only addresses of these domains; empty: all. */
  email_domains: string[]
  /** For people without an account: `by_registration` follows the setting `registration`. */
  new_accounts: "never" | "by_registration" | "always"
  username_claim: "preferred_username" | "email" | "nickname" | "upn"
  /** The claim with the groups; null: groups are ignored. */
  groups_claim: string | null
  group_mappings: ({
    /** A value of the claim with the groups: a name, or an id. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  clock_tolerance_seconds: number
  /** The host of the issuer may have a private address. Other hosts may not. */
  is_internal: boolean
  /** A secret is stored. It is never shown. */
  has_client_secret: boolean
  /** To be registered at the provider. */
  redirect_uri: string
  /** To be registered at the provider. */
  backchannel_logout_uri: string
  /** To be registered at the provider. */
  post_logout_redirect_uri: string
}

export type IdentityProviderChanges = {
  /** Never shown again. Null removes it. */
  client_secret?: string | null
  /** The text of its button. */
  label?: string
  /** False: people cannot sign in by it, and its sessions end. */
  is_enabled?: boolean
  client_id?: string
  /** The name of a file in `WAYPOST_IDENTITY_SECRETS` with the secret, instead of `client_secret`. */
  client_secret_file?: string | null
  client_authentication?: "client_secret_basic" | "client_secret_post" | "none"
  scopes?: string[]
  /** `email`: a verified address finds an account that is not linked yet; then the subject counts. */
  match_by?: "subject" | "email"
  /** Its addresses count as verified without `email_verified`. Only if its users cannot choose them. */
  trusts_email?: boolean
  /** Only addresses of these domains; empty: all. */
  email_domains?: string[]
  /** For people without an account: `by_registration` follows the setting `registration`. */
  new_accounts?: "never" | "by_registration" | "always"
  username_claim?: "preferred_username" | "email" | "nickname" | "upn"
  /** The claim with the groups; null: groups are ignored. */
  groups_claim?: string | null
  group_mappings?: ({
    /** A value of the claim with the groups: a name, or an id. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  clock_tolerance_seconds?: number
  /** The host of the issuer may have a private address. Other hosts may not. */
  is_internal?: boolean
}

export type IdentityProviderTest = {
  findings: ({
    check: string
    state: "ok" | "warning" | "wrong"
    /** In English. */
    detail: string
  })[]
}

export type ImmutableTags = {
  paths: string[]
  whitelist: string[]
}

export type ImmutableTagsToWrite = {
  paths: string[]
  whitelist: string[]
}

export type Import = {
  id: number
  uri: string
  project: {
    id: number
    uri: string
  }
  /** The system that the artifacts come from. */
  source: string
  state: "running" | "finished"
  /** How many artifacts were imported. */
  artifacts: number
  started_by: UserMinimal | null
  started_on: string
  finished_by: UserMinimal | null
  finished_on: string | null
}

export type ImportLine = {
  /** The key in the source, without spaces and slashes. A key that the import has already is not created again. */
  source_key: string
  tracker: {
    id: number
  }
  /** The id of the artifact, if it is free. */
  id?: number
  /** The history, oldest first. Values that a version does not name stay as they are. */
  versions: ImportedVersion[]
}

export type ImportedVersion = {
  /** The id or the login of an account. */
  author: number | string
  /** Later than the version before, and not in the future. */
  time: string
  values?: ValueItem[]
  /** By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins. */
  values_by_field?: Record<string, unknown>
  comment?: NewComment | null
}

export type Index = {
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
}

/** For fields of type `int`. */
export type IntegerInput = {
  field_id: number
  value: number | string
}

export type IntegerValue = {
  field_id: number
  type: "int"
  label: string
  value: number | null
}

export type Invitation = {
  email: string
  project: InvitedProject | null
}

export type InvitationLink = {
  /** It is shown only here, and valid for 14 days. */
  link: string
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
  /** Empty if there is no comment that the caller may read. */
  body: string
  /** Safe HTML, with references turned into links. */
  post_processed_body: string
  format: "text" | "html"
  /** The source. */
  commonmark?: string
  /** The only groups that may read it. */
  ugroups: UserGroupOfTracker[] | null
  /** Of a comment that was changed: the number of its present text, from 2. */
  version?: number
  /** There was a comment, which has been deleted. */
  is_deleted?: boolean
  /** Absent if there are none. */
  reactions?: CommentReaction[]
}

export type LastUpdateDateValue = {
  field_id: number
  type: "lud"
  label: string
  value: string
}

export type LastUpdaterValue = {
  field_id: number
  type: "luby"
  label: string
  value: UserOfValue
}

export type LinkType = {
  /** The `type` of links. It never changes. */
  shortname: string
  uri: string
  /** The label on the source artifact of a link. */
  forward_label: string
  /** The label on its target. */
  reverse_label: string
  /** Made by the platform: it cannot be changed, disabled or deleted. */
  is_system: boolean
  /** Only the platform writes links of this type. */
  is_reserved: boolean
}

export type ListValue = {
  id: number
  label: string
  color: {
    r: number
    g: number
    b: number
  } | null
  tlp_color: string | null
  is_hidden: boolean
}

export type ListValueDefinition = {
  /** Unique in the field; defaults to a slug of the label. */
  key?: string
  label?: string
  description?: string
  /** A palette name, or `#rrggbb`. */
  color?: string | null
  hidden?: boolean
  /** The most artifacts that its column of a board should hold; null: no limit. */
  limit?: number | null
  /** The previous key. */
  renamed_from?: string
}

export type ListedObject = {
  kind: "project" | "tracker" | "artifact"
  id: number
  uri: string
  /** The address of its page. */
  html_url: string
  /** The name of a project or tracker, the title of an artifact. */
  label: string
  /** The reference of an artifact; null for others. */
  xref: string | null
  /** The tracker itself, or that of the artifact; null for a project. */
  tracker: {
    label: string
    color_name: string
  } | null
  project: ProjectReference
  /** When it was added, or seen last. */
  on: string
}

export type LogoutNotice = {
  /** A JWT, sent as a form. */
  logout_token: string
}

/** For fields of type `msb`. */
export type MultiSelectBoxInput = {
  field_id: number
  /** Ids of values, accounts or groups; null or 100: none. */
  bind_value_ids: (number | string | null)[]
}

export type MultiSelectBoxValue = {
  field_id: number
  type: "msb"
  label: string
  values: (ListValue | UserOfValue | UserGroupOfTracker)[]
  /** For groups, the ids are strings. */
  bind_value_ids: (number | string)[]
}

export type Named = {
  id: number
}

export type NewAccessKey = {
  description?: string
  /** With its zone; null or absent: none. */
  expiration_date?: string | null
  /** Limit the key to these projects: to it, everything else is not there. Null or absent: no limit. */
  projects?: number[] | null
  scopes?: string[]
}

export type NewAccessKeyIdentifier = {
  identifier: string
}

export type NewAvatar = {
  /** The file in base64. */
  content: string
}

export type NewComment = {
  /** At most 65,535 bytes. */
  body: string
  /** `text`, `html` or `commonmark`; anything else is commonmark. */
  format?: unknown
  /** The only groups that may read it, if the tracker has private comments. */
  ugroups?: string[]
}

export type NewDirectory = {
  /** Part of its address. It cannot be changed later. */
  name: string
  /** Its name for people. */
  label: string
  /** Hosts with the same content, tried in this order: `ldaps://ldap.example`, `ldap://10.0.0.5:389`. */
  urls: string[]
  /** The entry below which people are. */
  people_base: string
  /** Never shown again. Null removes it. */
  bind_password?: string | null
  /** `ldaps` needs `ldaps://`, the others `ldap://`. `none` sends passwords in clear text, and needs `is_internal`. */
  tls?: "ldaps" | "starttls" | "none"
  /** The certificate authority of its hosts as PEM, instead of those that the server trusts. */
  ca_certificate?: string | null
  /** Null: searches are anonymous. */
  bind_dn?: string | null
  /** The name of a file in `WAYPOST_IDENTITY_SECRETS` with the password, instead of `bind_password`. */
  bind_password_file?: string | null
  /** Which entries are people. */
  people_filter?: string
  /** Null: all may. */
  disabled_filter?: string | null
  /** Names an entry for ever: `entryUUID`, or `objectGUID` of Active Directory. */
  id_attribute?: string
  /** The login: `uid`, or `sAMAccountName`. */
  login_attribute?: string
  /** The name of the person: `cn`, or `displayName`. */
  name_attribute?: string
  /** The mail address. */
  email_attribute?: string
  /** `email`: an address finds an account that is not linked yet, unless a site administrator has it. */
  match_by?: "id" | "email"
  /** For people without an account: at their first sign-in, or all of them by the sync. */
  new_accounts?: "never" | "at_sign_in" | "by_sync"
  /** Null: groups are ignored. */
  groups_base?: string | null
  /** Which entries are groups. */
  groups_filter?: string
  /** The members of a group, as DNs, or as logins (`memberUid`). */
  member_attribute?: string
  /** How deep members of groups inside of groups count; 0: only direct members. */
  max_group_depth?: number
  group_mappings?: ({
    /** The DN of a group, or its `cn` if no other group has it. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  /** Its hosts may have private addresses. */
  is_internal?: boolean
  /** Null: no sync. */
  sync_interval_minutes?: number | null
  /** If more people are missing in a sync, it suspends none of them. */
  max_suspensions?: number
  /** False: its people cannot sign in by password; no sync. */
  is_enabled?: boolean
}

export type NewIdentityProvider = {
  /** Part of the addresses that the provider knows. It cannot be changed later. */
  name: string
  /** As the provider spells it. `https`; `http` only on this machine. It cannot be changed later. */
  issuer: string
  /** The text of its button. */
  label: string
  client_id: string
  /** Never shown again. Null removes it. */
  client_secret?: string | null
  /** False: people cannot sign in by it, and its sessions end. */
  is_enabled?: boolean
  /** The name of a file in `WAYPOST_IDENTITY_SECRETS` with the secret, instead of `client_secret`. */
  client_secret_file?: string | null
  client_authentication?: "client_secret_basic" | "client_secret_post" | "none"
  scopes?: string[]
  /** `email`: a verified address finds an account that is not linked yet; then the subject counts. */
  match_by?: "subject" | "email"
  /** Its addresses count as verified without `email_verified`. Only if its users cannot choose them. */
  trusts_email?: boolean
  /** Only addresses of these domains; empty: all. */
  email_domains?: string[]
  /** For people without an account: `by_registration` follows the setting `registration`. */
  new_accounts?: "never" | "by_registration" | "always"
  username_claim?: "preferred_username" | "email" | "nickname" | "upn"
  /** The claim with the groups; null: groups are ignored. */
  groups_claim?: string | null
  group_mappings?: ({
    /** A value of the claim with the groups: a name, or an id. */
    value: string
    /** A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project. */
    user_group: string
  })[]
  clock_tolerance_seconds?: number
  /** The host of the issuer may have a private address. Other hosts may not. */
  is_internal?: boolean
}

export type NewInvitations = {
  emails: string[]
  /** Plain text; addresses in it do not become links. */
  custom_message?: string
  project_id?: number | null
}

export type NewPassword = {
  new_password: string
}

export type NewRepositorySettings = {
  commit_rules?: CommitRulesToWrite
  immutable_tags?: ImmutableTagsToWrite
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
  /** http or https, with a public address. */
  url: string
  /** Event types; `artifact.*` stands for all types with that prefix. */
  events?: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format?: "form" | "json"
  /** `original`: the format of the original product, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload?: "original" | "event"
  /** The account whose permissions cut the payload. Null, for hooks of trackers: all fields of the artifacts of that tracker, and of everything else what the owner may read. */
  as_user?: number | null
  /** Each delivery waits for the previous one. */
  ordered?: boolean
  active?: boolean
  /** The secret that signs deliveries, 16 to 256 bytes. Absent: a random one. */
  secret?: string
}

export type NewWebhookSecret = {
  /** The secret that signs deliveries, 16 to 256 bytes. Absent: a random one. */
  secret?: string
}

export type Notification = {
  id: number
  on: string
  why: "mention" | "assigned" | "submitted" | "list" | "watch"
  /** The kind of change; `mention`: the caller is mentioned. */
  kind: "mention" | "assigned" | "closed" | "reopened" | "commented" | "changed" | "created" | "deleted" | "restored" | "moved" | "other"
  event: Event
  /** The address of the object, below `/api`. */
  object: string | null
  /** Current title of the artifact. */
  title: string | null
  /** The reference of the artifact; null if it cannot be read. */
  xref: string | null
  project: ProjectReference | null
  /** The beginning of the comment, or the names of the changed fields. */
  excerpt: string
  /** The status before and after; null: the status has not changed. */
  status_change: StatusChange | null
  is_read: boolean
  /** Hidden until then; null: not hidden now. */
  snoozed_until: string | null
}

export type NotificationSettings = {
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  default_level: "all" | "status" | "mentions" | "none"
  /** When mails are sent; the inbox has all notifications. */
  mail: "immediate" | "hourly" | "daily" | "off"
  /** Hour of the daily digest, in the time zone of the account. */
  digest_hour: number
  /** Notify of your own changes. */
  own_changes: boolean
  /** Notify of changes to artifacts that are assigned to you. */
  assigned: boolean
  /** Notify of changes to artifacts that you have submitted. */
  submitted: boolean
  /** The level `none` also mutes mentions. */
  mute_mentions: boolean
  /** Mails contain neither values nor comments. */
  short_mails: boolean
}

export type NotificationThread = {
  /** The id of the newest entry. */
  id: number
  /** The strongest reason of its unread entries. */
  why: "mention" | "assigned" | "submitted" | "list" | "watch"
  /** All entries are read. */
  is_read: boolean
  /** The ids of its notifications, newest first, at most 1,000. */
  entries: number[]
  /** Addresses below `/api`, at most 100. More than one: a bulk write. */
  objects: string[]
  object_count: number
  /** Authors of its events, newest first, at most 4. */
  people: UserMinimal[]
  latest: Notification
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

export type NumberInTrackerValue = {
  field_id: number
  type: "atid"
  label: string
  value: number
}

/** For fields of type `tbl`. */
export type OpenListInput = {
  field_id: number
  /** Labels, logins or ids; a static list takes new labels. */
  bind_value_ids?: (number | string | null)[]
  value?: {
    bind_value_objects: ({
      id?: number | string | null
      label?: string
      username?: string | null
      email?: string | null
      short_name?: string
    })[]
  }
}

export type OpenListValue = {
  field_id: number
  type: "tbl"
  label: string
  bind_value_objects: ({
    id: number
    label: string
    color: {
      r: number
      g: number
      b: number
    } | null
    tlp_color: string | null
    is_hidden: boolean
    display_name: string
  } | OpenValue | UserOfValue | {
    id: string
    uri: string
    label: string
    users_uri: string
    short_name: string
    key: string
    display_name: string
  })[]
  /** Labels instead of ids. */
  bind_value_ids: string[]
  bind_type: "static" | "users" | "ugroups"
}

export type OpenValue = {
  id: string
  label: string
  display_name: string
}

export type OriginalChangeset = {
  id: number
  uri?: string
  submitted_by: number | null
  submitted_by_details: UserMinimal | null
  submitted_on: string
  email: string | null
  last_comment: LastComment
  /** All values after this version. */
  values: Value[]
  last_modified_by: UserMinimal | null
  last_modified_date: string
  changes?: Change[]
  /** Of an imported version: who imported it. The author is the one that the source names. */
  imported_by?: UserMinimal | null
  /** Of an imported version: the system that it comes from. */
  source?: string
}

/** The format of the original product. */
export type OriginalWebhookPayload = {
  /** The artifact. */
  id: number
  action: "create" | "update"
  user: UserMinimal
  submitter_user_groups: UserGroupOfTracker[]
  current: OriginalChangeset
  previous: OriginalChangeset | null
  /** Always false. */
  is_custom_code_execution: boolean
  tracker: Tracker
}

export type OwnArtifact = {
  id: number
  uri: string
  html_url: string
  title: string | null
  xref: string
  tracker: TrackerMinimal
  /** Null without a readable status. */
  status: {
    value: string
    color: string | null
    /** The share of open values that come before this one, from 0 to 1. */
    progress: number
  } | null
  /** The value of the list `priority`, if the tracker has one. */
  priority: {
    value: string
    color: string | null
  } | null
  /** The end of the timeframe, or the date `due_date`, `due`, `due_on`, `deadline` or `end_date`. */
  due: {
    value: string
    is_time_displayed: boolean
  } | null
  last_modified_date: string
}

/** The account that created it, or was the last to set its url, as_user or secret. */
export type OwnerOfWebhook = {
  id: number
  username: string
}

export type PasswordChange = {
  current_password: string
  new_password: string
  /** Instead of credentials, where the password has expired. */
  username?: string
}

export type PasswordConfirmation = {
  password: string
}

export type PasswordReset = {
  expires_on: string
}

export type PasswordResetRequest = {
  /** The login, or the address. */
  login: string
}

export type PendingInvitation = {
  /** Names the invitation to those who manage it. It does not open it. */
  id: number
  uri: string
  email: string
  project: InvitedProject | null
  invited_by: UserMinimal
  created_on: string
  expires_on: string
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
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
}

export type Preference = {
  key: string
  /** False: not set. */
  value: string | false
}

export type Problem = {
  reason: Reason
  /** The path of the first invalid input. */
  path?: string
  rule?: Rule
  /** Allowed values (a list) or bounds (an object). */
  allowed?: unknown
  /** The scope that the access key needs for this call. */
  scope?: string
  /** The known name that is closest to the given one. */
  nearest?: string
  /** A more specific code, if several causes share one reason. */
  cause?: string
  /** The values that the text names. */
  params?: Record<string, unknown>
  position?: number
  /** Roles that would be allowed. */
  who_may?: unknown[]
  /** The field of the artifact. */
  field_id?: number
  name?: string
  label?: string
  message: string
}

/** RFC 9457. */
export type ProblemDetails = {
  /** The page of the reason. */
  type: string
  /** The condition of the reason, in English. */
  title: string
  status: number
  /** The problem, in the caller's language. */
  detail: string
  /** The path of the request. */
  instance: string
  /** Equals the status. */
  code: number
  /** English: the name of the status, and the problem. */
  message: string
  /** The problem, in the caller's language. */
  i18n_error_message: string
  i18n_error_messages?: string[]
  reason: Reason
  details?: ErrorDetails
  request_id: string
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

export type ProjectChanges = {
  /** 3 to 40 characters. */
  label?: string
  description?: string
  /** `unrestricted` and `private-wo-restr` only if the platform has restricted users. */
  access?: "public" | "unrestricted" | "private" | "private-wo-restr"
  /** One emoji; an empty text removes it. */
  icon?: string
  /** Offered to everyone who may enter it and create projects. */
  is_template?: boolean
  /** Project administrators archive and reactivate. Site administrators also suspend, reactivate suspended projects and approve pending ones. */
  status?: "active" | "archived" | "suspended"
}

export type ProjectLinkType = {
  /** The `type` of links. It never changes. */
  shortname: string
  uri: string
  /** The label on the source artifact of a link. */
  forward_label: string
  /** The label on its target. */
  reverse_label: string
  /** Made by the platform: it cannot be changed, disabled or deleted. */
  is_system: boolean
  /** Only the platform writes links of this type. */
  is_reserved: boolean
  /** Whether new links of this type can be made in the project. */
  enabled: boolean
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

export type QuickArtifact = {
  id: number
  uri: string
  html_url: string
  xref: string
  title: string | null
  tracker: QuickTracker
  status: {
    value: string
    color: string | null
  } | null
  is_open: boolean
  assignees: UserMinimal[]
  last_modified_date: string
  /** `id`: the query names the artifact. `text`: the words are in a text or a comment. */
  matched: "id" | "title" | "text"
  /** Plain text around the first hit, if it is in a text or a comment. */
  snippet: string | null
}

export type QuickCommit = {
  uri: string
  html_url: string
  xref: string
  /** Plain text around the first hit. */
  message: string
  /** The author that the revision names. */
  author_name: string | null
  date: string | null
  repository: {
    id: number
    uri: string
    name: string
  }
  project: {
    shortname: string
    label: string
  }
}

export type QuickFile = {
  id: number
  uri: string
  /** The download address. */
  html_url: string
  name: string
  artifact: QuickArtifact
}

export type QuickHits = {
  /** Named by the query, then by titles, then by texts; each newest first. */
  artifacts: QuickArtifact[]
  trackers: QuickTracker[]
  projects: QuickProject[]
  people: UserMinimal[]
  /** Attachments by their names, newest first. */
  files: QuickFile[]
  /** By their messages, newest first. */
  commits: QuickCommit[]
}

export type QuickPlace = {
  id: number
  uri: string
  label: string
  icon: string
  shortname: string
}

export type QuickProject = {
  id: number
  uri: string
  label: string
  label_without_icon: string
  shortname: string
  status: string | null
  access: "public" | "unrestricted" | "private" | "private-wo-restr"
  is_template: boolean
  icon: string
  html_url: string
  is_member_of: boolean
}

export type QuickTracker = {
  id: number
  uri: string
  html_url: string
  label: string
  item_name: string
  color_name: string
  project: QuickPlace
}

/** For fields of type `rb`. */
export type RadioButtonsInput = {
  field_id: number
  /** Ids of values, accounts or groups; null or 100: none. */
  bind_value_ids: (number | string | null)[]
}

export type RadioButtonsValue = {
  field_id: number
  type: "rb"
  label: string
  values: (ListValue | UserOfValue | UserGroupOfTracker)[]
  /** For groups, the ids are strings. */
  bind_value_ids: (number | string)[]
}

export type RankChange = {
  id: number
  on: string
  by: {
    id: number
    username: string
  } | null
  /** The version of the order that the move made. */
  rank_version: number
  side: "before" | "after"
  /** The artifact that it was placed next to; null if the caller may not see it. */
  artifact: {
    id: number
    uri: string
  } | null
}

export type RankOfTracker = {
  /** Changes with every move; 0 if no artifact was ever moved. */
  rank_version: number
}

export type RankValue = {
  field_id: number
  type: "priority"
  label: string
  value: number
}

export type ReadNotifications = {
  /** How many were unread. */
  read: number
  /** Those that were unread, newest first, at most 1,000. */
  ids: number[]
}

/** The closed list of reasons. */
export type Reason = "body_malformed" | "body_required" | "xml_doctype" | "id_malformed" | "parameter_required" | "parameter_invalid" | "parameter_out_of_range" | "parameter_not_allowed" | "parameter_conflict" | "parameter_unknown" | "member_unknown" | "query_malformed" | "query_unknown_key" | "query_operator" | "query_too_expensive" | "reference_unknown" | "reference_ambiguous" | "user_not_usable" | "field_required" | "field_not_writable" | "field_duplicate" | "value_invalid" | "value_not_allowed" | "transition_not_allowed" | "rule_violated" | "scope_invalid" | "date_in_past" | "service_disabled" | "group_not_editable" | "duplicate_entry" | "name_invalid" | "name_taken" | "token_unknown" | "authentication_required" | "credentials_malformed" | "credentials_incomplete" | "credentials_invalid" | "credentials_expired" | "credentials_projects" | "password_sign_in_disabled" | "session_expired" | "confirmation_required" | "permission_denied" | "credentials_scope" | "account_suspended" | "account_deleted" | "account_pending" | "password_expired" | "cross_site_cookie" | "deletion_disabled" | "project_protected" | "project_archived" | "not_found" | "route_not_found" | "not_set" | "project_suspended" | "method_not_allowed" | "not_acceptable" | "repository_name_invalid" | "repository_name_taken" | "import_running" | "import_finished" | "key_ambiguous" | "idempotency_in_progress" | "idempotency_secret" | "upload_offset_mismatch" | "job_not_parked" | "cursor_expired" | "version_mismatch" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "upload_locked" | "precondition_required" | "deletion_limit_reached" | "project_quota_reached" | "rate_limited" | "header_too_large" | "internal_error" | "unavailable" | "directory_unavailable" | "outcome_unknown" | "storage_full"

export type Registration = {
  username: string
  real_name: string
  email: string
  password: string
}

export type RegistrationSetting = {
  registration: "closed" | "approval" | "open"
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
  column_widths?: ({
    field: string
    width: number
  })[]
  grouped_by?: {
    field: string
    bucket?: "day" | "week" | "month" | "quarter" | "year"
  } | null
} & Record<string, unknown>

export type Replay = {
  /** A cursor of the feed. */
  after: string
  /** The last event to deliver; absent: all until now. */
  until?: string
}

export type Replayed = {
  /** Number of events to deliver again. */
  events: number
}

export type ReportDefinition = {
  label: string
  description?: string
  /** Public reports belong to the tracker, private ones to their creator. */
  public?: boolean
  /** At most one public report is the default. */
  default?: boolean
  /** Instead of criteria. */
  expert_query?: string | null
  criteria?: CriterionDefinition[]
  renderers?: RendererDefinition[]
}

export type ReportOfWidget = {
  id: number
  uri: string
  label: string
  tracker: TrackerReference
}

/** The table of the report; with `representation=full`. */
export type ReportView = {
  /** Filter and order. Null if the report has criteria, or its query uses links or fields that the caller may not read: then only its rows are available. */
  query: string | null
  /** Names of fields. Those that the caller may not read are left out. */
  columns: string[]
  /** In pixels. Other columns have their usual width. */
  column_widths: ({
    field: string
    width: number
  })[]
  /** Null: without groups. */
  grouped_by: {
    field: string
    bucket?: "day" | "week" | "month" | "quarter" | "year"
  } | null
}

export type Repository = {
  id: number
  project: ProjectMinimal
  uri: string
  name: string
  svn_url: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
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
  commit_rules: CommitRulesToWrite
  immutable_tags: ImmutableTagsToWrite
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

/** How many matches each value has, the most frequent first. Each facet applies the other filters, and not its own. */
export type SearchFacets = {
  projects: ({
    project: QuickPlace
    count: number
  })[]
  trackers: ({
    tracker: QuickTracker
    count: number
  })[]
  is_open: ({
    is_open: boolean
    count: number
  })[]
  assignees: ({
    /** null: without an assignee. */
    user: UserMinimal | null
    count: number
  })[]
  changed_within: ({
    days: number
    count: number
  })[]
}

export type SearchedField = {
  name: string
  field_id: number
  type: string
}

/** For fields of type `sb`. */
export type SelectBoxInput = {
  field_id: number
  /** Ids of values, accounts or groups; null or 100: none. */
  bind_value_ids: (number | string | null)[]
}

export type SelectBoxValue = {
  field_id: number
  type: "sb"
  label: string
  values: (ListValue | UserOfValue | UserGroupOfTracker)[]
  /** For groups, the ids are strings. */
  bind_value_ids: (number | string)[]
}

/** By column name; the content of a cell depends on the type of the column. */
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

export type SessionConfirmation = {
  confirmed_on: string
  confirmed_until: string
}

/** Settings of the platform by which pages decide what they offer. */
export type SessionSettings = {
  project_creation: "everyone" | "approval" | "site_admins"
  who_may_invite: "everyone" | "project_admins" | "site_admins"
  restricted_users: boolean
  contact_email: string
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
  settings: SessionSettings
}

export type Settings = {
  platform_name: string
  contact_email: string
  anonymous_access: boolean
  anonymous_directory: boolean
  restricted_users: boolean
  registration: "closed" | "approval" | "open"
  who_may_invite: "everyone" | "project_admins" | "site_admins"
  project_creation: "everyone" | "approval" | "site_admins"
  /** Project administrators may import artifacts with authors and dates of another system. */
  may_import: boolean
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
  password_sign_in: "everywhere" | "browser" | "never"
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
  anonymous_directory?: boolean
  restricted_users?: boolean
  registration?: "closed" | "approval" | "open"
  who_may_invite?: "everyone" | "project_admins" | "site_admins"
  project_creation?: "everyone" | "approval" | "site_admins"
  /** Project administrators may import artifacts with authors and dates of another system. */
  may_import?: boolean
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
  password_sign_in?: "everywhere" | "browser" | "never"
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

export type SignInOptions = {
  /** A password signs in to the pages. */
  password: boolean
  providers: ({
    name: string
    label: string
    /** The page that leads to the provider; `return_to` names a path. */
    address: string
  })[]
}

export type StaticListDefinition = {
  type: "static"
  alphabetical?: boolean
  values?: ListValueDefinition[]
  default?: string[]
}

export type StatusChange = {
  /** The label of the field. */
  label: string
  from: {
    value: string
    color: string | null
  } | null
  to: {
    value: string
    color: string | null
  } | null
}

/** For fields of type `string`. */
export type StringInput = {
  field_id: number
  value: string
}

export type StringValue = {
  field_id: number
  type: "string"
  label: string
  value: string
}

export type SubmissionDateValue = {
  field_id: number
  type: "subon"
  label: string
  value: string
}

export type SubmitterValue = {
  field_id: number
  type: "subby"
  label: string
  value: UserOfValue
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
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
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
  uri: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources?: ({
    type: string
    uri: string
  })[]
  author: {
    id: number
    username: string
  } | null
  /** The author that the revision names. */
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
  /** Of the directory or the file in this revision. */
  uri: string
  kind: "dir" | "file"
  /** In bytes; null for a directory. */
  size: number | null
  last_revision: number
  last_author: string | null
  last_date: string | null
  /** Properties by their names. */
  props: Record<string, string>
}

export type TemporaryFile = {
  id: number
  /** The id of the uploader. */
  submitted_by: number
  description: string
  name: string
  /** In bytes. */
  size: number
  /** The media type as declared by the uploader. */
  type: string
  /** The download address; null until the file is attached. */
  html_url: string | null
  /** The preview, if the file is an image. */
  html_preview_url: string | null
  uri: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
}

/** For fields of type `text`. */
export type TextInput = {
  field_id: number
  value: string | {
    content: string
    format?: "text" | "html" | "commonmark"
  }
}

export type TextValue = {
  field_id: number
  type: "text"
  label: string
  /** The source; for `commonmark`, the rendered HTML. */
  value: string
  format: "text" | "html"
  /** The source. */
  commonmark?: string
  /** Sanitized HTML with references turned into links. */
  post_processed_value: string
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
  /** The used fields that the caller may read. */
  fields: TrackerField[]
  /** The form as a tree of the ids of all used elements. */
  structure: ({
    id: number
    /** The content of a container, in the same form. */
    content: unknown[] | null
  })[]
  semantics: SemanticsOfTracker
  /** Null if the caller may not read its field. */
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
  /** The version of the order of its artifacts. */
  rank_version: number
  /** Whether menus for new artifacts offer the tracker. */
  in_new_dropdown: boolean
  /** Texts for the form of a new artifact, and for the list of artifacts. */
  instructions: {
    submit: string
    browse: string
  }
  /** Only with `max_bytes`: the members that were cut, with their original size. */
  truncated?: ({
    path: string
    bytes: number
  })[]
}

/** A complete tracker without ids. */
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
  /** The default value of a new artifact. For lists, use `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the original of a shared field. */
  shared_from?: string | null
  /** The previous name. */
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
  /** The default value of a new artifact. For lists, use `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the original of a shared field. */
  shared_from?: string | null
  /** The previous name. */
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
  /** The default value of a new artifact. For lists, use `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the original of a shared field. */
  shared_from?: string | null
  /** The previous name. */
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
  /** The default value of a new artifact. For lists, use `bind`. */
  default?: unknown
  bind?: StaticListDefinition | UserListDefinition | GroupListDefinition | null
  permissions?: {
    read?: string[]
    submit?: string[]
    update?: string[]
  } | null
  /** `tracker.field`: the original of a shared field. */
  shared_from?: string | null
  /** The previous name. */
  renamed_from?: string
  content?: (Record<string, unknown>)[] | null
}

export type TrackerField = {
  field_id: number
  label: string
  name: string
  type: string
  /** The available values: a list, or an object; null for types without any. `subby` and `luby` have an empty list. */
  values: unknown
  required: boolean
  collapsed: boolean
  bindings: {
    type: string | null
    list: unknown[]
  }
  /** The permissions of the caller. */
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
  /** Whether a fieldset is hidden in the state of the artifact. */
  is_hidden?: boolean
}

export type TrackerMinimal = {
  id: number
  uri: string
  label: string
  color_name: string
  project: ProjectReference
  /** The reasons why a title alone cannot create an artifact; null if not requested. */
  cannot_create_reasons: string[] | null
  /** Whether menus for new artifacts offer the tracker. */
  in_new_dropdown?: boolean
}

export type TrackerOfArtifact = {
  id: number
  uri: string
  label: string
  color_name: string
  project: ProjectReference
  /** The reasons why a title alone cannot create an artifact; null if not requested. */
  cannot_create_reasons: string[] | null
  /** Whether menus for new artifacts offer the tracker. */
  in_new_dropdown?: boolean
  /** Fields that are read-only in its state. With `tracker_structure_format=state`. */
  frozen_fields?: number[]
  /** Fieldsets that are hidden in its state. With `tracker_structure_format=state`. */
  hidden_fieldsets?: number[]
}

export type TrackerPlan = {
  changes: ({
    op: "add" | "change" | "hide" | "unuse" | "delete"
    /** A JSON Pointer into the document; for removed parts, into the stored document. */
    path: string
    from: unknown
    to: unknown
    impact: {
      /** The number of artifacts that have a value there. */
      artifacts: number
      /** The number of reports of the tracker that use the field. */
      reports: number
    }
  })[]
  /** The reasons why the document would be refused; empty if it is valid. */
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
  view?: ReportView
  /** With `representation=full`, if the caller may change the report; otherwise null. */
  definition?: ReportDefinition | null
}

export type TrackerSettings = {
  submit_instructions?: string
  browse_instructions?: string
  allow_copy?: boolean
  instantiate_for_new_projects?: boolean
  log_priority_changes?: boolean
  notifications_level?: "all" | "none" | "status_change"
  private_comments?: boolean
  in_new_dropdown?: boolean
  allow_move?: boolean
  allow_deletion?: boolean
  require_precondition?: boolean
}

export type TrackerTemplate = {
  /** The name for `template` of a new tracker. */
  name: "bugs" | "tasks" | "scrum" | "requirements" | "risks" | "support"
  definition: TrackerDefinition
}

export type Transition = {
  id: number
  /** Null: a new artifact. */
  from_id: number | null
  to_id: number
  authorized_user_group_ids: string[]
  not_empty_field_ids: number[]
  is_comment_required: boolean
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
}

export type TransitionAction = {
  id: number
  type: "set_field_value" | "run_job" | "frozen_fields" | "hidden_fieldsets"
  field_type?: "date" | "int" | "float" | "duration"
  field_id?: number
  /** A number, of minutes for a duration; for a date `current`, empty to clear, or null. */
  value?: unknown
  job_url?: string
  field_ids?: number[]
  fieldset_ids?: number[]
}

/** Status values before and after. */
export type TransitionOfEvent = {
  from: number | null
  to: number | null
}

export type TrashEntry = {
  type: "artifact" | "tracker" | "project" | "repository"
  id: number
  uri: string
  /** The title, for an artifact. */
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
  /** Null if it is never purged. */
  purge_on: string | null
  /** Where to POST to restore it. */
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

export type UpdatedNotifications = {
  /** The entries that are different now. */
  changed: number[]
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
  /** In the language of the caller. Names are not translated. */
  label: string
  users_uri: string
  short_name: string
  key: string
  additional_information: Record<string, unknown>
  project: ProjectMinimal | null
}

export type UserGroupChanges = {
  /** Letters, digits, `_` and `-`. */
  short_name: string
}

export type UserGroupMinimal = {
  id: string
  uri: string
  /** In the language of the caller. Names are not translated. */
  label: string
  users_uri: string
  short_name: string
  key: string
}

export type UserGroupOfProject = {
  id: string
  uri: string
  /** In the language of the caller. Names are not translated. */
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

export type UserOfValue = {
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
  /** Null if the caller may not read it. */
  email: string | null
  /** `A` active, `R` restricted, `S` suspended, `D` deleted, `P` pending, `V` and `W` validated. */
  status: "A" | "R" | "S" | "D" | "P" | "V" | "W" | null
}

/** Further members depend on the type. */
export type Value = StringValue | TextValue | IntegerValue | FloatValue | DateValue | DurationValue | SelectBoxValue | RadioButtonsValue | MultiSelectBoxValue | CheckBoxesValue | OpenListValue | FileValue | ArtifactLinksValue | ArtifactPermissionsValue | ComputedValue | ArtifactIdValue | NumberInTrackerValue | SubmitterValue | SubmissionDateValue | LastUpdaterValue | LastUpdateDateValue | RankValue | CrossReferencesValue | BurndownValue | BurnupValue

/** A Value of any type, also of one that these types do not know. */
export type AnyValue = {
  field_id: number
  type: string
  label: string
} & Record<string, unknown>

export const VALUE_TYPES: readonly string[] = [
  'string',
  'text',
  'int',
  'float',
  'date',
  'duration',
  'sb',
  'rb',
  'msb',
  'cb',
  'tbl',
  'file',
  'art_link',
  'perm',
  'computed',
  'aid',
  'atid',
  'subby',
  'subon',
  'luby',
  'lud',
  'priority',
  'cross',
  'burndown',
  'burnup',
]

/** Further members depend on the type of the field. */
export type ValueItem = StringInput | TextInput | IntegerInput | FloatInput | DateInput | DurationInput | SelectBoxInput | RadioButtonsInput | MultiSelectBoxInput | CheckBoxesInput | OpenListInput | FileInput | ArtifactLinksInput | ArtifactPermissionsInput | ComputedInput | AnyValueItem

export type Version = {
  flavor_name: string
  version_number: string
  /** The commit that this release was built from; null if the server runs from its sources. */
  commit: string | null
}

export type Watch = {
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  level: "all" | "status" | "mentions" | "none"
  /** The address of the object or settings that this level is inherited from; null: it was chosen for this object. */
  inherited_from: string | null
}

export type WatchedObject = {
  /** Its address below `/api`. */
  object: string
  /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
  level: "all" | "status" | "mentions" | "none"
  /** The name of the project or tracker, or the title of the artifact. */
  label: string
  /** The reference of an artifact; null for others. */
  xref: string | null
  /** The address of its page. */
  html_url: string
}

export type Webhook = {
  id: number
  uri: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
  url: string
  events: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format: "form" | "json"
  /** `original`: the format of the original product, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload: "original" | "event"
  /** The account whose permissions cut the payload. Null, for hooks of trackers: all fields of the artifacts of that tracker, and of everything else what the owner may read. */
  as_user: number | null
  /** Each delivery waits for the previous one. */
  ordered: boolean
  active: boolean
  /** `paused` by the platform: see `state_reason`. `off`: switched off, by people or by the receiver (410). */
  state: "ok" | "failing" | "paused" | "off"
  /** `owner_lost_rights`: the owner no longer administers the tracker or project, or cannot sign in. `receiver_failing`: nothing was delivered for 3 days. `receiver_gone`: the receiver answered 410. */
  state_reason: "owner_lost_rights" | "receiver_failing" | "receiver_gone" | null
  last_status: number | null
  /** Its cursor in the feed: later events are still to be planned. */
  place: string
  owner: OwnerOfWebhook | null
  created_by: PersonOfWebhook | null
  created_on: string
}

export type WebhookChange = {
  /** http or https, with a public address. */
  url?: string
  /** Event types; `artifact.*` stands for all types with that prefix. */
  events?: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format?: "form" | "json"
  /** `original`: the format of the original product, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload?: "original" | "event"
  /** The account whose permissions cut the payload. Null, for hooks of trackers: all fields of the artifacts of that tracker, and of everything else what the owner may read. */
  as_user?: number | null
  /** Each delivery waits for the previous one. */
  ordered?: boolean
  /** True also ends a pause: the hook continues at `place`. */
  active?: boolean
}

/** The event of the feed, with the version that it is about and the one before it; both are null for events that are not about an artifact. Cut to the permissions of the viewer of the webhook. */
export type WebhookEvent = {
  /** Its cursor in the feed, for `after` and `Last-Event-ID`. */
  id: string
  type: string
  on: string
  /** The address of the object, below `/api`. */
  object: string | null
  project: Named | null
  tracker: Named | null
  actor: PersonOfEvent | null
  version: number | null
  /** Changed fields and members that the caller may read. */
  changed: string[]
  /** There is a comment that the caller may read. */
  has_comment: boolean
  /** The event sends no notifications. */
  silent: boolean
  transition?: TransitionOfEvent
  member?: PersonOfEvent
  /** Revision of the commit. */
  revision?: number
  /** Directories with changes of the commit, those of the first 100 that the caller may read. */
  directories?: string[]
  /** The tab that made the change, if it is one of the caller's. */
  client_uuid: string | null
  /** The request that made the change, if it is the caller's. */
  request_id: string | null
  current: Changeset | null
  previous: Changeset | null
}

export type WebhookPing = {
  id: string
  type: "ping"
  on: string
  /** The address of the webhook, below `/api`. */
  object: string
  project: Named
  tracker: Named | null
}

export type WebhookSecret = {
  secret: string
}

export type WebhookWithSecret = {
  id: number
  uri: string
  /** Addresses below this one that the caller may read, relative to the base address. */
  resources: ({
    type: string
    uri: string
  })[]
  url: string
  events: string[]
  /** `form`: one field `payload` that holds the JSON text. `json`: the same as the body itself. */
  format: "form" | "json"
  /** `original`: the format of the original product, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`. */
  payload: "original" | "event"
  /** The account whose permissions cut the payload. Null, for hooks of trackers: all fields of the artifacts of that tracker, and of everything else what the owner may read. */
  as_user: number | null
  /** Each delivery waits for the previous one. */
  ordered: boolean
  active: boolean
  /** `paused` by the platform: see `state_reason`. `off`: switched off, by people or by the receiver (410). */
  state: "ok" | "failing" | "paused" | "off"
  /** `owner_lost_rights`: the owner no longer administers the tracker or project, or cannot sign in. `receiver_failing`: nothing was delivered for 3 days. `receiver_gone`: the receiver answered 410. */
  state_reason: "owner_lost_rights" | "receiver_failing" | "receiver_gone" | null
  last_status: number | null
  /** Its cursor in the feed: later events are still to be planned. */
  place: string
  owner: OwnerOfWebhook | null
  created_by: PersonOfWebhook | null
  created_on: string
  /** Only this response contains it. */
  secret: string
}

export type WholeDelivery = {
  id: number
  uri: string
  /** The feed cursor of the event, the same on every attempt. */
  event_id: string
  event: string
  state: "waiting" | "delivered" | "retrying" | "failed" | "parked"
  attempts: number
  /** Status of the last response. */
  status: number | null
  duration_ms: number | null
  /** Why the last attempt failed. */
  error: string | null
  on: string
  request: DeliveryRequest | null
  answer: DeliveryAnswer | null
  /** The caller may read nothing of the body now: it is left out. */
  body_withheld: boolean
  /** Parts of the body that the caller may not read now are left out. */
  body_cut: boolean
}

export type Widget = {
  /** A chart of a report, the number of its artifacts, its first rows, or a text. All but `note` need `report_id`. */
  type: "chart" | "count" | "report" | "note"
  title: string | null
  report_id: number | null
  /** Null for a note, and if the report is deleted or the caller may not see it. */
  report: ReportOfWidget | null
  by: string | null
  /** A chart of the counts over this time; absent: of the current counts. */
  span: "month" | "quarter" | "year" | null
  text: string | null
  /** The text as safe HTML; in a project, references are links. */
  html: string | null
}

export type WidgetInput = {
  /** A chart of a report, the number of its artifacts, its first rows, or a text. All but `note` need `report_id`. */
  type: "chart" | "count" | "report" | "note"
  /** Absent: the label of the report. */
  title?: string
  /** The report that it shows. */
  report_id?: number
  /** The field that a chart counts by, as `by` of `GET /trackers/{id}/artifacts/groups`; default `@status`. */
  by?: string
  /** A chart of the counts over this time; absent: of the current counts. */
  span?: "month" | "quarter" | "year"
  /** Markdown, of a note. */
  text?: string
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
  /** 0 if there is no workflow. */
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
    /** For administrators of the tracker. */
    uri?: string
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: User
  }
  /** Change a user. */
  'PATCH /users/{id}': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    body: {
      values: UserChanges
    } | UserChanges
    answer: boolean
  }
  /** Erase a person, and keep their work. */
  'DELETE /users/{id}': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
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
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query: {
      /** The name of the preference. */
      key: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Preference
  }
  /** Set a preference of your own. */
  'PATCH /users/{id}/preferences': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
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
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query: {
      /** The name of the preference. */
      key: string
    }
    answer: undefined
  }
  /** Set your picture. */
  'PUT /users/{id}/avatar': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    body: NewAvatar
    answer: undefined
  }
  /** Delete the picture of an account. */
  'DELETE /users/{id}/avatar': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    answer: undefined
  }
  /** Ask for a file with all that is kept about you; a mail says when it is ready. */
  'POST /users/self/export': {
    answer: undefined
  }
  /** Show how it stands with the file that you asked for. */
  'GET /users/self/export': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: PersonalExport
  }
  /** Download the file that you asked for: it is there for 7 days. */
  'GET /users/self/export/content': {
    answer: string
  }
  /** List your access keys. */
  'GET /users/{id}/access_keys': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: SessionWithUser
  }
  /** Sign out. */
  'DELETE /session': {
    answer: undefined
  }
  /** Confirm the password of the session. Sensitive changes need this within the last 15 minutes. */
  'POST /session/confirmation': {
    body: PasswordConfirmation
    answer: SessionConfirmation
  }
  /** List your own live sessions, last used first. */
  'GET /users/self/sessions': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
  /** List the invitations that you have sent and that can still be accepted; site administrators see all. */
  'GET /invitations': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: PendingInvitation[]
  }
  /** Revoke an invitation that you sent, or one to a project that you administer. */
  'DELETE /invitations/{token}': {
    path: {
      /** The id of the invitation, not its secret. */
      token: number
    }
    answer: undefined
  }
  /** Show what a mailed invitation is for. */
  'GET /invitations/{token}': {
    path: {
      /** The secret of the mailed link. */
      token: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
  /** Give an invitation a new link, and show it once. */
  'POST /invitations/{token}/link': {
    path: {
      /** The id of the invitation, not its secret. */
      token: number
    }
    answer: InvitationLink
  }
  /** Show whether people can ask for an account. */
  'GET /registrations': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: RegistrationSetting
  }
  /** Ask for an account of your own; the mail says how it goes on. */
  'POST /registrations': {
    body: Registration
    answer: undefined
  }
  /** Show how people can sign in. */
  'GET /sign_in_options': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: SignInOptions
  }
  /** List the providers by which people sign in. */
  'GET /identity_providers': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: IdentityProvider[]
  }
  /** Add a provider by which people sign in. */
  'POST /identity_providers': {
    body: NewIdentityProvider
    answer: IdentityProvider
  }
  /** Show a provider by which people sign in. */
  'GET /identity_providers/{name}': {
    path: {
      /** The name of the provider. */
      name: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: IdentityProvider
  }
  /** Change a provider by which people sign in. */
  'PATCH /identity_providers/{name}': {
    path: {
      /** The name of the provider. */
      name: string
    }
    body: IdentityProviderChanges
    answer: IdentityProvider
  }
  /** Remove a provider by which people sign in. */
  'DELETE /identity_providers/{name}': {
    path: {
      /** The name of the provider. */
      name: string
    }
    answer: undefined
  }
  /** Look whether a provider can sign people in. */
  'POST /identity_providers/{name}/test': {
    path: {
      /** The name of the provider. */
      name: string
    }
    answer: IdentityProviderTest
  }
  /** End the sessions that a provider reports as signed out (back-channel logout). */
  'POST /identity_providers/{name}/logout': {
    path: {
      /** The name of the provider. */
      name: string
    }
    body: LogoutNotice
    answer: undefined
  }
  /** List the directories (LDAP) whose people sign in. */
  'GET /directories': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Directory[]
  }
  /** Add a directory (LDAP) whose people sign in with their password there. */
  'POST /directories': {
    body: NewDirectory
    answer: Directory
  }
  /** Show a directory (LDAP) whose people sign in. */
  'GET /directories/{name}': {
    path: {
      /** The name of the directory. */
      name: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Directory
  }
  /** Change a directory (LDAP) whose people sign in. */
  'PATCH /directories/{name}': {
    path: {
      /** The name of the directory. */
      name: string
    }
    body: DirectoryChanges
    answer: Directory
  }
  /** Remove a directory (LDAP) whose people sign in. */
  'DELETE /directories/{name}': {
    path: {
      /** The name of the directory. */
      name: string
    }
    answer: undefined
  }
  /** Look whether a directory can sign people in. */
  'POST /directories/{name}/test': {
    path: {
      /** The name of the directory. */
      name: string
    }
    answer: DirectoryTest
  }
  /** List the projects that the caller may enter. */
  'GET /projects': {
    query?: {
      /** A JSON object with one of `shortname`, `is_tracker_admin`, `with_status`, `is_member_of`, `is_admin_of`, `is_template`. Templates are those that the caller may create a project from: none, if they may not create projects. */
      query?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Project[]
  }
  /** Create a project from a template. */
  'POST /projects': {
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
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
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Project
  }
  /** Change a project: label, description, icon, access, status, or whether it is a template. */
  'PATCH /projects/{id}': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: ProjectChanges
    answer: Project
  }
  /** Move a project and everything in it to the trash; it is hidden from everyone at once. A dry run counts it. */
  'DELETE /projects/{id}': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** Restore a project and everything in it from the trash, in the status that it had. */
  'POST /projects/{id}/restoration': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: Project
  }
  /** List the user groups of a project. */
  'GET /projects/{id}/user_groups': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `{"with_system_user_groups":true}` */
      query?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: UserGroupOfProject[]
  }
  /** List the labels of a project. */
  'GET /projects/{id}/labels': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** A part of the label. */
      query?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: {
      /** Plain text, not empty. */
      message: string
    }
  }
  /** Set the banner of a project. */
  'PUT /projects/{id}/banner': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      /** Plain text, not empty. */
      message: string
    }
    answer: undefined
  }
  /** Delete the banner of a project. */
  'DELETE /projects/{id}/banner': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** List the services of a project. */
  'GET /projects/{id}/project_services': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      is_enabled: boolean
    }
    answer: undefined
  }
  /** Find the references in a text. */
  'POST /projects/{id}/extract_references': {
    path: {
      /** The project that the text belongs to, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    body: {
      text: string
    }
    answer: ({
      text: string
      link: string
      /** The preceding word that names an action, as in `closes art #7`. */
      context: string
    })[]
  }
  /** Find artifacts, trackers, projects, people, files and commits while a query is typed. */
  'GET /search': {
    query: {
      /** Beginnings of words and `"phrases"` that must all match; or an id, `#105` or `bug #105`. Words of fewer than three letters are searched in titles and names only. */
      query: string
      /** Only artifacts and trackers of this project; its members come first among people. */
      project?: number
      /** Only this kind; the lists of the others are empty. Files and commits are found only if they are asked for. */
      only?: "artifacts" | "trackers" | "projects" | "people" | "files" | "commits"
      /** Hits of each kind. Default: 8. */
      limit?: number
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: QuickHits
  }
  /** Find artifacts, projects and repositories by keywords. */
  'POST /search': {
    query?: {
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    body: {
      /** Words and `"phrases"` that must all match; the last word also matches as a prefix. */
      keywords: string
      types?: ("artifact" | "project" | "repository")[]
      /** Only results in this project. */
      project?: number
      /** Only artifacts of this tracker. */
      tracker?: number
      /** Only open artifacts, or only closed ones. */
      is_open?: boolean
    }
    answer: Found[]
  }
  /** Find artifacts by words, with counts by project, tracker, status, assignee and date. */
  'GET /search/artifacts': {
    query: {
      /** As in `GET /search`: beginnings of words and `"phrases"` that must all match, an id or a reference. */
      query: string
      /** Only artifacts of this project. */
      project?: number
      /** Only artifacts of this tracker. */
      tracker?: number
      /** Only open artifacts, or only closed ones. */
      is_open?: boolean
      /** Only artifacts of this assignee; 0: only those without an assignee. */
      assignee?: number
      /** Only artifacts changed in this number of days. */
      changed_within?: number
      /** `relevance`: by where the words are, the default; `newest`: the last changed first. */
      sort?: "relevance" | "newest"
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 20. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: FacetedHits
  }
  /** Always empty: there is no git here. */
  'GET /projects/{id}/git': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Without effect. */
      fields?: "basic" | "all"
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: {
      repositories: unknown[]
    }
  }
  /** Always empty: there is no milestones here. */
  'GET /projects/{id}/milestones': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** Always empty: there is no plannings here. */
  'GET /projects/{id}/plannings': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** Always empty: there is no backlog here. */
  'GET /projects/{id}/backlog': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: unknown[]
  }
  /** List the audit log of a project, newest first. */
  'GET /projects/{id}/audit': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: ProjectAuditEntry[]
  }
  /** List the invitations to a project that can still be accepted. */
  'GET /projects/{id}/invitations': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: PendingInvitation[]
  }
  /** List the members of a project. */
  'GET /projects/{id}/members': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: UserMinimal[]
  }
  /** Create a user group in a project. */
  'POST /user_groups': {
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: UserGroup
  }
  /** Rename a user group. */
  'PATCH /user_groups/{id}': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: UserGroupChanges
    answer: UserGroup
  }
  /** Delete a user group that nothing refers to. */
  'DELETE /user_groups/{id}': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      /** Each has exactly one of `id`, `username`, `email`, `ldap_id`; all must use the same one. */
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
  /** Add people to a group, and remove others. All other members stay. */
  'PATCH /user_groups/{id}/users': {
    path: {
      /** The user group: `101_3`, or `108`. */
      id: string
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: GroupUserChanges
    answer: undefined
  }
  /** List the groups that a user is in. */
  'GET /users/{id}/membership': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query?: {
      scope?: "project"
      /** With `scope=project` only. */
      format?: "id" | "full"
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: (string | UserGroup)[]
  }
  /** List the trackers of a project that the caller may see. */
  'GET /projects/{id}/trackers': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Defaults to `full`. */
      representation?: "full" | "minimal"
      /** `{"is_tracker_admin":true}`: only those that the caller administers. */
      query?: string
      /** With `minimal`: the reasons why a value for this semantic alone cannot create an artifact. */
      with_creation_semantic_check?: ("title")[]
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: (Tracker | TrackerMinimal)[]
  }
  /** Create a tracker from a definition, from a template, or as a copy of another one. */
  'POST /projects/{id}/trackers': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
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
      /** The tracker to copy; only `label` and `item_name` may be given with it. */
      copy_from?: {
        id: number
      }
      /** The template to use; only `label` and `item_name` may be given with it. */
      template?: "bugs" | "tasks" | "scrum" | "requirements" | "risks" | "support"
    }
    answer: Tracker
  }
  /** List the prepared comments of a tracker. */
  'GET /trackers/{id}/canned_responses': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 100. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: CannedResponse[]
  }
  /** Show the version of the order of artifacts in a tracker; its `Etag` is for `If-Match`. */
  'GET /trackers/{id}/rank': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: RankOfTracker
  }
  /** Move artifacts before or after another one, in the order of their tracker. */
  'PUT /trackers/{id}/rank': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    body: {
      /** The artifacts to move, in their new order. */
      ids: number[]
      /** The artifact that follows them. Or `after`. */
      before?: number
      /** The artifact that precedes them. Or `before`. */
      after?: number
    }
    answer: RankOfTracker
  }
  /** List the moves of an artifact in the order of its tracker, newest first, if the tracker records them. */
  'GET /artifacts/{id}/rank_changes': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: RankChange[]
  }
  /** Show a tracker with its structure. */
  'GET /trackers/{id}': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
    }
    answer: Tracker
  }
  /** Rename a tracker, change its colour or parent; create, switch or delete its workflow. */
  'PATCH /trackers/{id}': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `{"workflow":{…}}`; can also be sent as the body. */
      query?: string
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body?: {
      workflow?: {
        /** Deletes the workflow. */
        delete_transitions_rules?: true
        set_transitions_rules?: {
          /** Creates a workflow on this field. */
          field_id?: number
          /** Switches it on or off. */
          is_used?: boolean
        }
        is_legacy?: false
        /** Advanced mode: conditions and actions belong to each transition instead of each value. */
        is_advanced?: boolean
      }
      label?: string
      /** Letters, digits and `_`; unique in the project. Begins references. */
      item_name?: string
      description?: string
      /** A colour of the palette. */
      color_name?: string
      /** A tracker of the same project, or null for none. */
      parent?: {
        id: number
      } | null
    }
    answer: Tracker
  }
  /** Move a tracker and its artifacts to the trash. */
  'DELETE /trackers/{id}': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** List the types of the links that start in a tracker. */
  'GET /trackers/{id}/used_artifact_links': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: ({
      /** Empty for links without a type. */
      shortname: string
      forward_label: string
    })[]
  }
  /** List the open artifacts that could be parents of those in a tracker. */
  'GET /trackers/{id}/parent_artifacts': {
    path: {
      /** The tracker of the children, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 100. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
  /** List the link types of the platform. */
  'GET /link_types': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: LinkType[]
  }
  /** Create a link type for all projects, as a site administrator. */
  'POST /link_types': {
    body: {
      /** Letters a to z and `_`, beginning with a letter. It never changes: links and queries use it. */
      shortname: string
      forward_label: string
      reverse_label: string
    }
    answer: LinkType
  }
  /** Show a link type. */
  'GET /link_types/{name}': {
    path: {
      /** The short name of the link type. */
      name: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: LinkType
  }
  /** Rename a link type: change its labels. Its links are kept. */
  'PATCH /link_types/{name}': {
    path: {
      /** The short name of the link type. */
      name: string
    }
    body: {
      forward_label?: string
      reverse_label?: string
    }
    answer: LinkType
  }
  /** Delete a link type that is not used, not even by artifacts in the trash. */
  'DELETE /link_types/{name}': {
    path: {
      /** The short name of the link type. */
      name: string
    }
    answer: undefined
  }
  /** List all link types, and whether each is enabled in a project. */
  'GET /projects/{id}/link_types': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: ProjectLinkType[]
  }
  /** Show a link type, and whether it is enabled in a project. */
  'GET /projects/{id}/link_types/{name}': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
      /** The short name of the link type. */
      name: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: ProjectLinkType
  }
  /** Enable or disable new links of a type in a project. Existing links are kept. */
  'PUT /projects/{id}/link_types/{name}': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
      /** The short name of the link type. */
      name: string
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      enabled: boolean
    }
    answer: ProjectLinkType
  }
  /** Rename, describe, use or move an element of a tracker, add values to it, or limit them on boards. */
  'PATCH /tracker_fields/{id}': {
    path: {
      /** The element. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      label?: string
      /** Small letters, digits, `_` and `-`. */
      name?: string
      description?: string
      use_it?: boolean
      /** Appended to the values of a select box or of radio buttons. */
      new_values?: string[]
      /** Limits of the columns that a board has for values of a select box or of radio buttons. */
      limits?: ({
        value_id: number
        /** The most artifacts that its column of a board should hold; null: no limit. */
        limit: number | null
      })[]
      move?: {
        /** Null: the root. */
        parent_id?: number | null
        /** Null: the last. */
        next_sibling_id?: number | null
      }
    }
    answer: TrackerField
  }
  /** Delete an element that is not in use. Stored values stay in the history of the artifacts. */
  'DELETE /tracker_fields/{id}': {
    path: {
      /** The element. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** Announce a file for a field; then upload it in any number of parts (tus 1.0.0) to `upload_href`. */
  'POST /tracker_fields/{id}/files': {
    path: {
      /** The field. */
      id: number
    }
    body: {
      name: string
      /** In bytes; at most `max_size_upload` of the field. */
      file_size: number
      /** The media type; for display only. */
      file_type?: string
      description?: string
    }
    answer: {
      /** The id to use in the value of the field after the upload is complete. */
      id: number
      /** The address of the file; visible to you only until it is attached. */
      download_href: string
      /** The upload address, valid for 4 hours; null for an empty file. */
      upload_href: string | null
    }
  }
  /** Add a transition to the workflow of a tracker. */
  'POST /tracker_workflow_transitions': {
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Transition
  }
  /** Set the conditions of a transition; in simple mode, of all transitions to the same value. */
  'PATCH /tracker_workflow_transitions/{id}': {
    path: {
      /** The transition. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      /** The groups that may perform it; at least one. */
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
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** Show the actions of a transition. */
  'GET /tracker_workflow_transitions/{id}/actions': {
    path: {
      /** The transition. */
      id: number
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: TransitionAction[]
  }
  /** Replace the actions of a transition; in simple mode, of all transitions to the same value. */
  'PUT /tracker_workflow_transitions/{id}/actions': {
    path: {
      /** The transition. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      post_actions: ({
        /** Absent: a new one. */
        id?: number | null
        type: "set_field_value" | "run_job" | "frozen_fields" | "hidden_fieldsets"
        field_type?: "date" | "int" | "float" | "duration"
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
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: TrackerReport[]
  }
  /** Save a search as a report: private, or public for everyone who may see the tracker. */
  'POST /trackers/{id}/tracker_reports': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
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
      /** `full` includes the definition of the report; defaults to `minimal`. */
      representation?: "minimal" | "full"
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: TrackerReportFull
  }
  /** Replace a report. It can be made public or private, and keeps its id. */
  'PUT /tracker_reports/{id}': {
    path: {
      /** The report. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
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
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** List the artifacts of a report that the caller may see. */
  'GET /tracker_reports/{id}/artifacts': {
    path: {
      /** The report. */
      id: number
    }
    query?: {
      /** Includes all values, or those of the columns. */
      values?: "all" | "from_table_renderer"
      /** The table, if there are several. */
      table_renderer_id?: number
      /** Flat: a scalar or labels by field name. */
      output_format?: "nested" | "flat" | "flat_with_semicolon_string_array"
      /** Without effect: reports have no unsaved changes here. */
      with_unsaved_changes?: boolean
      /** Separator of CSV cells. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV starts with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV texts are not escaped, even if they look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: (Artifact | Record<string, unknown>)[]
  }
  /** List the artifacts of a tracker, or those that match criteria or a query. */
  'GET /trackers/{id}/artifacts': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Includes the values of every field; so does `values` in `fields`. */
      values?: "all"
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A query text; criteria take precedence. */
      expert_query?: string
      /** Ascending by default; `ORDER BY` takes precedence. */
      order?: "asc" | "desc"
      /** By id (default), or in the order of the tracker; `ORDER BY` takes precedence. */
      order_by?: "id" | "rank"
      /** With `AS OF`: shows the values of that moment instead of the current ones. */
      values_as_of?: boolean
      /** Leaves out `X-PAGINATION-SIZE` if counting takes more than 300 ms; `Link` then has `rel="size"`, a page without rows that has the size. */
      size?: "later"
      /** Returns the query plan instead of the result. */
      explain?: boolean
      /** Separator of CSV cells. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV starts with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV texts are not escaped, even if they look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 100. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Artifact[] | Explanation
  }
  /** Count the artifacts of a tracker, or those that match criteria or a query, in groups. */
  'GET /trackers/{id}/artifacts/groups': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query: {
      /** One or two, separated by a comma: fields of lists, people and dates, `@status`, `@assigned_to`, `@parent`, `is_open`. A date has a bucket, as in `due:month`: `day`, `week`, `month`, `quarter` or `year`. */
      by: string
      /** Up to three number fields to sum in each group. */
      sum?: string
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A query text; criteria take precedence. */
      expert_query?: string
      /** A saved report of the tracker, instead of criteria or a query. */
      report?: number
      /** Sorts the largest groups first; in a series, the largest over all steps. Otherwise by key. */
      order?: "count"
      /** Includes list values without artifacts. */
      empty?: boolean
      /** The same counts at the end of each of these steps, from history. */
      over?: "day" | "week" | "month"
      /** A day or an instant of the first step. */
      from?: string
      /** A day or an instant of the last step; now by default. */
      to?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 200. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: GroupCounts | GroupCountSeries | Explanation
  }
  /** Count the changes of the artifacts of a tracker over time. */
  'GET /trackers/{id}/changes': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** The first day or instant; the first change by default. */
      from?: string
      /** The last instant, included; now by default. */
      to?: string
      /** The number of steps. Default: 100. */
      steps?: number
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: ChangeCounts
  }
  /** Create and update many artifacts, line by line. */
  'POST /trackers/{id}/artifacts/bulk': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false` sends no mail notifications. Only tracker administrators may set it. */
      notify?: boolean
      /** Stop after the batch of the first line that fails. */
      stop_on_error?: boolean
      /** CSV texts are taken as they are: they have no guard against formulas. */
      raw?: boolean
    }
    answer: string
  }
  /** List the imports into a project, newest first. */
  'GET /projects/{id}/imports': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Import[]
  }
  /** Begin an import into a project, which is hidden until the import is finished. */
  'POST /projects/{id}/imports': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    body: {
      /** The system that the artifacts come from. The history shows it. */
      source: string
    }
    answer: Import
  }
  /** Show an import and how many artifacts it has. */
  'GET /imports/{id}': {
    path: {
      /** The import. */
      id: number
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Import
  }
  /** Finish an import: the project becomes visible again. */
  'PATCH /imports/{id}': {
    path: {
      /** The import. */
      id: number
    }
    body: {
      state: "finished"
    }
    answer: Import
  }
  /** Import artifacts with their history, line by line, without notifications. */
  'POST /imports/{id}/items': {
    path: {
      /** The import. */
      id: number
    }
    query?: {
      /** Stop after the batch of the first line that fails. */
      stop_on_error?: boolean
    }
    answer: string
  }
  /** Show several artifacts by their ids. */
  'GET /artifacts': {
    query: {
      /** `{"id":[12,15]}`: at most 100, each once. */
      query: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 100. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: {
      collection: Artifact[]
    }
  }
  /** Create an artifact. */
  'POST /artifacts': {
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      tracker: {
        id: number
      }
      values?: ValueItem[]
      /** By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins. */
      values_by_field?: Record<string, unknown>
      comment?: NewComment | null
      /** Copies only its title; no rule is checked. */
      from_artifact?: {
        id: number
      }
    }
    answer: CreatedArtifact
  }
  /** List the open artifacts that you submitted or that are assigned to you, latest update first. */
  'GET /users/{id}/artifacts': {
    path: {
      /** The user; `self` or `me` is who asks, or the login: `@mara`. */
      id: number | "self" | "me" | `@${string}`
    }
    query: {
      /** `{"submitted_by":true,"assigned_to":true}`: one of them, or both combined by "or". */
      query: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
      /** Rows per page. Default: 250. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: OwnArtifact[]
  }
  /** List your favourites. */
  'GET /users/self/favourites': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: ListedObject[]
  }
  /** Add this artifact to your favourites. */
  'PUT /artifacts/{id}/favourite': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Remove this artifact from your favourites. */
  'DELETE /artifacts/{id}/favourite': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Add this tracker to your favourites. */
  'PUT /trackers/{id}/favourite': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Remove this tracker from your favourites. */
  'DELETE /trackers/{id}/favourite': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Add this project to your favourites. */
  'PUT /projects/{id}/favourite': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Remove this project from your favourites. */
  'DELETE /projects/{id}/favourite': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** List what you have opened on the pages recently, newest first. */
  'GET /users/self/recently_seen': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: ListedObject[]
  }
  /** Put this artifact first in the list of what you have seen recently. */
  'PUT /artifacts/{id}/seen': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Put this tracker first in the list of what you have seen recently. */
  'PUT /trackers/{id}/seen': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Put this project first in the list of what you have seen recently. */
  'PUT /projects/{id}/seen': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    answer: undefined
  }
  /** Show columns of the artifacts that a query finds in several trackers. */
  'GET /crosstracker_query/content': {
    query: {
      /** `{"tql_query":"SELECT @pretty_title FROM @project = 'self' WHERE @status = OPEN()","project_id":101}`; the project is the meaning of `self`, and may be omitted if the query names its projects. */
      query: string
      /** Returns the query plan instead of the result. */
      explain?: boolean
      /** Separator of CSV cells. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV starts with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV texts are not escaped, even if they look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: {
      selected: SelectedColumn[]
      artifacts: SelectedCells[]
    } | Explanation
  }
  /** Show an artifact in its current or a past state. */
  'GET /artifacts/{id}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** The form of values; a list by default. */
      values_format?: "collection" | "by_field" | "all"
      /** Which types `values_by_field` lists. */
      by_field_types?: "alphanumeric" | "all"
      tracker_structure_format?: "minimal" | "complete" | "state"
      /** The number of a version, from 1. */
      version?: number
      /** An instant; a day means its end. */
      at?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
    }
    answer: Artifact
  }
  /** Change values of an artifact, comment on it, or both. */
  'PUT /artifacts/{id}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** The form of values; a list by default. */
      values_format?: "collection" | "by_field" | "all"
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      values?: ValueItem[]
      /** By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins. */
      values_by_field?: Record<string, unknown>
      comment?: NewComment | null
    }
    answer: Artifact
  }
  /** Move an artifact to another tracker. */
  'PATCH /artifacts/{id}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      move: {
        /** The target tracker. */
        tracker_id: number
        /** Only report how its fields would migrate. */
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
  /** Move an artifact to the trash. With `purge`, permanently remove one that is in the trash. */
  'DELETE /artifacts/{id}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only site administrators. */
      purge?: boolean
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** List the versions of an artifact that show the caller something. */
  'GET /artifacts/{id}/changesets': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** `comments`: only versions with a comment, without values. */
      fields?: "all" | "comments"
      /** The order of the whole list; oldest first by default. */
      order?: "asc" | "desc"
      /** Adds `changes`: the difference to the previous version. */
      diff?: boolean
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Changeset[]
  }
  /** Show one version of an artifact. */
  'GET /artifacts/{id}/changesets/{changeset_id}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version, not its number. */
      changeset_id: number
    }
    query?: {
      /** Adds `changes`: the difference to the previous version. */
      diff?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Changeset
  }
  /** Show a comment with its earlier texts. */
  'GET /artifacts/{id}/changesets/{changeset_id}/comment': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version with the comment. */
      changeset_id: number
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Comment
  }
  /** Change the text of a comment. */
  'PUT /artifacts/{id}/changesets/{changeset_id}/comment': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version with the comment. */
      changeset_id: number
    }
    body: {
      /** The new text. */
      body: string
      /** `commonmark` by default. */
      format?: "text" | "html" | "commonmark"
    }
    answer: Comment
  }
  /** Delete a comment. */
  'DELETE /artifacts/{id}/changesets/{changeset_id}/comment': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version with the comment. */
      changeset_id: number
    }
    answer: undefined
  }
  /** React to a comment. */
  'PUT /artifacts/{id}/changesets/{changeset_id}/comment/reactions/{reaction}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version with the comment. */
      changeset_id: number
      /** The reaction. */
      reaction: "thumbs_up" | "thumbs_down" | "heart" | "laugh" | "celebrate" | "eyes"
    }
    answer: undefined
  }
  /** Take back a reaction to a comment. */
  'DELETE /artifacts/{id}/changesets/{changeset_id}/comment/reactions/{reaction}': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
      /** The `id` of the version with the comment. */
      changeset_id: number
      /** The reaction. */
      reaction: "thumbs_up" | "thumbs_down" | "heart" | "laugh" | "celebrate" | "eyes"
    }
    answer: undefined
  }
  /** List the link types of an artifact, with the address of each list of links. */
  'GET /artifacts/{id}/links': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: {
      natures: ({
        /** Empty for links without a type. */
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
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: {
      all_links: ({
        /** The artifact at the other end. */
        id: unknown
        /** Required; empty for a link without a type. */
        type?: unknown
        /** `forward` (the default) or `reverse`. */
        direction?: unknown
      })[]
    }
    answer: Artifact
  }
  /** List the artifacts that an artifact links to, or that link to it. */
  'GET /artifacts/{id}/linked_artifacts': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query: {
      /** `forward`: the artifacts that it links to. */
      direction: "forward" | "reverse"
      /** The type of the links; if absent, links without a type. */
      nature?: string
      /** Flat: a scalar or labels by field name. */
      output_format?: "nested" | "flat" | "flat_with_semicolon_string_array"
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: {
      collection: Artifact[]
    } | (Record<string, unknown>)[]
  }
  /** Restore an artifact from the trash. */
  'POST /artifacts/{id}/restore': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: Artifact
  }
  /** Copy an artifact: the values that you may read and may submit in the target tracker. */
  'POST /artifacts/{id}/copy': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body?: {
      /** The target tracker, if not its own. */
      tracker?: {
        id: number
      }
      /** Values that replace copied ones. */
      values?: ValueItem[]
      /** By field name: `{"value": …}`, or the bare value. Lists accept labels, people fields accept logins. */
      values_by_field?: Record<string, unknown>
      /** `none` by default. */
      links?: "none" | "forward"
      /** Includes its attachments; true by default. */
      files?: boolean
      /** Includes its comments, as one text. */
      comments?: boolean
    }
    answer: CopiedArtifact
  }
  /** List the deleted artifacts of a tracker, latest first. */
  'GET /trackers/{id}/trash': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: DeletedArtifact[]
  }
  /** List the trash of a project, latest first. */
  'GET /projects/{id}/trash': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: TrashEntry[]
  }
  /** List the trash of all projects, latest first. */
  'GET /trash': {
    query?: {
      type?: "artifact" | "tracker" | "project" | "repository"
      /** Only the trash of this project. */
      project?: number
      /** From this day or instant on. */
      from?: string
      /** Before this day or instant. */
      to?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Archive
  }
  /** Download the archive of a deleted artifact. The audit log records each download. */
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
      /** The offset of the first byte. Default: 0. */
      offset?: number
      /** The maximum number of bytes. Default: 1048576. */
      limit?: number
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: {
      /** The bytes in base64; each chunk is encoded separately. */
      data: string
    }
  }
  /** Upload a file or its first chunk. Only you can see it until it is attached to a file field. */
  'POST /artifact_temporary_files': {
    body: {
      /** Without folders. Leading dots are removed. */
      name: string
      /** Shown to users; the file is served with its detected type. */
      mimetype: string
      /** One chunk in base64: 1048576 bytes at most, decoded. */
      content: string
      description?: string
    }
    answer: {
      id: number
      /** The id of the uploader. */
      submitted_by: number
      description: string
      name: string
      /** In bytes. */
      size: number
      /** The media type as declared by the uploader. */
      type: string
      /** The download address; null until the file is attached. */
      html_url: string | null
      /** The preview, if the file is an image. */
      html_preview_url: string | null
      uri: string
    }
  }
  /** List the files that you have uploaded in chunks and that are not attached. */
  'GET /artifact_temporary_files': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: TemporaryFile[]
  }
  /** Append the next chunk. The last chunk may be sent again if its response was lost. */
  'PUT /artifact_temporary_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    body: {
      /** One chunk in base64: 1048576 bytes at most, decoded. */
      content: string
      /** The number of the chunk, not a byte offset; the second chunk is 2. */
      offset: number
    }
    answer: {
      id: number
      /** The id of the uploader. */
      submitted_by: number
      description: string
      name: string
      /** In bytes. */
      size: number
      /** The media type as declared by the uploader. */
      type: string
      /** The download address; null until the file is attached. */
      html_url: string | null
      /** The preview, if the file is an image. */
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
      /** The offset of the first byte. Default: 0. */
      offset?: number
      /** The maximum number of bytes. Default: 1048576. */
      limit?: number
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: {
      /** The bytes in base64; each chunk is encoded separately. */
      data: string
    }
  }
  /** Delete a file that you have uploaded and that is not attached. */
  'DELETE /artifact_temporary_files/{id}': {
    path: {
      /** The file. */
      id: number
    }
    answer: undefined
  }
  /** Show the dashboard of a project. */
  'GET /projects/{id}/dashboard': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Dashboard
  }
  /** Replace the widgets of the dashboard of a project. */
  'PUT /projects/{id}/dashboard': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    body: DashboardInput
    answer: Dashboard
  }
  /** Show your dashboard. */
  'GET /users/self/dashboard': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Dashboard
  }
  /** Replace the widgets of your dashboard. */
  'PUT /users/self/dashboard': {
    body: DashboardInput
    answer: Dashboard
  }
  /** List the templates for new trackers, each with its whole definition. */
  'GET /tracker_templates': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: TrackerTemplate[]
  }
  /** Show the tracker that a definition would create, and the reasons why it would be refused. */
  'POST /projects/{id}/trackers/plan': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
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
      /** The tracker to copy; only `label` and `item_name` may be given with it. */
      copy_from?: {
        id: number
      }
      /** The template to use; only `label` and `item_name` may be given with it. */
      template?: "bugs" | "tasks" | "scrum" | "requirements" | "risks" | "support"
    }
    answer: TrackerPlan
  }
  /** Show the whole definition of a tracker, without ids. */
  'GET /trackers/{id}/definition': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: TrackerDefinition
  }
  /** Replace the definition of a tracker or, with `dry_run`, show the planned changes. */
  'PUT /trackers/{id}/definition': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Delete parts that the definition omits if no value was ever stored in them. */
      prune?: boolean
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: TrackerDefinition
    answer: TrackerDefinition | TrackerPlan
  }
  /** Restore a tracker and its artifacts from the trash. */
  'POST /trackers/{id}/restore': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body?: {
      /** A new name, if the old one is taken. */
      item_name?: string
    }
    answer: Tracker
  }
  /** List the Subversion repositories of a project. */
  'GET /projects/{id}/svn': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** A JSON object with the exact `name`. */
      query?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 10. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 1000. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: {
      lines: SvnBlamedLine[]
    }
  }
  /** The change feed: all events that the caller may read, in one order. `text/event-stream` follows it. */
  'GET /events': {
    query?: {
      /** A cursor: events after it. `now`: no events, only the current cursor. Absent: from the oldest event. */
      after?: string
      /** Separated by commas; `artifact.*` stands for all types with that prefix. */
      types?: string
      project?: number
      tracker?: number
      /** Events per page. Default: 100. */
      limit?: number
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: EventPage
  }
  /** Follow the first artifacts of a tracker, or of those that fit: `ready`, then `enter`, `change`, `leave`, `size` and `reset`. */
  'GET /trackers/{id}/artifacts/live': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Criteria: a JSON object, by the names or ids of fields. */
      query?: string
      /** A query text; criteria take precedence. */
      expert_query?: string
      /** Ascending by default; `ORDER BY` takes precedence. */
      order?: "asc" | "desc"
      /** By id (default), or in the order of the tracker; `ORDER BY` takes precedence. */
      order_by?: "id" | "rank"
      /** Rows that are shown. Default: 100. */
      limit?: number
      /** Refused here: the list takes it. */
      offset?: string
      /** Refused here: the list takes it. */
      cursor?: string
      /** Refused here: the list takes it. */
      explain?: string
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Cuts the response to this size: a list loses elements at its end; an object loses parts of its longest texts, then entries of its lists, which `truncated` reports. JSON only. */
      max_bytes?: number
    }
    answer: string
  }
  /** List the webhooks of a tracker. */
  'GET /trackers/{id}/webhooks': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Webhook[]
  }
  /** Create a webhook for the events of a tracker. Only this response contains the secret. */
  'POST /trackers/{id}/webhooks': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    body: NewWebhook
    answer: WebhookWithSecret
  }
  /** List the webhooks of a project, without those of its trackers. */
  'GET /projects/{id}/webhooks': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Webhook[]
  }
  /** Create a webhook for the events of a project. Only this response contains the secret. */
  'POST /projects/{id}/webhooks': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Webhook
  }
  /** Change a webhook, switch it off, or resume it. */
  'PATCH /webhooks/{id}': {
    path: {
      /** The webhook. */
      id: number
    }
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
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
    query?: {
      /** `false`: no mail and no inbox entry; the event is marked as silent. Only administrators of the tracker, or of the project. */
      notify?: boolean
    }
    answer: undefined
  }
  /** Renew the secret of a webhook. Only this response contains it. For a day the old one signs too. */
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
  /** List sent and pending deliveries of a webhook, newest first. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
  /** Deliver events again, from a cursor of the feed on, at most 10,000. */
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
  /** List the notifications in your inbox, newest first. `X-Notifications-Unread` is the number of unread ones. */
  'GET /notifications': {
    query?: {
      /** Only unread notifications. */
      unread?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: Notification[]
  }
  /** Mark several entries of your inbox as read, or as unread, or snooze them. */
  'PATCH /notifications': {
    body: {
      /** The entries. */
      ids: number[]
      is_read?: boolean
      /** Snoozes the entries until this time, with its zone; null: shows them again. */
      snoozed_until?: string | null
    }
    answer: UpdatedNotifications
  }
  /** List your inbox grouped by artifact, newest first. `X-Notifications-Unread` is the number of unread threads. */
  'GET /notifications/threads': {
    query?: {
      /** Only threads with unread entries. */
      unread?: boolean
      /** Only threads with an entry for this reason. */
      why?: "mention" | "assigned" | "submitted" | "list" | "watch"
      /** Only threads of this project. */
      project?: number
      /** Only snoozed threads. Otherwise they are left out. */
      snoozed?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
      cursor?: string
    }
    answer: NotificationThread[]
  }
  /** Mark an entry of your inbox and all older ones as read. */
  'POST /notifications/read': {
    body: {
      /** The newest entry to mark as read. */
      until: number | string
    }
    answer: ReadNotifications
  }
  /** Show what the unsubscribe link of a mail would mute. Changes nothing. */
  'GET /unsubscribe/{token}': {
    path: {
      /** From the link of a mail. */
      token: string
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Unsubscription
  }
  /** Unsubscribe by the link of a mail. */
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
  /** Show your notification settings. */
  'GET /users/self/notification_settings': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: NotificationSettings
  }
  /** Change your notification settings. Omitted members stay unchanged. */
  'PATCH /users/self/notification_settings': {
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      default_level?: "all" | "status" | "mentions" | "none"
      /** When mails are sent; the inbox has all notifications. */
      mail?: "immediate" | "hourly" | "daily" | "off"
      /** Hour of the daily digest, in the time zone of the account. */
      digest_hour?: number
      /** Notify of your own changes. */
      own_changes?: boolean
      /** Notify of changes to artifacts that are assigned to you. */
      assigned?: boolean
      /** Notify of changes to artifacts that you have submitted. */
      submitted?: boolean
      /** The level `none` also mutes mentions. */
      mute_mentions?: boolean
      /** Mails contain neither values nor comments. */
      short_mails?: boolean
    }
    answer: NotificationSettings
  }
  /** Remove the watch of this artifact; inherit the level of its container. */
  'DELETE /artifacts/{id}/watch': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    answer: Watch
  }
  /** Show your notification level of this artifact. */
  'GET /artifacts/{id}/watch': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Watch
  }
  /** Choose the notification level of this artifact. */
  'PUT /artifacts/{id}/watch': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** Remove the watch of this project; inherit the level of its container. */
  'DELETE /projects/{id}/watch': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    answer: Watch
  }
  /** Show your notification level of this project. */
  'GET /projects/{id}/watch': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Watch
  }
  /** Choose the notification level of this project. */
  'PUT /projects/{id}/watch': {
    path: {
      /** The project, or its short name: `@orchard`. */
      id: number | `@${string}`
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** Remove the watch of this tracker; inherit the level of its container. */
  'DELETE /trackers/{id}/watch': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    answer: Watch
  }
  /** Show your notification level of this tracker. */
  'GET /trackers/{id}/watch': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Watch
  }
  /** Choose the notification level of this tracker. */
  'PUT /trackers/{id}/watch': {
    path: {
      /** The tracker, or the names of its project and itself: `@orchard.bug`. */
      id: number | `@${string}`
    }
    body: {
      /** `all`: every change; `status`: creation, changes of the status, comments; `mentions`: mention, assignment, reply; `none`: nothing. */
      level: "all" | "status" | "mentions" | "none"
    }
    answer: Watch
  }
  /** List the watchers of this artifact that you may see. */
  'GET /artifacts/{id}/watchers': {
    path: {
      /** The artifact, or its key in the source of an import: `@ABC-123`. */
      id: number | `@${string}`
    }
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: UserMinimal[]
  }
  /** List your watches. */
  'GET /users/self/watches': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: WatchedObject[]
  }
  /** Show the settings of the platform. */
  'GET /settings': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
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
      /** Separator of CSV cells. */
      separator?: "comma" | "semicolon" | "tab"
      /** CSV starts with a byte order mark, for spreadsheets. */
      bom?: boolean
      /** CSV texts are not escaped, even if they look like formulas. */
      raw?: boolean
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
      /** Rows per page. Default: 50. */
      limit?: number
      /** Rows to skip. Default: 0. */
      offset?: number
      /** A cursor from a `Link` header. */
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
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
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Version
  }
  /** List the entry points of the API for the caller. Every answer below it lists further addresses. */
  'GET /': {
    query?: {
      /** Only these members, such as `title,tracker.id,values.severity`; `id` and `uri` are always included, all others are absent, whatever the schema requires. */
      fields?: string
    }
    answer: Index
  }
}

/** Writes that have no `Idempotency-Key`: they are never sent twice. */
export const WITHOUT_KEY: readonly string[] = [
  'POST /tokens',
  'POST /session',
  'POST /password_resets',
  'PUT /password_resets/{token}',
  'POST /identity_providers/{name}/test',
  'POST /identity_providers/{name}/logout',
  'POST /directories/{name}/test',
  'POST /projects/{id}/extract_references',
  'POST /search',
  'POST /projects/{id}/trackers/plan',
  'POST /unsubscribe/{token}',
]
