import { sql } from 'kysely'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ShortMemory } from '../../platform/operation/short-memory.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { keepAccessFile } from '../access/keep-access-file.ts'
import { accessStamp } from '../access/read-ground.ts'
import { readable } from '../browse/engine/read-log.ts'
import { withSession } from '../browse/engine/session.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import type { RepositoryId } from '../repository.ts'

/** What a commit has changed, as it was recorded. */
export interface ChangedPlaces {
  readonly repository_id: RepositoryId
  readonly directories: readonly string[]
}

interface Asked {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
  readonly stamp: string
}

/** What was found out, for access files that are as they were: commits are mostly made where others were made before. */
const KNOWN = new ShortMemory<string, boolean>(50_000)

/**
 * The directories of each commit that the viewer may read, by the access file of this moment, as when he browses. Of a
 * repository that is gone, or that cannot be asked, there are none.
 */
export async function readableDirectories(
  context: Context,
  viewer: Viewer,
  commits: readonly ChangedPlaces[],
): Promise<string[][]> {
  const { login } = viewer
  if (commits.length === 0) return []
  if (login === undefined || context.config.WAYPOST_SVN_ROOT === null) return commits.map(() => [])
  const ofRepository = Map.groupBy(commits, ({ repository_id }) => repository_id)
  const { rows } = await sql<Asked>`
    select repository.id, ${shortnameOf} as shortname, repository.name, ${accessStamp} as stamp
    from repository ${itsProject(sql`repository.project_id`)}
    where repository.id = any(${[...ofRepository.keys()]}::bigint[]) and repository.deleted_on is null
      and ${mayEnter(viewer)}`.execute(context.db)
  const found = new Map<RepositoryId, ReadonlySet<string>>()
  for (const row of rows) {
    const directories = new Set(ofRepository.get(row.id)?.flatMap((commit) => commit.directories))
    found.set(row.id, await findReadable(context, row, login, [...directories]))
  }
  return commits.map(({ repository_id, directories }) =>
    directories.filter((directory) => found.get(repository_id)?.has(directory)),
  )
}

async function findReadable(
  context: Context,
  repository: Asked,
  login: string,
  directories: readonly string[],
): Promise<ReadonlySet<string>> {
  const keyOf = (directory: string) => [repository.id, repository.stamp, login, directory].join(' ')
  const known = new Set(directories.filter((directory) => KNOWN.get(keyOf(directory))))
  const unknown = directories.filter((directory) => !KNOWN.has(keyOf(directory)))
  if (unknown.length === 0) return known
  try {
    const asked = await ask(context, repository, login, unknown)
    for (const directory of unknown) KNOWN.set(keyOf(directory), asked.has(directory))
    return known.union(asked)
  } catch (error) {
    context.log.warn({ err: error, repository: repository.id }, 'nobody could say who may read a directory')
    return known
  }
}

async function ask(
  context: Context,
  { stamp, ...repository }: Asked,
  login: string,
  directories: readonly string[],
): Promise<ReadonlySet<string>> {
  const folder = repositoryIn(placesOf(context.config), repository)
  await keepAccessFile(context, repository, stamp)
  return withSession({ folder, login }, 'own', (session) => readable(session, directories))
}
