import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Clock, Context } from '../../platform/operation/context.ts'
import { type Cooldown, createCooldown } from '../../platform/operation/cooldown.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import { mayEnter } from '../../projects/visibility.ts'
import { refreshAccessFile, type RepositoryPath } from '../access/refresh-access-file.ts'
import { decidingSections } from '../access/deciding-sections.ts'
import { accessStamp } from '../access/load-access-inputs.ts'
import { findReadablePaths } from '../browse/engine/read-log.ts'
import { withSession } from '../browse/engine/session.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import type { RepositoryId } from '../repository.ts'
import { directoryOf } from './notified-paths.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly directoryPermissions: DirectoryPermissions
  }
}

/** The changed paths of a commit, as recorded. */
export interface CommitPaths {
  readonly repository_id: RepositoryId
  readonly paths: readonly string[]
}

/** The visible part of a commit. */
export interface ReadableDirectories {
  readonly directories: string[]
  /** Whether the viewer may read any changed path. */
  readonly is_seen: boolean
}

interface CheckedRepository extends RepositoryPath {
  readonly stamp: string
  /** The user-written part of the access file. */
  readonly text: string
}

interface DirectoryPermissions {
  /** Keyed by the stamp, so a changed access file invalidates the entries. */
  readonly cache: LRUCache<string, boolean>
  readonly cooldown: Cooldown<RepositoryId>
}

// All feed readers of this server wait for the check: time out early on a hanging disk, and do not retry at once.
const CHECK_TIMEOUT_MS = 2000
const COOLDOWN_MS = 60_000

export function createDirectoryPermissions(clock: Clock): DirectoryPermissions {
  return { cache: new LRUCache({ max: 50_000 }), cooldown: createCooldown(clock, COOLDOWN_MS) }
}

/**
 * Per commit, the directories in which the viewer may read a changed path, under the current access file. Empty if the
 * repository is deleted or the check fails.
 */
export async function readableDirectories(
  context: Context,
  viewer: Viewer,
  commits: readonly CommitPaths[],
): Promise<ReadableDirectories[]> {
  const { login } = viewer
  const places = Map.groupBy(commits, ({ repository_id }) => repository_id)
  const checks = new Map<RepositoryId, CanReadPath>()
  if (commits.length > 0 && login !== undefined && context.config.WAYPOST_SVN_ROOT !== null)
    for (const row of await findRepositories(context, viewer, [...places.keys()])) {
      const paths = places.get(row.id)?.flatMap((commit) => commit.paths) ?? []
      checks.set(row.id, await checkReadablePaths(context, row, login, [...paths, ...paths.map(directoryOf)]))
    }
  return commits.map(({ repository_id, paths }) => {
    const mayRead = checks.get(repository_id) ?? (() => false)
    const seen = paths.filter(mayRead)
    return { directories: [...new Set(seen.map(directoryOf))].filter(mayRead), is_seen: seen.length > 0 }
  })
}

async function findRepositories(
  context: Context,
  viewer: Viewer,
  ids: readonly RepositoryId[],
): Promise<CheckedRepository[]> {
  const { rows } = await sql<CheckedRepository>`
    select repository.id, ${projectShortname} as shortname, repository.name, ${accessStamp} as stamp, in_force.text
    from repository ${joinProject(sql`repository.project_id`)} join repository_access_file in_force
      on in_force.repository_id = repository.id and in_force.version = repository.access_version
    where repository.id = any(${ids}::bigint[]) and repository.deleted_on is null
      and ${mayEnter(viewer, aliases('project'))}`.execute(context.db)
  return rows
}

type CanReadPath = (path: string) => boolean

/** Runs svnauthz once per deciding section; a busy feed is served from the cache. */
async function checkReadablePaths(
  context: Context,
  repository: CheckedRepository,
  login: string,
  paths: readonly string[],
): Promise<CanReadPath> {
  const sectionOf = decidingSections(repository.text)
  const keyOf = (section: string) => [repository.id, repository.stamp, login, section].join(' ')
  const { cache, cooldown } = context.directoryPermissions
  const sections = [...new Set(paths.map(sectionOf))]
  const unknown = sections.filter((section) => !cache.has(keyOf(section)))
  const known = new Set(sections.filter((section) => cache.get(keyOf(section))))
  if (unknown.length > 0 && !cooldown.isActive(repository.id))
    try {
      const asked = await querySvn(context, repository, login, unknown)
      if (asked) for (const section of unknown) cache.set(keyOf(section), asked.has(section))
      for (const section of asked ?? []) known.add(section)
    } catch (error) {
      cooldown.start(repository.id)
      context.log.warn({ err: error, repository: repository.id }, 'the readers of a directory could not be determined')
    }
  return (path) => known.has(sectionOf(path))
}

/** Undefined if the access file changed during the check, because the result belongs to an unknown version. */
async function querySvn(
  context: Context,
  { stamp, ...repository }: CheckedRepository,
  login: string,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const folder = repositoryFolder(getSvnFolders(context.config), repository)
  await refreshAccessFile(context, repository, stamp)
  const found = await withSession(
    { folder, login },
    'own',
    (session) => findReadablePaths(session, paths),
    CHECK_TIMEOUT_MS,
  )
  const { rows } = await sql<{ stamp: string }>`
    select ${accessStamp} as stamp from repository ${joinProject(sql`repository.project_id`)}
    where repository.id = ${repository.id}`.execute(context.db)
  return rows[0]?.stamp === stamp ? found : undefined
}
