import { sql } from 'kysely'
import { inTransaction, openDatabase } from '../server/src/platform/database/db.ts'
import { recordEvent } from '../server/src/platform/database/events.ts'
import { sequenceEvents } from '../server/src/platform/database/sequence-events.ts'
import { ANONYMOUS_VIEWER } from '../server/src/platform/http/request-state.ts'

export interface SequencingResult {
  /** Positions assigned per second, of a backlog. */
  events_per_second: number
  /** Time between the commit of an event and its position, with a sequencer that starts at once. */
  added_p50_ms: number
  added_p95_ms: number
  /** The write itself, for comparison. */
  write_p50_ms: number
  write_p95_ms: number
}

const ORIGIN = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
const BACKLOG = 20_000
const SINGLE_EVENTS = 300

/** The time to sequence a long backlog, and single events beside it. */
export async function measureSequencing(url: string): Promise<SequencingResult> {
  const db = openDatabase({ connectionString: url, max: 2, statement_timeout: 60_000 })
  await sequenceEvents(db)
  await sql`insert into event (type) select 'backlog' from generate_series(1, ${BACKLOG}::integer)`.execute(db)
  const began = performance.now()
  await sequenceEvents(db)
  const seconds = (performance.now() - began) / 1000
  const [added, written]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < SINGLE_EVENTS; turn++) {
    const started = performance.now()
    await inTransaction(db, (tx) => recordEvent(tx, ORIGIN, { type: 'single' }))
    const committed = performance.now()
    written.push(committed - started)
    await sequenceEvents(db)
    added.push(performance.now() - committed)
  }
  await db.destroy()
  return {
    events_per_second: Math.round(BACKLOG / seconds),
    added_p50_ms: percentile(added, 0.5),
    added_p95_ms: percentile(added, 0.95),
    write_p50_ms: percentile(written, 0.5),
    write_p95_ms: percentile(written, 0.95),
  }
}

function percentile(durations: readonly number[], part: number): number {
  const sorted = durations.toSorted((one, other) => one - other)
  return Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100
}
