import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { svnUser } from './run-tool.ts'

/** The folder layout below `WAYPOST_SVN_ROOT`. */
export interface SvnFolders {
  readonly root: string
  /** Repositories by project and name; Apache serves this tree. */
  readonly repositories: string
  /** Folders under construction. */
  readonly making: string
  /** Deleted repositories and dumps, by id. */
  readonly deleted: string
  readonly hook: string
  /** One socket per process that serves hooks. */
  readonly sockets: string
  /** Sockets of the processes that serve Apache's sign-in requests. */
  readonly signIn: string
  readonly apache: string
}

/** Apache connects to this name in `signIn`, a symlink to the socket of one process. */
export const SIGN_IN_SOCKET = 'current'

interface RepositoryName {
  readonly shortname: string
  readonly name: string
}

export function getSvnFolders({ WAYPOST_SVN_ROOT: root }: Pick<Config, 'WAYPOST_SVN_ROOT'>): SvnFolders {
  if (root === null) throw new ApiError('rule_violated', { cause: 'no_subversion' })
  return {
    root,
    repositories: join(root, 'repositories'),
    making: join(root, 'making'),
    deleted: join(root, 'deleted'),
    hook: join(root, 'hooks', 'ask-server'),
    sockets: join(root, 'sockets'),
    signIn: join(root, 'sign-in'),
    apache: join(root, 'apache'),
  }
}

export function repositoryFolder({ repositories }: SvnFolders, { shortname, name }: RepositoryName): string {
  return join(repositories, shortname, name)
}

export function deletedRepositoryFolder({ deleted }: SvnFolders, id: RepositoryId): string {
  return join(deleted, String(id))
}

/** The file that Apache is started with. */
export function mainConfigFile({ apache }: SvnFolders): string {
  return join(apache, 'httpd.conf')
}

/** Creates a folder for the repository user, and makes its parents traversable. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const user = await svnUser()
  if (user) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o750)
}

/** Writes a file atomically, readable by the repository user only. */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, text, { mode: 0o600 })
  const user = await svnUser()
  if (user) await chown(fresh, user.uid, user.gid)
  await rename(fresh, file)
}

/** Creates the base folders. */
export async function createSvnFolders(places: SvnFolders): Promise<void> {
  await mkdir(places.root, { recursive: true, mode: 0o755 })
  await mkdir(join(places.root, 'hooks'), { recursive: true, mode: 0o755 })
  for (const folder of [
    places.repositories,
    places.making,
    places.deleted,
    places.sockets,
    places.signIn,
    places.apache,
  ])
    await makeOwnFolder(folder)
}

/** Readers see the whole file or none. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true })
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, text)
  await rename(fresh, file)
}
