import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import { PEOPLE, type Person } from './people.ts'
import { GATED, LEDGER_SECRET, LOST_BUG, MARSH_SECRET, OPEN_BUG, SAFE_SECRET } from './places.ts'

const ABOUT = [OPEN_BUG, SAFE_SECRET, LEDGER_SECRET, GATED, LOST_BUG, MARSH_SECRET]
const NEVER_OLD = new Date('2099-01-01T00:00:00Z')

/** Everybody's inbox: an entry about each artifact of the small world, whether its reader may still know of it or not. */
export async function seedNotifications(db: Db): Promise<void> {
  await sql`
    insert into notified_event (id, xid, epoch, "on", type, object, project_id, actor_id, payload)
    select eventOf.id, '1', 'e1', ${NEVER_OLD}, 'artifact.updated', 'artifacts/' || artifact.id, artifact.project_id,
      artifact.submitted_by, jsonb_build_object('version', 1, 'tracker_id', artifact.tracker_id)
    from unnest(${ABOUT.map((_, at) => eventOf(at))}::bigint[], ${ABOUT}::bigint[]) as eventOf (id, artifact_id)
      join artifact on artifact.id = eventOf.artifact_id`.execute(db)
  for (const person of PEOPLE)
    for (const [at, artifact] of ABOUT.entries())
      await sql`insert into notification (id, account_id, event_id, why, "on")
        values (${notificationOf(person, artifact)}, ${person.id}, ${eventOf(at)}, 'watch', ${NEVER_OLD})`.execute(db)
}

function eventOf(at: number): number {
  return 35_001 + at
}

/** A person's entry about an artifact. */
export function notificationOf({ id }: Person, artifact: number): number {
  return 36_000 + 10 * (id - 1000) + ABOUT.findIndex((each) => each === artifact)
}
