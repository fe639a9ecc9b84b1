import { type AuditEntry, type Origin, recordAudit } from '../database/audit.ts'
import type { Db, Tx } from '../database/db.ts'
import { type NewEvent, recordEvent } from '../database/events.ts'
import { enqueueJob, type NewJob } from '../jobs/jobs.ts'
import type { Viewer } from './viewer.ts'

export interface Change extends Pick<AuditEntry, 'before' | 'after' | 'project_id'> {
  /** The `uri` of what changes; its collection for a creation. */
  object: string
  op: 'create' | 'update' | 'delete'
  /** The audit log's name for it, where it is not that of the route. */
  action?: string
  /** Where the audit row points, for a creation: the new thing. */
  made?: string
  /** Members that tell who a person is. The log, which nothing can be erased from, only says that they changed. */
  personal?: readonly string[]
  /** Whose deed it is, where the request has no credentials: a sign-in. */
  actor?: Viewer
}

export interface Notified {
  user: { id: number; username: string } | { email: string }
  channel: 'mail'
  why: string
}

/** One write: all that it does goes through here, into one transaction, and into the report of a dry run. */
export interface Work {
  readonly tx: Tx
  readonly origin: Origin
  /** Writes the audit row of a change. */
  change(change: Change): Promise<void>
  /** Tells the feed. */
  tell(event: NewEvent): Promise<void>
  enqueue(job: NewJob): Promise<void>
  /** Says, for a dry run, whom the jobs of this write will tell. */
  notify(notified: Notified): void
  /** An effect that stays although the write is refused and rolled back, such as counting the attempt. */
  evenIfRefused(effect: (db: Db) => Promise<void>): void
}

export interface RecordedWork extends Work {
  readonly changes: readonly Change[]
  readonly notified: readonly Notified[]
  readonly leftovers: readonly ((db: Db) => Promise<void>)[]
}

export function createWork(tx: Tx, origin: Origin, routeAction: string | undefined): RecordedWork {
  const changes: Change[] = []
  const notified: Notified[] = []
  const leftovers: ((db: Db) => Promise<void>)[] = []
  return {
    tx,
    origin,
    changes,
    notified,
    leftovers,
    async change(change) {
      changes.push(change)
      const action = change.action ?? routeAction
      if (action === undefined) return
      const { actor = origin.viewer, personal = [], made: object = change.object } = change
      const [before, after] = [without(personal, change.before), without(personal, change.after)]
      await recordAudit(tx, { ...origin, viewer: actor }, { ...change, action, object, before, after })
    },
    tell: (event) => recordEvent(tx, origin, event),
    enqueue: (job) => enqueueJob(tx, job, origin.request_id),
    notify: (one) => void notified.push(one),
    evenIfRefused: (effect) => void leftovers.push(effect),
  }
}

function without(personal: readonly string[], values: object | null | undefined): object | null {
  const kept = ([name, value]: [string, unknown]) => [name, personal.includes(name) ? '(personal)' : value]
  return values ? Object.fromEntries(Object.entries(values).map(kept)) : null
}

/** `changes` of the dry run: what each object was, and would be. */
export function reportChanges(changes: readonly Change[]) {
  return changes.map(({ object, op, before, after }) => {
    const was = new Map<string, unknown>(Object.entries(before ?? {}))
    const is = new Map<string, unknown>(Object.entries(after ?? {}))
    const names = [...new Set([...was.keys(), ...is.keys()])]
    const fields = names.map((name) => ({ name, before: was.get(name) ?? null, after: is.get(name) ?? null }))
    return { object, op, fields }
  })
}
