import type { Catalogue } from './catalogue.ts'
import { englishMails } from './english-mails.ts'
import { englishNotices } from './english-notices.ts'
import type { Allowed, Cause, Reason, Told, WhoMay } from './reasons.ts'

type Complete = Catalogue & {
  readonly reasons: Record<Reason, (told: Told) => string>
  readonly causes: Record<Cause, (told: Told) => string>
  readonly texts: Record<string, string>
}

/** The complete catalogue: every reason and cause has its sentence here. */
export const english: Complete = {
  tag: 'en',
  reasons: {
    body_malformed: () => 'The body cannot be read.',
    body_required: () => 'This request needs a body.',
    xml_doctype: () => 'A DOCTYPE is not accepted in XML.',
    id_malformed: ({ path }) => `\`${path}\` has not the form of an id.`,
    parameter_required: ({ path }) => `\`${path}\` is missing.`,
    parameter_invalid: ({ path }) => `\`${path}\` has the wrong type or form.`,
    parameter_out_of_range: (details) => `\`${details.path}\` is out of range${bounds(details.allowed)}.`,
    parameter_not_allowed: (details) => `\`${details.path}\` is not allowed here${choices(details.allowed)}.`,
    parameter_conflict: ({ path }) => `\`${path}\` is given twice, or excludes another input.`,
    member_unknown: ({ path }) => `\`${path}\` is not known here.`,
    query_malformed: () => '`query` cannot be read.',
    query_unknown_key: ({ allowed }) => `The query has no known key${choices(allowed)}.`,
    query_operator: () => 'This operator cannot be used here.',
    query_too_expensive: () => 'This query takes too long. Narrow it down.',
    reference_unknown: ({ path }) => `\`${path}\` names something that does not exist, or that you may not see.`,
    reference_ambiguous: ({ path }) => `\`${path}\` fits several things. Give an id.`,
    user_not_usable: ({ path }) => `\`${path}\` names a user who is not active.`,
    field_required: (told) => `${fieldOf(told)} must not be empty.`,
    field_not_writable: () => 'You may not write this field.',
    field_duplicate: () => 'One field is set twice.',
    value_invalid: () => 'A value does not fit the type of its field.',
    value_not_allowed: () => 'A value is not allowed here.',
    transition_not_allowed: () => 'The workflow does not allow this step.',
    rule_violated: () => 'A rule does not allow this.',
    scope_invalid: () => 'A scope looks like `write:rest`; at least one must be known.',
    date_in_past: () => 'This date is already over.',
    service_disabled: () => 'The project does not use this service.',
    group_not_editable: () => 'The members of this group cannot be set.',
    duplicate_entry: () => 'The same entry is given twice.',
    name_invalid: ({ path }) => `\`${path}\` is not a valid name.`,
    name_taken: ({ path }) => `\`${path}\` is already in use.`,
    token_unknown: () => 'You have no such token.',
    authentication_required: () => 'Sign in first.',
    credentials_malformed: () => 'These credentials have the wrong form.',
    credentials_incomplete: () => '`X-Auth-Token` and `X-Auth-UserId` belong together.',
    credentials_invalid: () => 'These credentials are not valid.',
    credentials_expired: () => 'These credentials have expired.',
    credentials_scope: ({ allowed }) => `This key lacks the scope for this call${choices(allowed)}.`,
    session_expired: () => 'Your session has ended. Sign in again.',
    permission_denied: ({ who_may }) =>
      who_may ? `You may not do this. Those who may: ${who_may.map(nameOf).join(', ')}.` : 'You may not do this.',
    account_suspended: () => 'This account is suspended.',
    account_deleted: () => 'This account is deleted.',
    account_pending: () => 'This account is not active yet.',
    password_expired: () => 'This password has expired and must be changed.',
    cross_site_cookie: () => 'A session cookie counts only on pages of this site.',
    deletion_disabled: () => 'Deleting artifacts is switched off on this platform.',
    project_protected: () => 'The status of this project cannot be changed like this.',
    not_found: () => 'It does not exist, or you may not see it.',
    route_not_found: () => 'There is nothing at this address.',
    not_set: () => 'It is not set.',
    project_suspended: () => 'This project is suspended.',
    method_not_allowed: () => 'This address does not take this method.',
    not_acceptable: () => 'This address has no format that you accept.',
    repository_name_invalid: () => 'This is not a valid name of a repository.',
    repository_name_taken: () => 'A repository of this name exists already.',
    idempotency_in_progress: () => 'The first request with this `Idempotency-Key` is still running.',
    idempotency_secret: ({ id }) => `It was made as ${id}, and its secret was shown then. Delete it and begin again.`,
    upload_offset_mismatch: () => 'The upload stands at another offset.',
    job_not_parked: () => 'Only a parked job can be retried or given up.',
    cursor_expired: () => 'This place in the feed is no longer kept. Begin anew.',
    version_mismatch: ({ current_etag }) => `It has changed since you read it: it is at ${current_etag} now.`,
    payload_too_large: ({ allowed }) => `The body is too large${bounds(allowed)}.`,
    unsupported_media_type: () => 'This content type or encoding is not understood here.',
    range_not_satisfiable: () => 'This range lies outside the file.',
    idempotency_key_reused: () => 'This `Idempotency-Key` was used for another request.',
    upload_locked: () => 'Another request on this upload is running.',
    precondition_required: () => 'Send `If-Match` or `If-Unmodified-Since`.',
    deletion_limit_reached: () => 'The limit of deletions in 24 hours is used up.',
    project_quota_reached: () => 'Too many of your projects wait for approval.',
    rate_limited: () => 'Too much at once. Wait, then try again.',
    header_too_large: () => 'A header is too large.',
    internal_error: () => 'Something broke on our side.',
    unavailable: () => 'Not available just now. Try again.',
    outcome_unknown: () =>
      'The connection was lost at the last moment: read, or repeat with the same `Idempotency-Key`.',
    storage_full: () => 'There is no room left.',
  },
  causes: {
    tracker_missing: () => '`tracker.id` is missing.',
    value_source_missing: () => 'Nothing says which values to write.',
    value_sources_conflict: () => 'Values may be given in one form only.',
    values_not_array: () => '`values` is a list of objects.',
    field_id_not_integer: () => '`field_id` is an integer.',
    at_and_version: () => '`at` and `version` exclude each other.',
    comment_too_long: ({ allowed }) => `The comment is too long${bounds(allowed)}.`,
    title_missing: () => 'There is no title to take over, or no place for it.',
    move_not_admin: () => 'Only who administers both trackers may move an artifact.',
    move_same_tracker: () => 'The artifact is in this tracker already.',
    move_disabled: () => 'Moving is switched off in one of the trackers.',
    move_vetoed: () => 'This artifact cannot be moved.',
    move_nothing: () => 'Nothing of the artifact would fit the other tracker.',
    field_frozen: (told) => `${fieldOf(told)} is frozen in the present state.`,
    field_unknown: () => 'There is no such field.',
    link_type_unknown: () => 'There is no such type of link.',
    link_target_inactive: () => 'The project of the linked artifact is not active.',
    link_to_self: () => 'An artifact cannot be linked to itself.',
    link_cycle: () => 'An artifact cannot be its own ancestor.',
    link_type_disabled: () => 'This type of link is switched off in the project.',
    reverse_links_closed: () => 'Links from elsewhere are changed there: this tracker does not take them.',
    link_type_reserved: () => 'Links of this type are made by the platform only.',
    link_field_missing: () => 'The artifact that the link starts from has no field for it that you may change.',
    field_not_submittable: (told) => `You may not give a value to ${fieldOf(told)}.`,
    field_not_updatable: (told) => `You may not change ${fieldOf(told)}.`,
    submit: () => 'You may not create artifacts here.',
    update: () => 'You may not change this.',
    not_self: () => 'This is only for the person himself.',
    too_many_ids: ({ allowed }) => `Too many ids${bounds(allowed)}.`,
    file_not_found: () => 'There is no such file.',
    base64: () => 'This is not base64 with padding, in the standard alphabet and without line breaks.',
    content_digest: () => 'Other bytes have come than `Content-Digest` tells of. Send them again.',
    field_not_file: () => 'This field takes no files, or is not in use.',
    tus_version: () => 'Only version 1.0.0 of the upload protocol is spoken here: say so in `Tus-Resumable`.',
    quota_exceeded: ({ allowed }) =>
      `Your uploads that are not attached yet would have too many bytes${bounds(allowed)}. Attach or delete some.`,
    chunk_order: ({ allowed }) => `This is not the next chunk${choices(allowed)}.`,
    file_refused: () => 'This file is not accepted here.',
    file_incomplete: () => 'This file has not come as a whole yet.',
    file_already_attached: () => 'This file is attached somewhere else already.',
    file_of_another_field: () => 'This file was announced for another field.',
    file_forms_conflict: (told) => `${fieldOf(told)} takes either a whole list, or what to add and remove.`,
    project_quota_exceeded: ({ allowed }) => `The files of this project would take too much room${bounds(allowed)}.`,
    last_admin: () => 'The platform needs at least one active site administrator.',
    last_project_admin: () => 'A project needs at least one administrator.',
    self: () => 'You cannot do this to yourself.',
    password_too_short: ({ allowed }) => `The password is too short${bounds(allowed)}.`,
    password_common: () => 'This password is one of the most common ones.',
    password_is_name: () => 'The password must not be the login or the e-mail address.',
    password_unchanged: () => 'This is the password in use.',
    password_wrong: () => 'The current password is not right.',
    no_password: () => 'This account has no password.',
    restricted_accounts_exist: () => 'There are still restricted accounts.',
    use_cursor: ({ allowed }) => `The offset is too deep${bounds(allowed)}; the cursor of \`Link\` goes any distance.`,
    project_suspended: () => 'This project is suspended.',
    project_deleted: () => 'This project is deleted.',
    restricted_account: () => 'Restricted users may not do this.',
    not_switchable: () => 'This service cannot be switched.',
    project_not_active: () => 'This project is not active.',
    not_tracker_admin: () => 'Only administrators of the tracker may do this.',
    not_project_admin: () => 'Only administrators of the project may do this.',
    definition: ({ path }) => `The definition cannot be accepted: see \`${path}\`.`,
    type_change: ({ path }) => `The type at \`${path}\` cannot become this one.`,
    field_in_use: ({ path }) => `Something still needs ${path === undefined ? 'this field' : `\`${path}\``}.`,
    transition_missing: (told) => `${fieldOf(told)} ${step(told.params?.['from'], told.params?.['to'])}.`,
    transition_group: (told) =>
      `${fieldOf(told)} takes this step only for certain groups, and you are in none of them.`,
    transition_field_empty: (told) => `${fieldOf(told)} must not be empty for this step.`,
    comment_required: () => 'This step needs a comment.',
    dependency: (told) =>
      `${fieldOf(told)} has a value that does not go with ${told.params?.['source'] ?? 'another field'}.`,
    date_rule: ({ params }) =>
      params ? `This must hold: ${params['source']} ${params['comparator']} ${params['target']}.` : 'Dates do not fit.',
    workflow_exists: () => 'This tracker has a workflow already.',
    workflow_missing: () => 'This tracker has no workflow.',
    workflow_mode: () => 'The mode of the workflow does not allow this.',
    no_authorised_group: () => 'Name at least one group that may take this step.',
    transition_exists: () => 'There is such a step already.',
    transition_same_value: () => 'A step leads to another value.',
    duplicate_action: ({ path }) => `\`${path}\` sets a field that another action sets already.`,
    semantic_check_needs_minimal: () => '`with_creation_semantic_check` needs `representation=minimal`.',
    set_and_delete_workflow: () => 'A workflow cannot be set and deleted at once.',
    value_missing: (told) => `${fieldOf(told)}: there is no value that can be read here.`,
    not_a_number: (told) => `${fieldOf(told)} takes a number.`,
    number_out_of_range: (told) => `${fieldOf(told)} is out of range${bounds(told.allowed)}.`,
    not_a_date: (told) => `${fieldOf(told)} takes a date, such as 2026-03-01.`,
    computed_value_refused: (told) => `${fieldOf(told)} is computed: give \`manual_value\`, or \`is_autocomputed\`.`,
    manual_value_missing: (told) => `${fieldOf(told)} needs \`manual_value\` where it is not computed.`,
    field_read_only: (told) => `${fieldOf(told)} is filled by the platform.`,
    not_an_array: (told) => `${fieldOf(told)} takes a list.`,
    not_a_string: (told) => `${fieldOf(told)} takes a text.`,
    line_break: (told) => `${fieldOf(told)} takes one line.`,
    too_long: (told) => `${fieldOf(told)} is too long${bounds(told.allowed)}.`,
    list_value_unknown: (told) => `${fieldOf(told)} has no such value.`,
    user_unknown: (told) => `${fieldOf(told)}: nobody of that name can be chosen here.`,
    group_unknown: (told) => `${fieldOf(told)}: no group of that name can be chosen here.`,
    label_ambiguous: (told) => `${fieldOf(told)}: several values fit this name. Give an id.`,
    list_value_hidden: (told) => `${fieldOf(told)}: this value can no longer be chosen.`,
    list_single_value: (told) => `${fieldOf(told)} takes one value only.`,
    perm_groups_missing: (told) => `${fieldOf(told)}: name at least one group, or lift the restriction.`,
    perm_locks_out_caller: (told) => `${fieldOf(told)}: you are in none of these groups, and could not come back.`,
    link_target_unknown: (told) => `${fieldOf(told)}: there is no such artifact to link to, or you may not see it.`,
    link_source_unknown: (told) =>
      `${fieldOf(told)}: there is no such artifact to link from, or you may not change it.`,
    link_forms_conflict: (told) => `${fieldOf(told)}: \`all_links\` excludes \`links\` and \`parent\`.`,
    link_form_missing: (told) => `${fieldOf(told)} takes \`links\`, \`parent\` or \`all_links\`.`,
    link_type_missing: (told) => `${fieldOf(told)}: each of \`all_links\` has a type, which may be empty.`,
    criterion: ({ path }) => `\`${path}\` needs both \`operator\` and \`value\`, and a value that is not null.`,
    regular_expression: () => 'This regular expression cannot be used.',
    field: (told) => `There is no field ${quoted(told)}${at(told)}${meant(told)}`,
    operator: (told) =>
      `${fieldOf(told)} cannot be searched by ${told.params?.['operator'] ?? 'this'}${at(told)}${choices(told.allowed)}.`,
    function: (told) =>
      `${fieldOf(told)}: ${told.params?.['value'] ?? 'this function'} cannot be used here${at(told)}.`,
    field_type: (told) => `${fieldOf(told)} has a type that cannot be used here${at(told)}${meant(told)}`,
    bucket: (told) =>
      Array.isArray(told.allowed) && told.allowed.length > 0
        ? `${fieldOf(told)} is counted in buckets, as in \`${told.name}:month\`${choices(told.allowed)}.`
        : `${fieldOf(told)} is no date, and is counted without a bucket.`,
    groups: () => 'Counting so many artifacts takes too long. Add a condition, or count by one key.',
    too_many_steps: ({ allowed }) => `There are too many steps${bounds(allowed)}.`,
    from_after_to: () => '`from` comes after `to`.',
    over_and_as_of: () => '`over` asks for a course of time, AS OF for one moment.',
    empty_string: (told) =>
      `${fieldOf(told)}: the empty text can only be compared by = and !=, where that says something.`,
    date: (told) => `${fieldOf(told)}: ${valueIn(told)} is no date that can be used here${at(told)}.`,
    number: (told) => `${fieldOf(told)}: ${valueIn(told)} is no number${at(told)}.`,
    list_value: (told) => `Unknown value ${valueIn(told)} for ${told.name ?? 'this field'}${at(told)}${meant(told)}`,
    user: (told) => `Unknown user ${valueIn(told)} for ${told.name ?? 'this field'}${at(told)}${meant(told)}`,
    json: () => 'The criteria are not JSON.',
    syntax: ({ position = 0, allowed }) => `The query cannot be read at column ${position + 1}${expected(allowed)}.`,
    select_not_supported: () => 'A query of one tracker begins with its conditions, without SELECT.',
    double_negative: () => 'Not linked to what is not in a tracker: say it without the second not.',
    no_source: () => 'The query does not say which trackers to search.',
    unknown_source: () => 'The query names no tracker that you may see.',
    metadata: (told) => `There is no ${quoted(told)} here${at(told)}${meant(told)}`,
    short_text: () => 'Looking for so short a text takes too long. Use a longer word, or a further condition.',
    as_of: () => 'Asking the past of so many artifacts takes too long. Add a further condition.',
    link_type: (told) => `There is no type of link ${valueIn(told)}${at(told)}${meant(told)}`,
    criteria_and_query: () => 'A report has criteria or an expert query, not both.',
    report_field: () => 'The report asks for something that does not exist, or that you may not see.',
    no_table: () => 'This report has no table.',
    flat_needs_values: () => 'A flat form shows values only: say which, in `values`.',
    target: () => 'Webhooks may not be sent to this address.',
    too_many: ({ allowed }) => `There are too many of them${bounds(allowed)}.`,
    live_query: () => 'A live query follows the first rows of what is there now: it has no pages, no past and no plan.',
    body_and_query: () => 'The criteria in the body and in `query` differ.',
    cursor_and_offset: () => 'A cursor is given instead of an offset.',
    cursor_of_another_query: () => 'This cursor belongs to another query.',
    too_complex: ({ allowed }) => `The query has too many terms${bounds(allowed)}.`,
    too_deep: ({ allowed }) => `The query is nested too deeply${bounds(allowed)}.`,
    too_many_columns: ({ allowed }) => `The query selects too many columns${bounds(allowed)}.`,
    too_many_trackers: ({ allowed }) => `The query searches too many trackers${bounds(allowed)}.`,
    access_file: ({ line }) =>
      line === undefined
        ? 'Subversion does not accept this access file.'
        : `Subversion does not accept this access file: see line ${line}.`,
    binary: () => 'This file is no text, so that nobody wrote its lines.',
    no_subversion: () => 'This installation has no Subversion.',
    timeout: () => 'The search took too long. Try again, or narrow it down.',
  },
  texts: {
    'foreign_link.title': 'Another site has led you here',
    'foreign_link.go_on': 'Go on',
    ...englishMails,
    ...englishNotices,
    'group.all_users': 'All users, anonymous ones included',
    'group.registered_users': 'Registered users',
    'group.authenticated_users': 'Registered and restricted users',
    'group.nobody': 'Nobody',
    'group.project_members': 'Project members',
    'group.project_admins': 'Project administrators',
    'group.svn_admins': 'Subversion administrators',
    'svn.refused.repository': 'There is no such repository any more, or its project is not active.',
    'svn.refused.empty_message': 'A commit needs a message.',
    'svn.refused.no_reference':
      'The message must name what the commit is about, such as art #12: something that exists, in a project that you may enter.',
    'svn.refused.no_artifact':
      'The message must name an artifact that you may read and that is in one of these states: {states}.',
    'svn.refused.state':
      'The message must name an artifact that is in one of these states: {states}. It names {found}.',
    'svn.refused.no_such_state': 'This commit would move {name} to {state}, which its tracker does not know.',
    'svn.refused.move': 'This commit would move {name} to {state}, which is not possible: {why}',
    'svn.refused.move_elsewhere':
      'This commit would move {name} to {state}, which is not possible: {why} From where it is, it can go to: {allowed}.',
    'svn.refused.immutable': '{path} is a tag, or lies in one: what is there may not be changed or removed.',
    'svn.refused.inside_tag': '{path} would be added inside of a tag; only whole tags may be added.',
    'svn.refused.path': 'A path has characters in it that it must not have.',
    'svn.refused.file_size': '{path} is larger than {limit} MB.',
    'svn.refused.message_change': 'The messages of old revisions may not be changed in this repository.',
    'svn.refused.property': 'Of the properties of a revision only its message may be changed, and only in its wording.',
    'svn.refused.failed': 'Waypost could not check this just now. Try again.',
    'user.anonymous': 'Anonymous',
    'tracker.cannot_create.no_title': 'The tracker has no title.',
    'tracker.cannot_create.title_not_submittable': 'You may not give a title.',
    'tracker.cannot_create.field_required': '{label} is required too.',
    'tracker.cannot_create.another_required': 'Another field is required too.',
    'plan.no_first_state': 'The workflow has no way in: nothing can be created with a value of its field.',
    'trigger.comment': 'Changed by a trigger, because of {child}.',
    'activity.project_created': 'The project was created.',
    'activity.project_changed': 'The project was changed.',
    'activity.project_changed.status': 'The status of the project was changed.',
    'activity.project_changed.banner': 'The banner of the project was changed.',
    'activity.project_changed.services': 'The services of the project were changed.',
    'activity.project_changed.user_groups': 'The user groups of the project were changed.',
    'activity.member_added': '{user} is a member now.',
    'activity.member_removed': '{user} is no longer a member.',
  },
}

