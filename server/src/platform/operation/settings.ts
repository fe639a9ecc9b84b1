import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { Check, Create } from 'typebox/value'
import { languages } from '../messages/catalogue.ts'
import type { Config } from './config.ts'
import type { Db, Tx } from '../database/db.ts'

declare module '../database/db.ts' {
  interface Tables {
    setting: { version: number; chosen: object }
  }
}

const MiB = 2 ** 20
const days = (initial: number) => Type.Integer({ minimum: 1, maximum: 3650, default: initial })
const terms = (initial: number) => Type.Integer({ minimum: 1, maximum: 1000, default: initial })
const bytes = (initial: number) => Type.Integer({ minimum: 1024, maximum: 2 ** 50, default: initial })

/** Settings that a site administrator may change at runtime. They contain no secrets. */
export const SettingsSchema = Type.Object({
  platform_name: Type.String({ minLength: 1, maxLength: 100, default: 'Waypost', trim: true }),
  contact_email: Type.String({ maxLength: 254, default: '', trim: true }),
  anonymous_access: Type.Boolean({ default: true }),
  anonymous_directory: Type.Boolean({ default: false }),
  restricted_users: Type.Boolean({ default: false }),
  registration: Type.Enum(['closed', 'approval', 'open'], { default: 'closed' }),
  who_may_invite: Type.Enum(['everyone', 'project_admins', 'site_admins'], { default: 'project_admins' }),
  project_creation: Type.Enum(['everyone', 'approval', 'site_admins'], { default: 'everyone' }),
  may_import: Type.Boolean({
    default: false,
    description: 'Project administrators may import artifacts with authors and dates of another system.',
  }),
  artifact_deletion_limit: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 100 }),
  trash_retention_days: days(30),
  archive_deleted_artifacts: Type.Boolean({ default: false }),
  archive_retention_days: Type.Integer({ minimum: 0, maximum: 36_500, default: 0 }),
  time_zone: Type.String({ maxLength: 64, default: 'UTC' }),
  language: Type.String({ maxLength: 35, default: 'en' }),
  key_prefix: Type.String({ pattern: '^[a-z][a-z0-9]{1,9}$', default: 'tlp' }),
  access_key_max_days: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], { default: null }),
  session_idle_minutes: Type.Integer({ minimum: 5, maximum: 10_080, default: 480 }),
  session_max_days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
  password_sign_in: Type.Enum(['everywhere', 'browser', 'never'], { default: 'everywhere' }),
  password_min_length: Type.Integer({ minimum: 8, maximum: 64, default: 12 }),
  body_limit: bytes(8 * MiB),
  upload_limit: bytes(1024 * MiB),
  upload_quota: bytes(4096 * MiB),
  project_disk_quota: Type.Union([Type.Integer({ minimum: 1024, maximum: 2 ** 50 }), Type.Null()], {
    default: 10_240 * MiB,
  }),
  svn_file_limit_mb: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
  svn_empty_messages: Type.Boolean({ default: false }),
  query_terms: terms(30),
  query_trackers: terms(50),
  query_columns: terms(30),
  webhook_private_targets: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, default: [] }),
  mail_from: Type.String({ maxLength: 254, default: '', trim: true }),
  mail_footer: Type.String({ maxLength: 2000, default: '' }),
  event_retention_days: days(90),
  audit_retention_days: days(400),
  delivery_retention_days: days(30),
})

export type SettingValues = Static<typeof SettingsSchema>

export interface PlatformSettings {
  /** As of the last loaded version; every request starts by reloading it if changed. */
  readonly current: SettingValues
  readonly version: number
  /** Takes the current version of the database; reloads if it differs. */
  reloadIfChanged(version: number): Promise<void>
}

const DEFAULTS = Create(SettingsSchema)

/** For the select list of the first statement of a request. */
export const settingsVersion = sql<number>`(select setting.version from setting)`

export async function createSettings(db: Db, fixed: Partial<SettingValues>): Promise<PlatformSettings> {
  let state = await loadSettings(db, fixed)
  return {
    get current() {
      return state.settings
    },
    get version() {
      return state.version
    },
    async reloadIfChanged(version) {
      if (version !== state.version) state = await loadSettings(db, fixed)
    },
  }
}

export async function readSettingsVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from setting`.execute(db)
  return rows[0]?.version ?? 0
}

/** Settings that the environment fixes, so that the API cannot change them. */
export function fixedSettings({ WAYPOST_TIME_ZONE }: Config): Partial<SettingValues> {
  return WAYPOST_TIME_ZONE === null ? {} : { time_zone: WAYPOST_TIME_ZONE }
}

/** Locks the settings against other writers until the transaction ends. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select from setting for update`.execute(tx)
}

/** Stores validated changes. Compare-and-swap: false if another writer was faster. */
export async function writeSettings(tx: Tx, changes: object, expected: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update setting set version = version + 1, chosen = chosen || ${JSON.stringify(changes)}::jsonb
    where version = ${expected}`.execute(tx)
  return numAffectedRows === 1n
}

/** The settings as seen by a transaction, which may have changed them itself. */
export async function loadSettings(
  db: Db | Tx,
  fixed: Partial<SettingValues>,
): Promise<{ version: number; settings: SettingValues }> {
  const { rows } = await sql<{ version: number; chosen: object }>`select version, chosen from setting`.execute(db)
  const [row] = rows
  const settings: unknown = { ...DEFAULTS, ...row?.chosen, ...fixed }
  if (!isSettings(settings)) throw new Error('The stored settings do not fit their schema.')
  return { version: row?.version ?? 0, settings }
}

export function isInstalledLanguage(tag: string): boolean {
  return languages().includes(tag)
}

function isSettings(value: unknown): value is SettingValues {
  return Check(SettingsSchema, value)
}
