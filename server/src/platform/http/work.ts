import { type AuditEntry, type Origin, recordAudit } from '../database/audit.ts'
import { type Db, inOneStatement, inOneTransaction, type Tx } from '../database/db.ts'
import { type NewEvent, recordEvent } from '../database/events.ts'
import { enqueueJob, type NewJob } from '../jobs/jobs.ts'
import type { Viewer } from './viewer.ts'

interface FieldChange {
  field_id?: number
  name: string
  before: unknown
  after: unknown
}

interface Change extends Pick<AuditEntry, 'before' | 'after' | 'project_id'> {
  /** The `uri` of what changes; its collection for a creation. */
  object: string
  op: 'create' | 'update' | 'delete'
  /** What the report of a dry run says, where comparing `before` and `after` would not say it. */
  fields?: readonly FieldChange[]
  /** The audit log's name for it, where it is not that of the route; null: the log does not hold it. */
  action?: string | null
  /** Where the audit row points, for a creation: the new thing. */
  made?: string
  /** Members that tell who a person is. The log, which nothing can be erased from, only says that they changed. */
  personal?: readonly string[]
  /** The caller may not know of it: the report of a dry run leaves it out. */
  isUntold?: boolean
  /** Whose deed it is, where the request has no credentials: a sign-in. */
  actor?: Viewer
}

interface Notified {
  user: { id: number; username: string } | { email: string }
  channel: 'mail' | 'inbox'
  why: string
}

/** A rule of the workflow, a trigger, a default: what it did to this write. */
export interface ActedRule {
  rule: string
  name: string
  effect: string
  field_id?: number
}

/** One write that needs no transaction around it: it writes by one statement, or asks for a transaction. */
export interface FreeWork {
  /** To read by: the pool, or the transaction that is there. */
  readonly db: Db | Tx
  readonly origin: Origin
  /** Nothing of it will stay: what it reports is all that counts. */
  readonly isDryRun: boolean
  /** The one statement that writes. Its connection lost, nobody knows whether it did; it is never sent again. */
  statement<T>(write: (db: Db | Tx) => Promise<T>): Promise<T>
  /** Runs in the transaction that is there, or in one of its own. Instead of a statement, not beside it. */
  whole<T>(write: (work: Work) => Promise<T>): Promise<T>
  /** Says, for a dry run, what changes. */
  change(change: Omit<Change, 'action'>): Promise<void>
  /** Says, for a dry run, which rule acted. */
  rule(rule: ActedRule): void
  /** Says, for a dry run, whom the jobs of this write will tell. */
  notify(notified: Notified): void
  /** An effect that stays although the write is refused and rolled back, such as counting the attempt. */
  evenIfRefused(effect: (db: Db) => Promise<void>): void
}

/** One write: all that it does goes through here, into one transaction, and into the report of a dry run. */
export interface Work extends FreeWork {
  readonly tx: Tx
  /** Writes the audit row of a change. */
  change(change: Change): Promise<void>
  /** Tells the feed. */
  tell(event: NewEvent): Promise<void>
  enqueue(job: NewJob): Promise<void>
}

/** What a work left behind for those who run it. */
interface Recorded {
  report(): Report
  readonly leftovers: readonly Leftover[]
}

export interface RecordedWork extends Work, Recorded {}
export interface RecordedFreeWork extends FreeWork, Recorded {}
/** One that nobody else commits. */
export interface LoneWork extends RecordedFreeWork {
  /** It is committed, whatever becomes of the answer. */
  readonly isDone: boolean
}

/** An effect outside of the transaction. */
export type Leftover = (db: Db) => Promise<void>

export function createWork(
  tx: Tx,
  origin: Origin,
  routeAction: string | undefined,
  record = createRecord(),
  isDryRun = false,
): RecordedWork {
  const work: RecordedWork = {
    ...record.kept,
    db: tx,
    tx,
    origin,
    isDryRun,
    statement: (write) => write(tx),
    whole: (write) => write(work),
    async change(change) {
      if (!change.isUntold) record.changes.push(change)
      const { action = routeAction } = change
      if (action === undefined || action === null) return
      const { actor = origin.viewer, personal = [], made: object = change.object } = change
      const [before, after] = [without(personal, change.before), without(personal, change.after)]
      await recordAudit(tx, { ...origin, viewer: actor }, { ...change, action, object, before, after })
    },
    tell: (event) => recordEvent(tx, origin, event),
    enqueue: (job) => enqueueJob(tx, job, origin.request_id),
  }
  return work
}

/** The work of a route that writes by one statement, and that no dry run or key asks to be part of a transaction. */
export function createFreeWork(db: Db, origin: Origin): LoneWork {
  const record = createRecord()
  let isDone = false
  const done = <T>(result: T): T => {
    if (result !== undefined) isDone = true // Else it has written nothing: the world had moved on.
    return result
  }
  return {
    ...record.kept,
    db,
    origin,
    isDryRun: false,
    get isDone() {
      return isDone
    },
    statement: async (write) => done(await inOneStatement(db, write)),
    whole: async (write) => done(await inOneTransaction(db, (tx) => write(createWork(tx, origin, undefined, record)))),
    async change(change) {
      record.changes.push(change)
    },
  }
}

/** The report of a dry run, but for the answer. */
export interface Report {
  changes: { object: string; op: Change['op']; fields: readonly FieldChange[] }[]
  rules: readonly ActedRule[]
  notified: readonly Notified[]
}

function createRecord() {
  const changes: Change[] = []
  const rules: ActedRule[] = []
  const notified: Notified[] = []
  const leftovers: Leftover[] = []
  return {
    changes,
    kept: {
      leftovers,
      report: () => ({ changes: changes.map(reportChange), rules, notified }),
      rule: (one: ActedRule) => void rules.push(one),
      notify: (one: Notified) => void notified.push(one),
      evenIfRefused: (effect: Leftover) => void leftovers.push(effect),
    },
  }
}

/** What an object was, and would be. */
function reportChange({ object, op, before, after, fields }: Change) {
  if (fields) return { object, op, fields }
  const was = new Map<string, unknown>(Object.entries(before ?? {}))
  const is = new Map<string, unknown>(Object.entries(after ?? {}))
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return {
    object,
    op,
    fields: names.map((name) => ({ name, before: was.get(name) ?? null, after: is.get(name) ?? null })),
  }
}

function without(personal: readonly string[], values: object | null | undefined): object | null {
  const kept = ([name, value]: [string, unknown]) => [name, personal.includes(name) ? '(personal)' : value]
  return values ? Object.fromEntries(Object.entries(values).map(kept)) : null
}
