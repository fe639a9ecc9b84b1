/**
 * The closed list of error reasons: status and condition. `docs/errors.md` is generated from it; a new reason is an
 * addition to the contract.
 */
export const REASONS = {
  body_malformed: [400, 'JSON, XML, CSV or form body cannot be parsed, or has a forbidden structure'],
  body_required: [400, 'a write without its body'],
  xml_doctype: [400, 'a DOCTYPE in an XML body'],
  id_malformed: [400, 'an id in the path has the wrong form'],
  parameter_required: [400, 'a parameter or member is missing'],
  parameter_invalid: [400, 'wrong type or format'],
  parameter_out_of_range: [400, 'below the minimum, above the maximum, too short or too long'],
  parameter_not_allowed: [400, 'not one of the allowed values'],
  parameter_conflict: [400, 'inputs that exclude each other, or a single-valued parameter given twice'],
  parameter_unknown: [400, 'a query parameter that this route does not have'],
  member_unknown: [400, 'a member of the body, or an XML attribute, that this route does not have'],
  query_malformed: [400, '`query` is not a JSON object, or an expert query does not parse'],
  query_unknown_key: [400, 'no known key or field in the query'],
  query_operator: [400, 'an operator that is unknown, or not usable on that field'],
  query_too_expensive: [400, 'a query that used up its time budget'],
  reference_unknown: [400, 'the input names something that is absent or hidden'],
  reference_ambiguous: [400, 'the input names something that matches several objects'],
  user_not_usable: [400, 'a named user is not active'],
  field_required: [400, 'a mandatory artifact field has no value'],
  field_not_writable: [400, 'a field that this user may read, but not write'],
  field_duplicate: [400, 'one field set twice in one write'],
  value_invalid: [400, 'a value does not fit the type of its field'],
  value_not_allowed: [400, 'a list value is hidden, or against a rule'],
  transition_not_allowed: [400, 'the workflow has no such transition, or not for this user'],
  rule_violated: [400, 'any other rule; `details.cause` names it'],
  scope_invalid: [400, 'a scope of an access key is malformed, or none known is left'],
  date_in_past: [400, 'an expiry in the past'],
  service_disabled: [400, 'the project does not use that service'],
  group_not_editable: [400, 'the membership of this group cannot be set'],
  duplicate_entry: [400, 'the same path, address or item twice in one list'],
  name_invalid: [400, 'a login or short name against its rule'],
  name_taken: [400, 'a login, short name or address in use'],
  token_unknown: [400, "none of the caller's tokens"],
  authentication_required: [401, 'no credentials where they are needed'],
  credentials_malformed: [401, 'a key, token or header of the wrong form'],
  credentials_incomplete: [401, '`X-Auth-Token` without `X-Auth-UserId`, or the reverse'],
  credentials_invalid: [401, 'an unknown key, token or login, a wrong secret or password'],
  credentials_expired: [401, 'the right secret, but expired'],
  credentials_projects: [401, 'the right key, but limited to projects, and the call is not about one of them'],
  password_sign_in_disabled: [401, 'a password, or a token made by one, where the settings do not allow passwords'],
  session_expired: [401, 'the session cookie is no longer valid'],
  confirmation_required: [401, 'a sensitive change without a recent confirmation of the password'],
  permission_denied: [403, 'the caller may see it, but not do this'],
  credentials_scope: [403, 'the right key, but without the scope for this call; `details.scope` names it'],
  account_suspended: [403, 'the right key or token of a suspended account'],
  account_deleted: [403, 'the right key or token of a deleted account'],
  account_pending: [403, 'the right key or token of an account that is not active yet'],
  password_expired: [403, 'right credentials, but the password must be renewed'],
  cross_site_cookie: [403, 'a session cookie on a request that is not same-origin'],
  deletion_disabled: [403, 'artifact deletion is switched off'],
  project_protected: [403, 'a change of a reserved or deleted project'],
  project_archived: [403, 'a write in an archived project, which is read-only'],
  not_found: [404, 'absent, or hidden from this caller'],
  route_not_found: [404, 'an unknown path'],
  not_set: [404, 'an optional part of something readable is not set'],
  project_suspended: [404, 'a suspended project, visible to its members only'],
  method_not_allowed: [405, 'the path does not take this method; see `Allow`'],
  not_acceptable: [406, 'no format that `Accept` allows is available'],
  repository_name_invalid: [409, 'a repository name against its rule'],
  repository_name_taken: [409, 'a repository name in use'],
  import_running: [409, 'the project has a running import'],
  import_finished: [409, 'the import has ended'],
  key_ambiguous: [409, 'a source key of several visible artifacts'],
  idempotency_in_progress: [409, 'the first request with this key still runs'],
  idempotency_secret: [409, 'the first request succeeded, but its answer contained a secret and was not stored'],
  upload_offset_mismatch: [409, '`Upload-Offset` is not the current one'],
  job_not_parked: [409, 'only a parked job can be retried or given up'],
  cursor_expired: [410, 'a cursor of the feed that is no longer retained'],
  version_mismatch: [412, 'it has changed since the caller read it'],
  payload_too_large: [413, 'body, file or chunk above its limit'],
  unsupported_media_type: [415, 'a content type or encoding that this route does not take'],
  range_not_satisfiable: [416, 'a file offset outside the file'],
  idempotency_key_reused: [422, 'the same `Idempotency-Key` with another request'],
  upload_locked: [423, 'another request on this upload is running'],
  precondition_required: [428, 'this tracker demands `If-Match` or `If-Unmodified-Since`'],
  deletion_limit_reached: [429, 'the daily limit of deletions is used up'],
  project_quota_reached: [429, 'too many own projects wait for approval'],
  rate_limited: [429, 'too many attempts, or too many requests at once'],
  header_too_large: [431, 'one header, or all of them, above the limit'],
  internal_error: [500, 'an unexpected failure'],
  unavailable: [503, 'starting, stopping, overloaded, or the storage cannot be reached'],
  directory_unavailable: [
    503,
    'the directory that checks the password cannot be reached; nothing is known of the password',
  ],
  outcome_unknown: [503, 'the connection was lost while the write was being committed'],
  storage_full: [507, 'no space for the file or revision'],
} as const satisfies Record<string, readonly [status: number, when: string]>

