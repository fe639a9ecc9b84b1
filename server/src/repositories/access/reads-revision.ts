import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import { runTool } from '../disk/run-tool.ts'
import { readTouchedPaths } from '../hooks/changed-paths.ts'
import type { RepositoryId } from '../repository.ts'
import { keepAccessFile } from './keep-access-file.ts'
import { memoryOf } from '../../platform/operation/short-memory.ts'

export interface ReadRevision {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
  /** Of the access file. */
  readonly stamp: string
  readonly revision: number
}

/** What was found out, for access files that are as they were. */
const knownTo = memoryOf<string, boolean>(10_000)
/** Each is asked about by itself: who made a larger change is not shown to those who may not read all. */
const MOST_PATHS = 50

/**
 * Whether somebody may read all that a revision has changed, and where it was copied from: then its message is for him,
 * as Subversion has it. It is Subversion's own word on the file that Apache reads.
 */
export async function readsRevision(context: Context, revision: ReadRevision, login: string): Promise<boolean> {
  const key = [revision.id, revision.stamp, revision.revision, login].join(' ')
  const known = knownTo(context).get(key)
  if (known !== undefined) return known
  try {
    const reads = await ask(context, revision, login)
    knownTo(context).set(key, reads)
    return reads
  } catch (error) {
    context.log.warn({ err: error, repository: revision.id }, 'nobody could say who may read a revision')
    return false
  }
}

async function ask(
  context: Context,
  { stamp, revision, ...repository }: ReadRevision,
  login: string,
): Promise<boolean> {
  const folder = repositoryIn(placesOf(context.config), repository)
  await keepAccessFile(context, repository, stamp)
  const paths = await readTouchedPaths(folder, revision)
  if (paths.length > MOST_PATHS) return false
  const file = join(folder, 'conf', 'authz')
  const rights = await Promise.all(
    paths.map((path) =>
      runTool('svnauthz', ['accessof', '--username', login, '--repository', repository.name, '--path', path, file]),
    ),
  )
  return rights.every(({ stdout }) => stdout.toString().startsWith('r'))
}
