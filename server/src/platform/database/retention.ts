import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Settings } from '../operation/settings.ts'
import { type Origin, recordAudit } from './audit.ts'
import { type Db, inTransaction, type Tx } from './db.ts'
import { removeEvents } from './events.ts'

const DAY = 86_400_000
const ADDRESSES_STAY = 30 * DAY

/** From one moment on, until just before another. */
interface Span {
  from: Date
  to: Date
}

/** How much was done. */
interface Retained {
  entries: number
  days: number
  addresses: number
  events: number
}

/**
 * Removes what is kept no longer. Only the owner of the schema can: the servers' role cannot touch the audit log. It may
 * run at any time, any number of times, and be cut off in the middle: it goes on where it stood.
 */
export async function retain(
  db: Db,
  origin: Origin,
  settings: Pick<Settings, 'audit_retention_days' | 'event_retention_days'>,
  now: Date,
): Promise<Retained> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const done: Retained = { entries: 0, days: 0, addresses: 0, events: 0 }
  const lastDay = startOfDay(ago(settings.audit_retention_days * DAY))
  for (const day of daysBetween(await oldestEntry(db), lastDay)) {
    const entries = await inTransaction(db, (tx) => removeDay(tx, origin, day))
    done.entries += entries
    if (entries > 0) done.days++
  }
  for (const day of daysBetween(await oldestEntry(db), ago(ADDRESSES_STAY)))
    done.addresses += await inTransaction(db, (tx) => shortenAddresses(tx, day))
  done.events = await removeEvents(db, ago(settings.event_retention_days * DAY))
  return done
}

/** Days of UTC, each of them a transaction of its own; the last one may be a part of a day. */
function daysBetween(first: Date | null, end: Date): Span[] {
  const days: Span[] = []
  for (let from = first && startOfDay(first); from && from < end; ) {
    const next = new Date(from.getTime() + DAY)
    days.push({ from, to: next < end ? next : end })
    from = next
  }
  return days
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY) * DAY)
}

async function oldestEntry(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ oldest: Date | null }>`select min(audit."on") as oldest from audit`.execute(db)
  return rows[0]?.oldest ?? null
}

/** The log says itself what is no longer in it. */
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

/** Leaves the network: /24 of IPv4, /48 of IPv6. What is no address, as a proxy may hand it on, goes. */
async function shortenAddresses(tx: Tx, { from, to }: Span): Promise<number> {
  const { rows } = await sql<{ address: string }>`
    select distinct audit.address from audit
    where audit."on" >= ${from} and audit."on" < ${to} and audit.address !~ '/(24|48)$'`.execute(tx)
  const full = rows.map(({ address }) => address)
  if (full.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update audit set address = network(set_masklen(short.address, case family(short.address) when 4 then 24 else 48 end))::text
    from (select given.text, given.address::inet as address
      from unnest(${full}::text[], ${full.map(readable)}::text[]) as given (text, address)) short
    where audit.address = short.text and audit."on" >= ${from} and audit."on" < ${to}`.execute(tx)
  return Number(numAffectedRows)
}

/** An address as the database reads it; one of IPv4 may come in the clothes of IPv6. */
function readable(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  return isIP(plain) === 0 ? null : plain
}