export type Reason = keyof typeof REASONS

/** Reasons with a second status, which the contract requires in one place each. */
export const ODD_STATUSES: Partial<Record<Reason, number>> = { parameter_out_of_range: 403 }

export type InputRule =
  | 'required'
  | 'type'
  | 'format'
  | 'minimum'
  | 'maximum'
  | 'min_length'
  | 'max_length'
  | 'pattern'
  | 'one_of'
  | 'unique'
  | 'exists'
  | 'unknown_member'

/** Codes that distinguish causes of one reason. The catalogue has a message for each. */
export type Cause =
  | 'tracker_missing'
  | 'value_source_missing'
  | 'value_sources_conflict'
  | 'values_not_array'
  | 'field_id_not_integer'
  | 'at_and_version'
  | 'comment_too_long'
  | 'title_missing'
  | 'move_not_admin'
  | 'move_same_tracker'
  | 'move_disabled'
  | 'copy_disabled'
  | 'move_vetoed'
  | 'move_nothing'
  | 'field_frozen'
  | 'field_unknown'
  | 'column_unknown'
  | 'column_duplicate'
  | 'csv_cells'
  | 'csv_quote_open'
  | 'csv_quote_stray'
  | 'csv_row_id'
  | 'link_type_unknown'
  | 'link_target_inactive'
  | 'link_to_self'
  | 'link_cycle'
  | 'link_type_disabled'
  | 'link_type_reserved'
  | 'link_type_built_in'
  | 'link_type_used'
  | 'group_used'
  | 'reverse_links_closed'
  | 'link_field_missing'
  | 'field_not_submittable'
  | 'field_not_updatable'
  | 'submit'
  | 'update'
  | 'not_self'
  | 'too_many_ids'
  | 'file_not_found'
  | 'base64'
  | 'content_digest'
  | 'quota_exceeded'
  | 'field_not_file'
  | 'tus_version'
  | 'chunk_order'
  | 'file_refused'
  | 'file_incomplete'
  | 'file_already_attached'
  | 'file_of_another_field'
  | 'file_forms_conflict'
  | 'project_quota_exceeded'
  | 'last_admin'
  | 'last_project_admin'
  | 'too_many_favourites'
  | 'self'
  | 'password_too_short'
  | 'password_common'
  | 'password_is_name'
  | 'password_unchanged'
  | 'password_wrong'
  | 'no_password'
  | 'directory_password'
  | 'restricted_accounts_exist'
  | 'use_cursor'
  | 'project_suspended'
  | 'restricted_account'
  | 'not_switchable'
  | 'project_not_active'
  | 'not_tracker_admin'
  | 'not_project_admin'
  | 'definition'
  | 'type_change'
  | 'field_in_use'
  | 'transition_missing'
  | 'transition_group'
  | 'transition_field_empty'
  | 'comment_required'
  | 'dependency'
  | 'date_rule'
  | 'hidden_rule'
  | 'workflow_exists'
  | 'workflow_missing'
  | 'workflow_mode'
  | 'no_authorised_group'
  | 'transition_exists'
  | 'transition_same_value'
  | 'duplicate_action'
  | 'semantic_check_needs_minimal'
  | 'set_and_delete_workflow'
  | 'value_missing'
  | 'not_a_number'
  | 'number_out_of_range'
  | 'not_a_date'
  | 'date_form'
  | 'not_a_duration'
  | 'computed_value_refused'
  | 'manual_value_missing'
  | 'field_read_only'
  | 'not_an_array'
  | 'not_a_string'
  | 'line_break'
  | 'too_long'
  | 'list_value_unknown'
  | 'user_unknown'
  | 'group_unknown'
  | 'label_ambiguous'
  | 'list_value_hidden'
  | 'list_single_value'
  | 'perm_groups_missing'
  | 'perm_locks_out_caller'
  | 'link_target_unknown'
  | 'link_source_unknown'
  | 'link_forms_conflict'
  | 'link_form_missing'
  | 'link_type_missing'
  | 'json'
  | 'syntax'
  | 'select_not_supported'
  | 'double_negative'
  | 'no_source'
  | 'unknown_source'
  | 'metadata'
  | 'short_text'
  | 'as_of'
  | 'link_type'
  | 'body_and_query'
  | 'live_query'
  | 'criteria_and_query'
  | 'no_table'
  | 'report_field'
  | 'flat_needs_values'
  | 'too_many'
  | 'owner_lost_rights'
  | 'target'
  | 'cursor_and_offset'
  | 'cursor_of_another_query'
  | 'too_complex'
  | 'too_deep'
  | 'too_many_columns'
  | 'too_many_trackers'
  | 'timeout'
  | 'criterion'
  | 'regular_expression'
  | 'field'
  | 'operator'
  | 'function'
  | 'field_type'
  | 'bucket'
  | 'groups'
  | 'too_many_steps'
  | 'from_after_to'
  | 'over_and_as_of'
  | 'empty_string'
  | 'date'
  | 'duration'
  | 'number'
  | 'list_value'
  | 'user'
  | 'access_file'
  | 'no_subversion'
  | 'binary'
  | 'import_not_allowed'
  | 'artifact_id_taken'
  | 'time_in_future'
  | 'time_not_rising'

