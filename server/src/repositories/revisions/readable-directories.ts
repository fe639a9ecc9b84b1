import { sql } from 'kysely'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { memoryOf } from '../../platform/operation/short-memory.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { keepAccessFile } from '../access/keep-access-file.ts'
import { decidingSections } from '../access/deciding-sections.ts'
import { accessStamp } from '../access/read-ground.ts'
import { readable } from '../browse/engine/read-log.ts'
import { withSession } from '../browse/engine/session.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import type { RepositoryId } from '../repository.ts'
import { directoryOf } from './notified-paths.ts'

/** What a commit has changed, as it was recorded. */
export interface ChangedPlaces {
  readonly repository_id: RepositoryId
  readonly paths: readonly string[]
}

/** What somebody may know of a commit. */
export interface SeenPlaces {
  readonly directories: string[]
  /** Whether he may read anything of what it has changed. */
  readonly is_seen: boolean
}

interface Asked {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
  readonly stamp: string
  /** The part of the access file that people write. */
  readonly text: string
}

/** What was found out, for access files that are as they were. */
const knownTo = memoryOf<string, boolean>(50_000)

// All who follow the feed wait for what one of them is told: nobody waits long for a disk that hangs, nor again and again.
const PATIENCE_MS = 2000
const REST_MS = 60_000
/** Until when a repository that could not be asked is left alone. */
const restingFor = memoryOf<RepositoryId, number>(10_000)

/**
 * The directories of each commit in which the viewer may read something that it has changed, by the access file of this
 * moment, as when he browses. Of a repository that is gone, or that cannot be asked, there are none.
 */
export async function readableDirectories(
  context: Context,
  viewer: Viewer,
  commits: readonly ChangedPlaces[],
): Promise<SeenPlaces[]> {
  const { login } = viewer
  const places = Map.groupBy(commits, ({ repository_id }) => repository_id)
  const verdicts = new Map<RepositoryId, Verdict>()
  if (commits.length > 0 && login !== undefined && context.config.WAYPOST_SVN_ROOT !== null)
    for (const row of await findRepositories(context, viewer, [...places.keys()])) {
      const paths = places.get(row.id)?.flatMap((commit) => commit.paths) ?? []
      verdicts.set(row.id, await judge(context, row, login, [...paths, ...paths.map(directoryOf)]))
    }
  return commits.map(({ repository_id, paths }) => {
    const mayRead = verdicts.get(repository_id) ?? (() => false)
    const seen = paths.filter(mayRead)
    return { directories: [...new Set(seen.map(directoryOf))].filter(mayRead), is_seen: seen.length > 0 }
  })
}

async function findRepositories(context: Context, viewer: Viewer, ids: readonly RepositoryId[]): Promise<Asked[]> {
  const { rows } = await sql<Asked>`
    select repository.id, ${shortnameOf} as shortname, repository.name, ${accessStamp} as stamp, in_force.text
    from repository ${itsProject(sql`repository.project_id`)} join repository_access_file in_force
      on in_force.repository_id = repository.id and in_force.version = repository.access_version
    where repository.id = any(${ids}::bigint[]) and repository.deleted_on is null
      and ${mayEnter(viewer)}`.execute(context.db)
  return rows
}

/** Whether somebody may read a path. */
type Verdict = (path: string) => boolean

/** Only where the access file decides, Subversion is asked: who follows a busy repository is told from memory. */
async function judge(context: Context, repository: Asked, login: string, paths: readonly string[]): Promise<Verdict> {
  const sectionOf = decidingSections(repository.text)
  const keyOf = (section: string) => [repository.id, repository.stamp, login, section].join(' ')
  const [memory, resting] = [knownTo(context), restingFor(context)]
  const sections = [...new Set(paths.map(sectionOf))]
  const unknown = sections.filter((section) => !memory.has(keyOf(section)))
  const known = new Set(sections.filter((section) => memory.get(keyOf(section))))
  const now = context.clock.now().getTime()
  if (unknown.length > 0 && now >= (resting.get(repository.id) ?? 0))
    try {
      const asked = await ask(context, repository, login, unknown)
      for (const section of asked ? unknown : []) memory.set(keyOf(section), asked?.has(section) ?? false)
      for (const section of asked ?? []) known.add(section)
    } catch (error) {
      resting.set(repository.id, now + REST_MS)
      context.log.warn({ err: error, repository: repository.id }, 'nobody could say who may read a directory')
    }
  return (path) => known.has(sectionOf(path))
}

/** Undefined: the access file has become another meanwhile, so that nobody knows which one was read. */
async function ask(
  context: Context,
  { stamp, ...repository }: Asked,
  login: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const folder = repositoryIn(placesOf(context.config), repository)
  await keepAccessFile(context, repository, stamp)
  const found = await withSession({ folder, login }, 'own', (session) => readable(session, paths), PATIENCE_MS)
  const { rows } = await sql<{ stamp: string }>`
    select ${accessStamp} as stamp from repository ${itsProject(sql`repository.project_id`)}
    where repository.id = ${repository.id}`.execute(context.db)
  return rows[0]?.stamp === stamp ? found : undefined
}
