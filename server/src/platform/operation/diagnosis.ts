import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from './context.ts'
import { missingMigrations } from '../database/migrate.ts'
import { measureSequencingLag } from '../database/sequence-events.ts'
import { describeFailure } from '../messages/describe-failure.ts'
import { judgeNode } from './node-versions.ts'
import { ADDRESS_RETENTION_DAYS } from '../database/retention.ts'
import { fixedSettings, loadSettings } from './settings.ts'

export interface DiagnosticFinding {
  what: string
  state: 'ok' | 'warning' | 'wrong'
  detail: string
}

/** Less than a context, because an empty database has none yet. */
export type Installation = Pick<Context, 'db' | 'config'>

type Check = (installation: Installation) => Promise<DiagnosticFinding>

/** Runs all checks of an installation, and those that the rooms add, by name. Creates and changes nothing. */
export async function diagnose(
  installation: Installation,
  more: Readonly<Record<string, Check>>,
): Promise<DiagnosticFinding[]> {
  const findings: DiagnosticFinding[] = []
  const checks = [...CHECKS.map((check) => [check.name, check] as const), ...Object.entries(more)]
  for (const [name, check] of checks) {
    try {
      findings.push(await check(installation))
    } catch (error) {
      findings.push({
        what: name,
        state: 'wrong',
        detail: describeFailure(error).replaceAll('\n', ' '),
      })
    }
  }
  return findings
}

/** Processes assign positions several times a second. */
const MAX_SEQUENCING_LAG_S = 5
const SECOND_LOOK_DELAY_MS = 1000

/** Retention runs once a day, on whole days. */
const RETENTION_GRACE_DAYS = 3

const CHECKS: Check[] = [
  async function node() {
    const { state, detail } = judgeNode(process.versions.node)
    return finding('node', state === 'safe', detail, 'wrong')
  },
  async function database({ db }) {
    const { version, encoding } = await queryOneRow<{ version: number; encoding: string }>(
      db,
      sql`select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    )
    const isGood = version >= 150_000 && encoding === 'UTF8'
    return finding('database', isGood, `PostgreSQL ${Math.floor(version / 10_000)}, ${encoding}`, 'wrong')
  },
  async function migrations({ config }) {
    const missing = await missingMigrations(config.WAYPOST_DATABASE_URL)
    return finding(
      'migrations',
      missing.length === 0,
      missing.length === 0 ? 'all applied' : `missing: ${missing.join(', ')}`,
      'wrong',
    )
  },
  async function roles({ db }) {
    const { role, strong, rewrites } = await queryOneRow<{ role: string; strong: boolean; rewrites: boolean }>(
      db,
      sql`select current_user as role, (select rolsuper or rolcreatedb from pg_roles where rolname = current_user) as strong,
        has_table_privilege('audit', 'update') or has_table_privilege('audit', 'delete') as rewrites`,
    )
    const isGood = !strong && !rewrites
    return finding(
      'roles',
      isGood,
      isGood ? `${role} only uses the schema` : `${role} may do more than it needs`,
      'warning',
    )
  },
  async function collations({ db }) {
    const { rows } = await sql<{ name: string }>`
      select collname as name from pg_collation
      where collname = 'waypost' and collversion is distinct from pg_collation_actual_version(oid)`.execute(db)
    const changed = rows.length > 0
    return finding(
      'collations',
      !changed,
      changed ? 'the order of texts has changed: reindex, then refresh the version' : 'as when made',
      'wrong',
    )
  },
  async function clock({ db }) {
    const before = Date.now()
    const { now } = await queryOneRow<{ now: Date }>(db, sql`select clock_timestamp() as now`)
    const apart = Math.abs(now.getTime() - (before + Date.now()) / 2)
    return finding('clock', apart < 1000, `${Math.round(apart)} ms from the database's`, 'warning')
  },
  async function jobs({ db }) {
    const { parked, late } = await queryOneRow<{ parked: number; late: number }>(
      db,
      sql`select count(*) filter (where state = 'parked') as parked,
        count(*) filter (where state = 'waiting' and created_on < now() - interval '10 minutes' and run_after is null) as late from job`,
    )
    const detail = `${parked} parked, ${late} waiting for more than 10 minutes`
    return finding('jobs', parked === 0 && late === 0, detail, 'warning')
  },
  async function feed({ db }) {
    const first = await measureSequencingLag(db)
    // The events of a long transaction are old when they commit; those of a feed that stands still remain.
    if (first > MAX_SEQUENCING_LAG_S) await pause(SECOND_LOOK_DELAY_MS)
    const lag = first > MAX_SEQUENCING_LAG_S ? await measureSequencingLag(db) : first
    const detail = `the oldest event without a position is ${Math.round(lag)} s old`
    return finding('feed', lag <= MAX_SEQUENCING_LAG_S, lag === 0 ? 'all events have a position' : detail, 'wrong')
  },
  async function retention({ db, config }) {
    const { settings } = await loadSettings(db, fixedSettings(config))
    const ago = (days: number) => sql`(now() - make_interval(days => ${days + RETENTION_GRACE_DAYS}))`
    const { is_late } = await queryOneRow<{ is_late: boolean }>(
      db,
      sql`select exists (select from audit where "on" < ${ago(settings.audit_retention_days)})
        or exists (select from audit where "on" < ${ago(ADDRESS_RETENTION_DAYS)} and address !~ '/(24|48)$')
        or coalesce((select "on" from event order by id limit 1) < ${ago(settings.event_retention_days)}, false) as is_late`,
    )
    const detail =
      'entries of the audit log, addresses or events are older than they should be: no timer runs `waypost retain`'
    return finding('retention', !is_late, is_late ? detail : 'in time', 'wrong')
  },
  async function address({ config }) {
    const { href, protocol } = config.WAYPOST_PUBLIC_URL
    return finding('address', protocol === 'https:' || config.WAYPOST_ENVIRONMENT !== 'production', href, 'warning')
  },
]

function finding(what: string, isGood: boolean, detail: string, otherwise: 'warning' | 'wrong'): DiagnosticFinding {
  return { what, state: isGood ? 'ok' : otherwise, detail }
}

async function queryOneRow<Row>(db: Context['db'], query: ReturnType<typeof sql>): Promise<Row> {
  const { rows } = await sql<Row>`${query}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database gave no answer.')
  return row
}
