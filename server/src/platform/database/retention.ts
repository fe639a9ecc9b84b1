import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { SettingValues } from '../operation/settings.ts'
import { type Origin, recordAudit } from './audit.ts'
import { type Db, inTransaction, type Tx } from './db.ts'
import { deleteEventsBefore } from './events.ts'

const DAY_MS = 86_400_000
/** Older addresses in the audit log are shortened to their network. */
export const ADDRESS_RETENTION_DAYS = 30
const ADDRESS_RETENTION_MS = ADDRESS_RETENTION_DAYS * DAY_MS

/** `from` is inclusive, `to` is exclusive. */
interface Span {
  from: Date
  to: Date
}

interface RetentionCounts {
  entries: number
  days: number
  addresses: number
  events: number
}

/**
 * Removes expired data. Requires the owner of the schema, because the role of the servers cannot change the audit log.
 * It may run at any time, repeatedly, and be interrupted: it continues where it stopped.
 */
export async function applyRetention(
  db: Db,
  origin: Origin,
  settings: Pick<SettingValues, 'audit_retention_days' | 'event_retention_days'>,
  now: Date,
): Promise<RetentionCounts> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const done: RetentionCounts = { entries: 0, days: 0, addresses: 0, events: 0 }
  const lastDay = startOfDay(ago(settings.audit_retention_days * DAY_MS))
  for (const day of daysBetween(await oldestEntry(db), lastDay)) {
    const entries = await inTransaction(db, (tx) => removeDay(tx, origin, day))
    done.entries += entries
    if (entries > 0) done.days++
  }
  for (const day of daysBetween(await oldestEntry(db), ago(ADDRESS_RETENTION_MS)))
    done.addresses += await inTransaction(db, (tx) => shortenAddresses(tx, day))
  done.events = await deleteEventsBefore(db, ago(settings.event_retention_days * DAY_MS))
  return done
}

/** UTC days, one transaction each; the last one may be partial. */
function daysBetween(first: Date | null, end: Date): Span[] {
  const days: Span[] = []
  for (let from = first && startOfDay(first); from && from < end; ) {
    const next = new Date(from.getTime() + DAY_MS)
    days.push({ from, to: next < end ? next : end })
    from = next
  }
  return days
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS)
}

async function oldestEntry(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`select min(audit."on") as oldest from audit`.execute(db)
  return rows[0]?.oldest ?? null
}

/** Writes an entry about the removal into the log. */
async function removeDay(tx: Tx, origin: Origin, { from, to }: Span): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from audit where audit."on" >= ${from} and audit."on" < ${to}`.execute(tx)
  const entries = Number(numAffectedRows)
  if (entries > 0) {
    const before = { day: from.toISOString().slice(0, 10), entries }
    await recordAudit(tx, origin, { action: 'audit.retention', object: 'audit', before })
  }
  return entries
}

/** Keeps only the network: /24 of IPv4, /48 of IPv6. Invalid addresses, as a proxy may pass them, are removed. */
async function shortenAddresses(tx: Tx, { from, to }: Span): Promise<number> {
  const { rows } = await sql<{ address: string }>`
    select distinct audit.address from audit
    where audit."on" >= ${from} and audit."on" < ${to} and audit.address !~ '/(24|48)$'`.execute(tx)
  const full = rows.map(({ address }) => address)
  if (full.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update audit set address = network(set_masklen(short.address, case family(short.address) when 4 then 24 else 48 end))::text
    from (select given.text, given.address::inet as address
      from unnest(${full}::text[], ${full.map(toInetText)}::text[]) as given (text, address)) short
    where audit.address = short.text and audit."on" >= ${from} and audit."on" < ${to}`.execute(tx)
  return Number(numAffectedRows)
}

/** An address in the syntax of `inet`; IPv4-mapped IPv6 becomes IPv4. */
function toInetText(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(plain) === 0 ? null : plain
}