export type WhoMay =
  | 'site_admin'
  | 'project_admin'
  | 'project_member'
  | 'tracker_admin'
  | 'svn_admin'
  | 'owner'
  | { user_group: string }

export type Allowed =
  | readonly (string | number | boolean | null)[]
  | readonly { readonly id: number | string; readonly label: string }[]
  | Readonly<Record<string, unknown>>

/** All possible members of `details`: a closed list, like the reasons. */
export interface Details {
  path?: string
  rule?: InputRule
  allowed?: Allowed
  /** The known name that is closest to the given one. */
  nearest?: string
  who_may?: readonly WhoMay[]
  /** The scope that the key lacks. */
  scope?: string
  cause?: Cause
  params?: Readonly<Record<string, string | number | boolean | null>>
  position?: number
  /** Line and column of a text, from 1. */
  line?: number
  column?: number
  used_by?: readonly { type: string; id: number | string; label: string }[]
  current_etag?: string
  current_last_modified?: string
  id?: number | string
  all?: readonly ErrorProblem[]
}

/** One of several problems, in `details.all`. */
export interface ErrorProblem
  extends Pick<Details, 'path' | 'rule' | 'allowed' | 'nearest' | 'who_may' | 'cause' | 'params' | 'position'> {
  reason: Reason
  /** The field of the artifact, with its name and label. */
  field_id?: number
  name?: string
  label?: string
}

/** The input of a message. */
export type MessageDetails = Details & Pick<ErrorProblem, 'name' | 'label'>

interface InputFault extends Details {
  /** The path of the invalid input: `values[2].bind_value_ids[0]`. */
  path: string
  rule: InputRule
}

/** Required details by reason, checked by the compiler. For other reasons all details are optional. */
interface RequiredDetails {
  id_malformed: InputFault
  parameter_required: InputFault
  parameter_invalid: InputFault
  parameter_out_of_range: InputFault
  parameter_not_allowed: InputFault
  parameter_conflict: Details & { path: string }
  parameter_unknown: Details & { path: string }
  member_unknown: InputFault
  query_unknown_key: Details & { allowed: Allowed }
  reference_unknown: Details & { path: string }
  reference_ambiguous: Details & { path: string }
  user_not_usable: Details & { path: string }
  rule_violated: Details & { cause: Cause }
  name_invalid: Details & { path: string }
  name_taken: Details & { path: string }
  permission_denied: Details & ({ who_may: readonly WhoMay[] } | { cause: Cause })
  credentials_scope: Details & { allowed: Allowed; scope: string }
  payload_too_large: Details & { allowed: { maximum: number } }
  version_mismatch: Details & ({ current_etag: string } | { cause: 'tus_version' })
  idempotency_secret: Details & { id: number | string }
}

export type DetailsOf<R extends Reason> = R extends keyof RequiredDetails
  ? [details: RequiredDetails[R]]
  : [details?: Details]
