import type { Catalogue } from './catalogue.ts'
import { englishMails } from './english-mails.ts'
import type { Allowed, Cause, Details, Reason, WhoMay } from './reasons.ts'

type Complete = Catalogue & {
  readonly reasons: Record<Reason, (details: Details) => string>
  readonly causes: Record<Cause, (details: Details) => string>
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
    field_required: () => 'A mandatory field has no value.',
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
    deep_offset: ({ allowed }) => `The offset is too deep${bounds(allowed)}; the cursor of \`Link\` goes any distance.`,
    project_suspended: () => 'This project is suspended.',
    project_deleted: () => 'This project is deleted.',
    restricted_account: () => 'Restricted users may not do this.',
    not_switchable: () => 'This service cannot be switched.',
  },
  texts: {
    ...englishMails,
    'group.all_users': 'All users, anonymous ones included',
    'group.registered_users': 'Registered users',
    'group.authenticated_users': 'Registered and restricted users',
    'group.nobody': 'Nobody',
    'group.project_members': 'Project members',
    'group.project_admins': 'Project administrators',
    'group.svn_admins': 'Subversion administrators',
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

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function choices(allowed: Allowed | undefined): string {
  return Array.isArray(allowed) && allowed.length > 0 ? `: ${allowed.join(', ')}` : ''
}

function nameOf(who: WhoMay): string {
  return typeof who === 'string' ? who : who.user_group
}
