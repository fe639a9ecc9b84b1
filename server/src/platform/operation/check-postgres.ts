import { sql } from 'kysely'
import type { DiagnosticFinding, Installation } from './diagnosis.ts'

/** Settings that lose data, or let the database slow down, and the values that are safe. */
const SAFE_VALUES: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
  autovacuum: ['on'],
  track_counts: ['on'],
  default_transaction_read_only: ['off'],
}
/** A process with both roles has so many besides its pools. */
const QUEUE_CONNECTIONS = 7
const MIN_SHARED_BUFFERS_BYTES = 128 * 2 ** 20

/** Settings of PostgreSQL. Test and development clusters may trade safety for speed: there a fault is a warning. */
export async function postgresql({ db, config }: Installation): Promise<DiagnosticFinding> {
  const { rows } = await sql<{ name: string; setting: string; bytes: number | null }>`
    select name, setting, case when unit = '8kB' then setting::bigint * 8192 end as bytes from pg_settings
    where name = any(${[...Object.keys(SAFE_VALUES), ...COUNTS]}::text[])`.execute(db)
  const settings = new Map(rows.map((row) => [row.name, row]))
  const unsafe = Object.entries(SAFE_VALUES).flatMap(([name, safe]) => {
    const value = settings.get(name)?.setting
    return value === undefined || safe.includes(value) ? [] : [`${name} is ${value}`]
  })
  const hints: string[] = []
  const number = (name: string) => Number(settings.get(name)?.setting ?? 0)
  const available = number('max_connections') - number('superuser_reserved_connections')
  const needed =
    config.WAYPOST_DATABASE_POOL +
    config.WAYPOST_DATABASE_POOL_EXPORTS +
    config.WAYPOST_DATABASE_POOL_STREAMS +
    config.WAYPOST_DATABASE_POOL_JOBS +
    QUEUE_CONNECTIONS
  if (available < needed) hints.push(`max_connections leaves ${available}, and each process may use ${needed}`)
  if ((settings.get('shared_buffers')?.bytes ?? MIN_SHARED_BUFFERS_BYTES) < MIN_SHARED_BUFFERS_BYTES)
    hints.push('shared_buffers is below 128 MB')
  const isWrong = unsafe.length > 0 && config.WAYPOST_ENVIRONMENT === 'production'
  const faults = [...unsafe, ...hints]
  return {
    what: 'postgresql',
    state: isWrong ? 'wrong' : faults.length > 0 ? 'warning' : 'ok',
    detail: faults.join('; ') || `durable, ${available} connections`,
  }
}

const COUNTS = ['max_connections', 'superuser_reserved_connections', 'shared_buffers']
