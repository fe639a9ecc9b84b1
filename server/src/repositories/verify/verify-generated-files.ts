import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/operation/context.ts'
import { loadCurrentAccessFile } from '../access/refresh-access-file.ts'
import { stampLine } from '../access/access-file.ts'
import { HOOKS, hookTarget, SCRIPT } from '../disk/make-repository.ts'
import type { SvnFolders } from '../disk/svn-folders.ts'
import type { RepositoryId } from '../repository.ts'

/** Checks that all hooks link to our program, and that there are no others. */
export async function findHookFaults(
  places: SvnFolders,
  repository: { readonly shortname: string; readonly name: string },
  folder: string,
): Promise<string[]> {
  const there: string[] = await readdir(join(folder, 'hooks')).catch(() => [])
  const names = there.toSorted()
  const targets = await Promise.all(names.map((name) => readlink(join(folder, 'hooks', name)).catch(() => '')))
  const target = hookTarget(places, repository)
  if (!isDeepStrictEqual(names, HOOKS.toSorted()) || targets.some((each) => each !== target))
    return ['its hooks are not those that the server makes']
  const [ours, program] = await Promise.all([readFile(SCRIPT), readFile(places.hook).catch(() => undefined)])
  return program?.equals(ours) ? [] : ['the program of the hooks is not that of the server']
}

/** A stale file is rewritten before it is read; a file with the current stamp must be correct. */
export async function findAccessFileFaults({ db }: Context, id: RepositoryId, folder: string): Promise<string[]> {
  const there = await readFile(join(folder, 'conf', 'authz'), 'utf8').catch(() => undefined)
  const now = await loadCurrentAccessFile(db, id)
  if (there === undefined || !now || !there.startsWith(`${stampLine(now.stamp)}\n`)) return []
  return there === now.text ? [] : ['its access file is not what the server has made']
}
