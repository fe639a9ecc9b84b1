import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import { findApacheFaults } from '../disk/apache-faults.ts'
import { prepareSvnFolders } from '../disk/make-repository.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { ToolError } from '../disk/run-tool.ts'
import { readRepositoryId } from '../disk/move-to-trash.ts'
import { streamTool } from '../disk/stream-tool.ts'
import { readYoungestRevision } from '../disk/read-youngest-revision.ts'
import type { RepositoryId } from '../repository.ts'
import { findUnknownPaths } from '../trash/find-unknown.ts'
import { deadTransactions } from '../trash/remove-dead-transactions.ts'
import { findAccessFileFaults, findHookFaults } from './verify-generated-files.ts'
import { findDumpFaults } from './verify-dump.ts'

/** How long a new commit may stay unrecorded while servers run. */
const RECORDING_TIMEOUT_MS = 10_000

export interface VerificationResult {
  /** `orchard/core`, or the path of an unknown entry or of Apache's configuration. */
  readonly object: string
  readonly state: 'sound' | 'in the trash' | 'unknown' | 'configuration'
  readonly youngest?: number
  /** Empty: no faults. */
  readonly faults: readonly string[]
}

interface VerifiedRow {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
  readonly is_deleted: boolean
  readonly dump_file: string | null
  readonly dump_sha256: string | null
}

/**
 * Compares database, disk and Apache's configuration in both directions, and lets Subversion verify every revision. Read-only; servers may run.
 */
export async function* verifyRepositories(
  context: Context,
  timeoutMs = RECORDING_TIMEOUT_MS,
): AsyncGenerator<VerificationResult> {
  const places = getSvnFolders(context.config)
  await prepareSvnFolders(places)
  const { rows } = await sql<VerifiedRow>`
    select repository.id, ${projectShortname} as shortname, repository.name, repository.deleted_on is not null as is_deleted,
      repository.dump_file, repository.dump_sha256
    from repository ${joinProject(sql`repository.project_id`)} order by folded(${projectShortname}), folded(repository.name), id`.execute(
    context.db,
  )
  for (const row of rows) {
    const object = `${row.shortname}/${row.name}`
    if (row.is_deleted) yield { object, state: 'in the trash', faults: await findDumpFaults(context, places, row) }
    else yield { object, state: 'sound', ...(await verifyOne(context, row, timeoutMs)) }
  }
  for (const { path } of await findUnknownPaths(context, places))
    yield { object: relative(places.root, path), state: 'unknown', faults: ['no repository in the database has it'] }
  const faults = await findApacheFaults(context.db, context.config)
  if (faults.length > 0) yield { object: relative(places.root, places.apache), state: 'configuration', faults }
}

async function verifyOne(
  context: Context,
  row: VerifiedRow,
  timeoutMs: number,
): Promise<{ youngest?: number; faults: string[] }> {
  const places = getSvnFolders(context.config)
  const folder = repositoryFolder(places, row)
  const id = await readRepositoryId(folder)
  if (id === undefined) return { faults: ['its folder is missing'] }
  if (id !== String(row.id))
    return { faults: [`its folder is that of another, ${id === '' ? 'without a number' : id}`] }
  const dead = await deadTransactions(folder, context.clock.now())
  const youngest = await readYoungestRevision(folder).catch(() => undefined)
  return {
    ...(youngest !== undefined && { youngest }),
    faults: [
      ...(await findContentFaults(folder)),
      ...(youngest === undefined ? [] : await findRecordingFaults(context, row.id, folder, timeoutMs)),
      ...dead.map((name) => `unfinished transaction ${name}`),
      ...(await findHookFaults(places, row, folder)),
      ...(await findAccessFileFaults(context, row.id, folder)),
    ],
  }
}

async function findContentFaults(folder: string): Promise<string[]> {
  try {
    await streamTool('svnadmin', ['verify', '--quiet', folder], {})
    return []
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [`svnadmin verify says: ${error.stderr.trim().split('\n').at(-1) ?? ''}`]
  }
}

/** Each revision is recorded once, and no recorded revision is missing on disk. */
async function findRecordingFaults(
  { db }: Context,
  id: RepositoryId,
  folder: string,
  timeoutMs: number,
): Promise<string[]> {
  for (const end = Date.now() + timeoutMs; ; await pause(500)) {
    const before = await readYoungestRevision(folder)
    const { rows } = await sql<{ said: number; last: number; wrong: number[] }>`
      select repository.recorded_revision as said, coalesce(max(made.revision), 0) as last,
        array(select expected from generate_series(1, max(made.revision)) expected
          where not exists (select from repository_revision one
            where one.repository_id = repository.id and one.revision = expected) limit 10)::bigint[] as wrong
      from repository left join repository_revision made on made.repository_id = repository.id
      where repository.id = ${id} group by repository.id`.execute(db)
    const { said = 0, last = 0, wrong = [] } = rows[0] ?? {}
    if (last < before && Date.now() < end) continue
    return [
      ...(last < before ? [`revision ${last} is the last that is recorded`] : []),
      ...(last > (await readYoungestRevision(folder)) ? [`revision ${last} is recorded, and there is none`] : []),
      ...(said === last ? [] : [`${said} is said to be the last that is recorded, and it is ${last}`]),
      ...(wrong.length === 0 ? [] : [`not recorded: ${wrong.join(', ')}`]),
    ]
  }
}