function bounds(allowed: Allowed | undefined): string {
  if (!allowed || Array.isArray(allowed)) return ''
  const facts = new Map<string, unknown>(Object.entries(allowed))
  const [minimum, maximum] = [facts.get('minimum'), facts.get('maximum')]
  if (isNumber(minimum) && isNumber(maximum)) return `: from ${minimum} to ${maximum}`
  if (isNumber(minimum)) return `: ${minimum} at least`
  return isNumber(maximum) ? `: ${maximum} at most` : ''
}

type Place = NonNullable<Told['params']>[string] | undefined

/** What a field may not do. Null is no value. */
function step(from: Place, to: Place): string {
  if (to === undefined) return 'cannot have this value now'
  if (to === null) return 'cannot be empty here'
  return from == null ? `cannot begin with ${to}` : `cannot go from ${from} to ${to}`
}

/** A field of an artifact, as people and programs call it. */
function fieldOf({ label, name }: Told): string {
  return label === undefined ? (name ?? 'This field') : `${label} (${name})`
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function choices(allowed: Allowed | undefined): string {
  return Array.isArray(allowed) && allowed.length > 0 ? `: ${allowed.map(choice).join(', ')}` : ''
}

function choice(one: unknown): string {
  return typeof one === 'object' && one !== null && 'label' in one ? String(one.label) : String(one)
}

function nameOf(who: WhoMay): string {
  return typeof who === 'string' ? who : who.user_group
}

/** What a search names. */
function quoted({ params, name, path }: Told): string {
  return `\`${String(params?.['name'] ?? name ?? path ?? '')}\``
}

function valueIn({ params }: Told): string {
  return `"${String(params?.['value'] ?? '')}"`
}

/** People count from one. */
function at({ position }: Told): string {
  return position === undefined ? '' : ` at column ${position + 1}`
}

/** The end of a sentence. */
function meant({ params }: Told): string {
  const nearest = params?.['did_you_mean']
  return nearest === undefined ? '.' : `; did you mean "${String(nearest)}"?`
}

function expected(allowed: Told['allowed']): string {
  return Array.isArray(allowed) && allowed.length > 0 ? `; expected ${allowed.join(', ')}` : ''
}
