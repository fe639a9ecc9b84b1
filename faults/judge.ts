import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createContext } from '../server/src/context.ts'
import { openDatabase, type Tx } from '../server/src/platform/database/db.ts'
import { isConnectionLost } from '../server/src/platform/database/database-errors.ts'
import { closePools } from '../server/src/platform/database/pools.ts'
import { readConfig } from '../server/src/platform/operation/config.ts'
import { versionTag } from '../server/src/platform/wire/etag.ts'
import { isRecord } from '../server/src/platform/wire/schema-shape.ts'
import { auditArtifacts } from '../server/test/harness/auditor.ts'
import type { MadeTracker } from '../server/test/fixtures/every-field.ts'
import { SECRET_KEY } from '../server/test/harness/server-process.ts'
import { writeContentDigest, combineDigests } from './content.ts'
import type { JournalEntry } from './journal.ts'

const MAX_LATER_VERSIONS = 50
const MAX_ATTEMPTS = 5
const CLOSE_TIMEOUT_MS = 3000

/** Violations by kind. */
export interface ConsistencyVerdict {
  readonly lost: string[]
  readonly doubled: string[]
  readonly half: string[]
  readonly other: string[]
}

interface Case {
  readonly ownerUrl: string
  readonly tracker: MadeTracker
  /** The journal entries from before the database is read. */
  readonly entries: readonly JournalEntry[]
  /** No request is running: anything that no entry explains is a violation. */
  readonly isFinal: boolean
}

/** A stored version with the request that made it. */
interface Stored {
  readonly op: string | null
  readonly artifact: number
  readonly version: number
  readonly account: number | null
  readonly digest: string
}

interface State {
  readonly stored: readonly Stored[]
  /** Deleted artifacts with the request that deleted them. */
  readonly deleted: readonly { readonly op: string | null; readonly artifact: number; readonly is_gone: boolean }[]
  readonly files: ReadonlyMap<number, { readonly digest: string | null; readonly artifact: number | null }>
}

/**
 * Compares the journal with the database, and the database with itself, in one snapshot. On a busy machine the proxy
 * may drop the connection; then everything is read again.
 */
export async function judgeConsistency(asked: Case): Promise<ConsistencyVerdict> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    try {
      return await compareAtOneMoment(asked)
    } catch (error) {
      if (left === 1 || !isConnectionLost(error)) throw error
    }
  }
}

async function compareAtOneMoment({ ownerUrl, tracker, entries, isFinal }: Case): Promise<ConsistencyVerdict> {
  const environment = { WAYPOST_ENVIRONMENT: 'test', WAYPOST_SECRET_KEYS: SECRET_KEY, WAYPOST_FILES: '/nowhere' }
  const config = readConfig({
    ...environment,
    WAYPOST_DATABASE_URL: ownerUrl,
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
  })
  const { db: _, ...known } = await createContext(config)
  const db = openDatabase({ connectionString: ownerUrl, max: 1, statement_timeout: 0 }) // No timeout.
  try {
    const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const state = await readState(tx, tracker)
    const problems = [...(await auditArtifacts(known, tx)), ...(await missingConstraints(tx))]
    await tx.rollback().execute()
    const verdict: ConsistencyVerdict = { lost: [], doubled: [], half: [], other: problems }
    compare(entries, state, verdict, isFinal)
    return verdict
  } finally {
    await closePools(known.pools)
    await Promise.race([db.destroy(), pause(CLOSE_TIMEOUT_MS)]) // A transaction on a lost connection is never released.
  }
}

async function readState(tx: Tx, tracker: MadeTracker): Promise<State> {
  const { rows: versions } = await sql<{
    artifact: number
    version: number
    account: number | null
    changes: Record<string, unknown>
    comment: string | null
  }>`select artifact_id as artifact, version, submitted_by as account, changes, comment
    from changeset where tracker_id = ${tracker.id}`.execute(tx)
  const { rows: events } = await sql<{ op: string | null; object: string; version: number; type: string }>`
    select request_id as op, object, (payload->>'version')::integer as version, type from event
    where type in ('artifact.created', 'artifact.updated', 'artifact.deleted')
      and (payload->>'tracker_id')::bigint = ${tracker.id}`.execute(tx)
  const { rows: gone } = await sql<{ id: number }>`
    select id from artifact where tracker_id = ${tracker.id} and deleted_on is not null`.execute(tx)
  const { rows: files } = await sql<{ id: number; digest: string | null; artifact: number | null }>`
    select file.id, file.digest, artifact_file.artifact_id as artifact
    from file left join artifact_file on artifact_file.file_id = file.id`.execute(tx)
  const goneIds = new Set(gone.map(({ id }) => id))
  const makers = new Map(
    events
      .filter(({ type }) => type !== 'artifact.deleted')
      .map(({ object, version, op }) => [`${object} ${version}`, op]),
  )
  return {
    stored: versions.map(({ artifact, version, account, changes, comment }) => ({
      op: makers.get(`artifacts/${artifact} ${version}`) ?? null,
      artifact,
      version,
      account,
      digest: writeContentDigest({
        summary: textOf(changes[tracker.field('summary')]),
        details: textOf(changes[tracker.field('details')]),
        points: numberOf(changes[tracker.field('points')]),
        comment: comment ?? undefined,
      }),
    })),
    deleted: events
      .filter(({ type }) => type === 'artifact.deleted')
      .map(({ op, object }) => ({ op, artifact: idIn(object), is_gone: goneIds.has(idIn(object)) })),
    files: new Map(files.map(({ id, ...file }) => [id, file])),
  }
}

