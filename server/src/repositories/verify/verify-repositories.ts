import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { preparePlaces } from '../disk/make-repository.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import { ToolError } from '../disk/run-tool.ts'
import { idIn } from '../disk/set-aside.ts'
import { streamTool } from '../disk/stream-tool.ts'
import { youngestIn } from '../disk/youngest.ts'
import type { RepositoryId } from '../repository.ts'
import { findUnknown } from '../trash/find-unknown.ts'
import { deadTransactions } from '../trash/remove-dead-transactions.ts'
import { faultOfAccessFile, faultOfHooks } from './as-generated.ts'
import { faultOfDump } from './verify-dump.ts'

/** How long a commit that was just made may wait to be recorded, while servers run. */
const PATIENCE = 10_000

export interface Verdict {
  /** `orchard/core`, or what lies where a repository should. */
  readonly object: string
  readonly state: 'sound' | 'in the trash' | 'unknown'
  readonly youngest?: number
  /** Empty: all is well. */
  readonly faults: readonly string[]
}

interface Row {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
  readonly is_deleted: boolean
  readonly dump_file: string | null
  readonly dump_sha256: string | null
}

/** Compares database and disk, both ways, and lets Subversion read every revision. Changes nothing; servers may run. */
export async function* verifyRepositories(context: Context, patience = PATIENCE): AsyncGenerator<Verdict> {
  const places = placesOf(context.config)
  await preparePlaces(places)
  const { rows } = await sql<Row>`
    select repository.id, ${shortnameOf} as shortname, repository.name, repository.deleted_on is not null as is_deleted,
      repository.dump_file, repository.dump_sha256
    from repository ${itsProject(sql`repository.project_id`)} order by folded(${shortnameOf}), folded(repository.name), id`.execute(
    context.db,
  )
  for (const row of rows) {
    const object = `${row.shortname}/${row.name}`
    if (row.is_deleted) yield { object, state: 'in the trash', faults: await faultOfDump(context, places, row) }
    else yield { object, state: 'sound', ...(await verifyOne(context, row, patience)) }
  }
  for (const { path } of await findUnknown(context, places))
    yield { object: relative(places.root, path), state: 'unknown', faults: ['no repository in the database has it'] }
}

async function verifyOne(
  context: Context,
  row: Row,
  patience: number,
): Promise<{ youngest?: number; faults: string[] }> {
  const places = placesOf(context.config)
  const folder = repositoryIn(places, row)
  const id = await idIn(folder)
  if (id === undefined) return { faults: ['its folder is missing'] }
  if (id !== String(row.id))
    return { faults: [`its folder is that of another, ${id === '' ? 'without a number' : id}`] }
  const dead = await deadTransactions(folder, context.clock.now())
  const youngest = await youngestIn(folder).catch(() => undefined)
  return {
    ...(youngest !== undefined && { youngest }),
    faults: [
      ...(await faultOfContent(folder)),
      ...(youngest === undefined ? [] : await faultsOfRecord(context, row.id, folder, patience)),
      ...dead.map((name) => `nobody goes on with transaction ${name}`),
      ...(await faultOfHooks(places, row, folder)),
      ...(await faultOfAccessFile(context, row.id, folder)),
    ],
  }
}

async function faultOfContent(folder: string): Promise<string[]> {
  try {
    await streamTool('svnadmin', ['verify', '--quiet', folder], {})
    return []
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [`svnadmin verify says: ${error.said.trim().split('\n').at(-1) ?? ''}`]
  }
}

/** Each revision once, and none that there is not. */
async function faultsOfRecord({ db }: Context, id: RepositoryId, folder: string, patience: number): Promise<string[]> {
  for (const end = Date.now() + patience; ; await pause(500)) {
    const before = await youngestIn(folder)
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
      ...(last > (await youngestIn(folder)) ? [`revision ${last} is recorded, and there is none`] : []),
      ...(said === last ? [] : [`${said} is said to be the last that is recorded, and it is ${last}`]),
      ...(wrong.length === 0 ? [] : [`not recorded: ${wrong.join(', ')}`]),
    ]
  }
}
