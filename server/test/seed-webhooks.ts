import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { LEDGER_CANARY, VAULT_CANARY } from './canaries.ts'
import { LONG_AGO } from './insert-artifact.ts'
import { MARA } from './people.ts'
import { BUGS, HOOK, LEDGER, LOST_BUGS, MARSH, MARSH_BUGS, ORCHARD, SAFE, VAULT } from './places.ts'

const HOOKS = [
  { id: HOOK.bugs, tracker: BUGS, project: ORCHARD, path: 'in' },
  { id: HOOK.safe, tracker: SAFE, project: VAULT, path: VAULT_CANARY },
  { id: HOOK.ledger, tracker: LEDGER, project: ORCHARD, path: LEDGER_CANARY },
  { id: HOOK.lost, tracker: LOST_BUGS, project: ORCHARD, path: 'lost' },
  { id: HOOK.marsh, tracker: MARSH_BUGS, project: MARSH, path: 'marsh' },
]

/** A webhook of each tracker of the small world, switched off, with one delivery that was made. */
export async function seedWebhooks(db: Db): Promise<void> {
  for (const { id, tracker, project, path } of HOOKS) {
    await sql`
      insert into webhook (id, project_id, tracker_id, url, events, format, payload, active, state, secret, place_xid,
        place_id, created_by, created_on)
      overriding system value
      values (${id}, ${project}, ${tracker}, ${`https://hooks.waypost.example/${path}`}, '{artifact.created}', 'form',
        'original', false, 'off', '\\x00', '0', 0, ${MARA.id}, ${LONG_AGO})`.execute(db)
    await sql`
      insert into webhook_delivery (id, webhook_id, kind, event, event_id, state, "on", due_on, attempts, tried, status,
        duration_ms, request_headers, request_body, answer_headers, answer_body)
      overriding system value
      values (${id + 1000}, ${id}, 'ping', 'ping', 'ping.1', 'delivered', ${LONG_AGO}, ${LONG_AGO}, 1, true, 200, 5,
        '{}', ${path}, '{}', ${path})`.execute(db)
  }
}
