import { sql } from 'kysely'
import type { Context } from '../../../platform/operation/context.ts'
import type { Directory } from '../directory.ts'
import { type DirectoryConnection, SYNC_LIMITS, withDirectory } from '../directory-connection.ts'
import { DirectoryUnavailable } from '../directory-error.ts'
import { personAttributes, personFilter, readPerson } from '../directory-person.ts'
import { emptyCounts, type SyncCounts } from '../directory-settings.ts'
import { readGroups } from './read-groups.ts'
import { confirmMissing, findMissing, suspendMissing } from './suspend-missing.ts'
import { syncGroups } from './sync-groups.ts'
import { syncPeople } from './sync-people.ts'
import { createSyncRun, type SyncRun } from './sync-run.ts'

/** A run that has not ended by then has died with its worker. */
const LEASE_MS = 6 * 3_600_000
const MAX_ERROR_LENGTH = 1000

/** Reads a directory and stores what differs. Undefined: another run is under way. Throws if it fails. */
export async function syncDirectory(context: Context, directory: Directory): Promise<SyncCounts | undefined> {
  const startedOn = context.clock.now()
  if (!(await beginRun(context, directory.name, startedOn))) return undefined
  const run = createSyncRun(context, directory)
  try {
    await withDirectory(context, directory, SYNC_LIMITS, (connection) => readAndStore(run, connection))
    await endRun(context, run, startedOn, run.notes)
    return run.counts
  } catch (error) {
    const reason = error instanceof DirectoryUnavailable ? error.message : 'The sync has failed: see the log.'
    await endRun(context, run, startedOn, [...run.notes, reason], true)
    throw error
  }
}

async function readAndStore(run: SyncRun, connection: DirectoryConnection): Promise<void> {
  const { settings } = run.directory
  const pages = connection.pages({
    base: settings.people_base,
    filter: personFilter(settings),
    attributes: personAttributes(settings),
  })
  for await (const page of pages) {
    const people = page.flatMap((entry) => readPerson(entry, settings) ?? [])
    run.counts.people += page.length
    run.counts.unusable += page.length - people.length
    await syncPeople(run, people)
  }
  if (run.members) await syncGroups(run, await readGroups(run, connection))

  const missing = await findMissing(run)
  run.counts.missing = missing.length
  const { max_suspensions } = settings
  if (missing.length > max_suspensions)
    run.notes.push(
      `${missing.length} people are missing, more than \`max_suspensions\` (${max_suspensions}): nobody was suspended.`,
    )
  else await suspendMissing(run, await confirmMissing(run, connection, missing))
}

/** False: another run holds the lease. */
async function beginRun({ db }: Context, directory: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into directory_sync (directory, started_on, counts)
    values (${directory}, ${now}, ${JSON.stringify(emptyCounts())}::jsonb)
    on conflict (directory) do update
      set started_on = excluded.started_on, ended_on = null, error = null, has_failed = false, counts = excluded.counts
      where directory_sync.ended_on is not null or directory_sync.started_on < ${new Date(now.getTime() - LEASE_MS)}
    returning directory`.execute(db)
  return rows.length > 0
}

async function endRun(
  { db, clock }: Context,
  { directory, counts }: SyncRun,
  startedOn: Date,
  notes: readonly string[],
  hasFailed = false,
): Promise<void> {
  const error = notes.length === 0 ? null : notes.join(' ').slice(0, MAX_ERROR_LENGTH)
  await sql`update directory_sync set ended_on = ${clock.now()}, error = ${error}, has_failed = ${hasFailed},
      counts = ${JSON.stringify(counts)}::jsonb
    where directory = ${directory.name} and started_on = ${startedOn}`.execute(db)
}
