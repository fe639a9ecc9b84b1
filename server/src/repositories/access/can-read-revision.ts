import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../platform/operation/context.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'
import { readTouchedPaths } from '../hooks/changed-paths.ts'
import { refreshAccessFile, type RepositoryPath } from './refresh-access-file.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly revisionPermissions: RevisionPermissions
  }
}

export interface RevisionToRead extends RepositoryPath {
  /** The stamp (version hash) of the access file. */
  readonly stamp: string
  readonly revision: number
}

/** Keyed by the stamp, so a changed access file invalidates the entries. */
type RevisionPermissions = LRUCache<string, boolean>

export function createRevisionPermissions(): RevisionPermissions {
  return new LRUCache({ max: 10_000 })
}

/** Each path costs one process. A revision that touches more paths is treated as unreadable. */
const MAX_CHECKED_PATHS = 50

/**
 * Whether the account may read every path that a revision changes or copies from; Subversion's rule for showing the
 * message. `svnauthz` decides on the file that Apache reads. `login` undefined: anonymous.
 */
export async function canReadRevision(
  context: Context,
  revision: RevisionToRead,
  login: string | undefined,
): Promise<boolean> {
  const key = [revision.id, revision.stamp, revision.revision, login ?? ''].join(' ')
  const known = context.revisionPermissions.get(key)
  if (known !== undefined) return known
  try {
    const reads = await checkPaths(context, revision, login)
    context.revisionPermissions.set(key, reads)
    return reads
  } catch (error) {
    context.log.warn({ err: error, repository: revision.id }, 'the readers of a revision could not be determined')
    return false
  }
}

async function checkPaths(
  context: Context,
  { stamp, revision, ...repository }: RevisionToRead,
  login: string | undefined,
): Promise<boolean> {
  const folder = repositoryFolder(getSvnFolders(context.config), repository)
  await refreshAccessFile(context, repository, stamp)
  const paths = await readTouchedPaths(folder, revision)
  if (paths.length > MAX_CHECKED_PATHS) return false
  const file = join(folder, 'conf', 'authz')
  const user = login === undefined ? [] : ['--username', login]
  const rights = await Promise.all(
    paths.map((path) =>
      runTool('svnauthz', ['accessof', ...user, '--repository', repository.name, '--path', path, file]),
    ),
  )
  return rights.every(({ stdout }) => stdout.toString().startsWith('r'))
}