function compare(entries: readonly JournalEntry[], state: State, verdict: ConsistencyVerdict, isFinal: boolean): void {
  const versionsOf = Map.groupBy(state.stored, ({ op }) => op)
  const deletionsOf = Map.groupBy(state.deleted, ({ op }) => op)
  for (const entry of entries) {
    if (entry.kind === 'remove') compareDeletion(entry, deletionsOf.get(entry.op) ?? [], verdict)
    else compareWrite(entry, versionsOf.get(entry.op) ?? [], state, verdict)
  }
  if (!isFinal) return
  const known = new Set(entries.map(({ op }) => op))
  for (const { op, artifact, version } of state.stored)
    if (op === null || !known.has(op))
      verdict.other.push(`artifact ${artifact}: nobody asked for version ${version} (${op})`)
}

function compareDeletion(
  { op, outcome, artifacts }: JournalEntry,
  found: State['deleted'],
  { lost, doubled, half }: ConsistencyVerdict,
): void {
  const isThere = found.length > 0 && found.every(({ artifact, is_gone }) => is_gone && artifacts.includes(artifact))
  if (outcome === 'ok' && !isThere) lost.push(`${op}: artifact ${artifacts.join()} was said to be deleted`)
  if (outcome === 'refused' && found.length > 0)
    half.push(`${op}: was refused, and artifact ${artifacts.join()} is deleted`)
  if (found.length > 1) doubled.push(`${op}: deleted ${found.length} times`)
}

function compareWrite(
  entry: JournalEntry,
  found: readonly Stored[],
  { files }: State,
  verdict: ConsistencyVerdict,
): void {
  const { op, kind, outcome, artifacts, versions, based_on, made, file } = entry
  const { lost, doubled, half, other } = verdict
  const what = `${op} (${kind} of ${artifacts.join() || 'something new'})`
  if (found.length > versions) doubled.push(`${what}: made ${found.length} versions`)
  else if (found.length > 0 && found.length < versions)
    half.push(`${what}: made ${found.length} of ${versions} versions`)
  else if (outcome === 'ok' && found.length === 0) lost.push(`${what}: was acknowledged, and is nowhere`)
  if (outcome === 'refused' && found.length > 0) half.push(`${what}: was refused, and is there`)
  if (found.length !== versions) return
  if (combineDigests(found.map(({ digest }) => digest)) !== entry.digest) half.push(`${what}: has another content`)
  if (found.some(({ account }) => account !== entry.account)) other.push(`${what}: has another author`)
  const places = found.map(({ artifact }) => artifact).toSorted((one, two) => one - two)
  if (
    (outcome === 'ok' || artifacts.length > 0) &&
    places.join() !== artifacts.toSorted((one, two) => one - two).join()
  )
    lost.push(`${what}: stands in ${places.join()}`)
  const [only] = found
  if (!only || found.length > 1) return
  const tag = (version: number) => versionTag({ kind: 'artifact', id: only.artifact, version })
  if (based_on !== null && tag(only.version - 1) !== based_on)
    lost.push(`${what}: version ${only.version} has overwritten one that its author had not seen`)
  // A replayed response shows the current state: later versions may exist.
  const isNamed = (at: number) => tag(only.version + at) === made
  if (made !== null && !Array.from({ length: MAX_LATER_VERSIONS }, (_, at) => at).some(isNamed))
    other.push(`${what}: was called another version than ${only.version} or one after it`)
  const kept = file && files.get(file.id)
  if (file && (kept?.digest !== file.sha256 || kept?.artifact !== only.artifact))
    lost.push(`${what}: file ${file.id} is not the one that was sent, or not there`)
}

/** Constraints that must still exist in the database. */
const CONSTRAINTS = [
  'artifact UNIQUE (tracker_id, number)',
  'changeset UNIQUE (artifact_id, version)',
  'changeset FOREIGN KEY (project_id, artifact_id) REFERENCES artifact(project_id, id) ON UPDATE CASCADE',
  'artifact FOREIGN KEY (project_id, tracker_id) REFERENCES tracker(project_id, id)',
  'value_index FOREIGN KEY (project_id, artifact_id) REFERENCES artifact(project_id, id) ON UPDATE CASCADE',
]

async function missingConstraints(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    select conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) as says from pg_constraint where convalidated`.execute(
    tx,
  )
  const there = new Set(rows.map(({ says }) => says))
  return CONSTRAINTS.filter((says) => !there.has(says)).map((says) => `a constraint is missing: ${says}`)
}

/** The text of a stored string or rich text. */
function textOf(stored: unknown): string | undefined {
  if (typeof stored === 'string') return stored
  return isRecord(stored) && typeof stored['content'] === 'string' ? stored['content'] : undefined
}

function numberOf(stored: unknown): number | undefined {
  return typeof stored === 'number' ? stored : undefined
}

function idIn(object: string): number {
  return Number(object.split('/')[1])
}
