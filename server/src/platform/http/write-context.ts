import { type AuditEntry, type Origin, recordAudit } from '../database/audit.ts'
import { type Db, inSingleStatement, inTransactionWithoutRetry, type Tx } from '../database/db.ts'
import { type NewEvent, recordEvent } from '../database/events.ts'
import { enqueueJob, type NewJob } from '../jobs/jobs.ts'
import type { Viewer } from './viewer.ts'

interface FieldChange {
  field_id?: number
  name: string
  before: unknown
  after: unknown
}

interface RecordedChange extends Pick<AuditEntry, 'before' | 'after' | 'project_id'> {
  /** The `uri` of the changed object; for a creation, of its collection. */
  object: string
  op: 'create' | 'update' | 'delete'
  /** Changes for the dry-run report, if comparing `before` and `after` does not give them. */
  fields?: readonly FieldChange[]
  /** The action in the audit log, if not that of the route; null: not audited. */
  action?: string | null
  /** The `uri` of a created object, for the audit log. */
  made?: string
  /** Members with personal data. The audit log cannot be erased, so it records only that they changed. */
  personal?: readonly string[]
  /** The caller may not read it: the dry-run report omits it. */
  isHiddenFromCaller?: boolean
  /** The actor, if the request has no credentials: a sign-in. */
  actor?: Viewer
}

interface Notified {
  user: { id: number; username: string } | { email: string }
  channel: 'mail' | 'inbox'
  why: string
}

/** The effect of a workflow rule, trigger or default on this write. */
export interface AppliedRule {
  rule: string
  name: string
  effect: string
  field_id?: number
}

/** A write without a surrounding transaction: it runs one statement, or opens a transaction. */
export interface StatementWriteContext {
  /** For reads: the pool, or the open transaction. */
  readonly db: Db | Tx
  readonly origin: Origin
  /** Everything is rolled back; only the report counts. */
  readonly isDryRun: boolean
  /** The one statement that writes. If its connection is lost, the outcome is unknown and it is never retried. */
  statement<T>(write: (db: Db | Tx) => Promise<T>): Promise<T>
  /** Runs in the open transaction, or in a new one. Use it instead of `statement`, not beside it. */
  inTransaction<T>(write: (work: WriteContext) => Promise<T>): Promise<T>
  /** Adds a change to the dry-run report. */
  change(change: Omit<RecordedChange, 'action'>): Promise<void>
  /** Adds an applied rule to the dry-run report. */
  rule(rule: AppliedRule): void
  /** Adds a person to the dry-run report whom the jobs of this write will notify. */
  notify(notified: Notified): void
  /** An effect that persists although the write is refused and rolled back, such as counting the attempt. */
  evenIfRefused(effect: (db: Db) => Promise<void>): void
}

/** A write in one transaction. All its effects go through here, for the dry-run report. */
export interface WriteContext extends StatementWriteContext {
  readonly tx: Tx
  /** Also writes the audit row of the change. */
  change(change: RecordedChange): Promise<void>
  /** Writes an event to the feed. */
  recordEvent(event: NewEvent): Promise<void>
  enqueue(job: NewJob): Promise<void>
}

/** The report and the out-of-transaction effects of a write. */
interface WriteRecord {
  report(): WriteReport
  readonly leftovers: readonly OutOfTransactionEffect[]
}

export interface RecordedWriteContext extends WriteContext, WriteRecord {}
export interface RecordedStatementWriteContext extends StatementWriteContext, WriteRecord {}
/** Commits by itself, without a surrounding transaction. */
export interface AutocommitWriteContext extends RecordedStatementWriteContext {
  /** True even if the response fails afterwards. */
  readonly isCommitted: boolean
}

export type OutOfTransactionEffect = (db: Db) => Promise<void>

export function createWriteContext(
  tx: Tx,
  origin: Origin,
  routeAction: string | undefined,
  record = createWriteRecord(),
  isDryRun = false,
): RecordedWriteContext {
  const work: RecordedWriteContext = {
    ...record.kept,
    db: tx,
    tx,
    origin,
    isDryRun,
    statement: (write) => write(tx),
    inTransaction: (write) => write(work),
    async change(change) {
      if (!change.isHiddenFromCaller) record.changes.push(change)
      const { action = routeAction } = change
      if (action === undefined || action === null) return
      const { actor = origin.viewer, personal = [], made: object = change.object } = change
      const [before, after] = [redactPersonal(personal, change.before), redactPersonal(personal, change.after)]
      await recordAudit(tx, { ...origin, viewer: actor }, { ...change, action, object, before, after })
    },
    recordEvent: (event) => recordEvent(tx, origin, event),
    enqueue: (job) => enqueueJob(tx, job, origin.request_id),
  }
  return work
}

/** For a route that writes by one statement, without a dry run or idempotency key that needs a transaction. */
export function createAutocommitWriteContext(db: Db, origin: Origin): AutocommitWriteContext {
  const record = createWriteRecord()
  let isCommitted = false
  const done = <T>(result: T): T => {
    if (result !== undefined) isCommitted = true // Undefined: a conflict, nothing was written.
    return result
  }
  return {
    ...record.kept,
    db,
    origin,
    isDryRun: false,
    get isCommitted() {
      return isCommitted
    },
    statement: async (write) => done(await inSingleStatement(db, write)),
    inTransaction: async (write) =>
      done(await inTransactionWithoutRetry(db, (tx) => write(createWriteContext(tx, origin, undefined, record)))),
    async change(change) {
      record.changes.push(change)
    },
  }
}

/** The report of a dry run, without the answer. */
export interface WriteReport {
  changes: { object: string; op: RecordedChange['op']; fields: readonly FieldChange[] }[]
  rules: readonly AppliedRule[]
  notified: readonly Notified[]
}

function createWriteRecord() {
  const changes: RecordedChange[] = []
  const rules: AppliedRule[] = []
  const notified: Notified[] = []
  const leftovers: OutOfTransactionEffect[] = []
  return {
    changes,
    kept: {
      leftovers,
      report: () => ({ changes: changes.map(reportChange), rules, notified }),
      rule: (one: AppliedRule) => void rules.push(one),
      notify: (one: Notified) => void notified.push(one),
      evenIfRefused: (effect: OutOfTransactionEffect) => void leftovers.push(effect),
    },
  }
}

/** The changed members of an object with old and new values. */
function reportChange({ object, op, before, after, fields }: RecordedChange) {
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

function redactPersonal(personal: readonly string[], values: object | null | undefined): object | null {
  const kept = ([name, value]: [string, unknown]) => [name, personal.includes(name) ? '(personal)' : value]
  return values ? Object.fromEntries(Object.entries(values).map(kept)) : null
}
