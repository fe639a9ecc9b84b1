import type { Settings } from '@waypost/sdk/api'

export type SettingName = Exclude<keyof Settings, 'fixed' | 'public_url'>

/** How a setting is shown and edited. `optional`: a number or nothing. */
export type SettingKind =
  | 'flag'
  | 'number'
  | 'optional'
  | 'text'
  | 'long'
  | 'lines'
  | 'registration'
  | 'project_creation'
  | 'who_may_invite'
  | 'password_sign_in'

interface SettingGroup {
  readonly name: 'deletion' | 'platform' | 'access' | 'sign_in' | 'limits' | 'keeping'
  readonly fields: readonly (readonly [SettingName, SettingKind])[]
}

/** In the order of the screen; the settings needed most come first. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    name: 'deletion',
    fields: [
      ['artifact_deletion_limit', 'number'],
      ['trash_retention_days', 'number'],
      ['archive_deleted_artifacts', 'flag'],
      ['archive_retention_days', 'number'],
    ],
  },
  {
    name: 'access',
    fields: [
      ['anonymous_access', 'flag'],
      ['anonymous_directory', 'flag'],
      ['restricted_users', 'flag'],
      ['registration', 'registration'],
      ['who_may_invite', 'who_may_invite'],
      ['project_creation', 'project_creation'],
      ['may_import', 'flag'],
    ],
  },
  {
    name: 'platform',
    fields: [
      ['platform_name', 'text'],
      ['contact_email', 'text'],
      ['mail_from', 'text'],
      ['mail_footer', 'long'],
      ['time_zone', 'text'],
      ['language', 'text'],
    ],
  },
  {
    name: 'sign_in',
    fields: [
      ['password_sign_in', 'password_sign_in'],
      ['password_min_length', 'number'],
      ['session_idle_minutes', 'number'],
      ['session_max_days', 'number'],
      ['key_prefix', 'text'],
      ['access_key_max_days', 'optional'],
    ],
  },
  {
    name: 'limits',
    fields: [
      ['body_limit', 'number'],
      ['upload_limit', 'number'],
      ['upload_quota', 'number'],
      ['project_disk_quota', 'optional'],
      ['svn_file_limit_mb', 'number'],
      ['svn_empty_messages', 'flag'],
      ['query_terms', 'number'],
      ['query_trackers', 'number'],
      ['query_columns', 'number'],
      ['webhook_private_targets', 'lines'],
    ],
  },
  {
    name: 'keeping',
    fields: [
      ['event_retention_days', 'number'],
      ['audit_retention_days', 'number'],
      ['delivery_retention_days', 'number'],
    ],
  },
]

/** The choices of settings with a fixed list of values, by the kind of their field. */
export const CHOICES = {
  registration: ['closed', 'approval', 'open'],
  project_creation: ['everyone', 'approval', 'site_admins'],
  who_may_invite: ['everyone', 'project_admins', 'site_admins'],
  password_sign_in: ['everywhere', 'browser', 'never'],
} as const

/** The current content of the input. */
export type Typed = string | boolean

export function toTyped(value: Settings[SettingName]): Typed {
  if (typeof value === 'boolean') return value
  if (value === null) return ''
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** The value to send. Text that is not a number is sent unchanged, so that the server explains what it expects. */
export function settingValue(typed: Typed, kind: SettingKind): unknown {
  if (typeof typed === 'boolean') return typed
  if (kind === 'lines') return typed.split('\n').flatMap((line) => line.trim() || [])
  if (kind === 'optional' && typed.trim() === '') return null
  if (kind === 'number' || kind === 'optional') return /^\d+$/.test(typed.trim()) ? Number(typed) : typed
  return typed
}
