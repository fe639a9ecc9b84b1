import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/operation/config.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { RepositoryId } from '../repository.ts'
import { svnUser } from './run-tool.ts'

/** Where things lie below `WAYPOST_SVN_ROOT`. */
export interface Places {
  readonly root: string
  /** Repositories by project and name: Apache serves from here. */
  readonly repositories: string
  /** What is on its way to its place. */
  readonly making: string
  /** What was deleted, by id. */
  readonly deleted: string
  readonly hook: string
  /** A socket for each process that answers hooks. */
  readonly sockets: string
  readonly apache: string
}

interface Named {
  readonly shortname: string
  readonly name: string
}

export function placesOf({ WAYPOST_SVN_ROOT: root }: Pick<Config, 'WAYPOST_SVN_ROOT'>): Places {
  if (root === null) throw new ApiError('rule_violated', { cause: 'no_subversion' })
  return {
    root,
    repositories: join(root, 'repositories'),
    making: join(root, 'making'),
    deleted: join(root, 'deleted'),
    hook: join(root, 'hooks', 'ask-server'),
    sockets: join(root, 'sockets'),
    apache: join(root, 'apache'),
  }
}

export function repositoryIn({ repositories }: Places, { shortname, name }: Named): string {
  return join(repositories, shortname, name)
}

export function deletedIn({ deleted }: Places, id: RepositoryId): string {
  return join(deleted, String(id))
}

/** Makes a folder for the user of the repositories, who has to pass through those above it too. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const user = await svnUser()
  if (user) await chown(folder, user.uid, user.gid)
  await chmod(folder, 0o750)
}

/** Writes a file that nobody but the user of the repositories reads: others find the old one or the new one, never a part. */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, text, { mode: 0o600 })
  const user = await svnUser()
  if (user) await chown(fresh, user.uid, user.gid)
  await rename(fresh, file)
}

/** The folders that there must be before anything else. */
export async function makePlaces(places: Places): Promise<void> {
  await mkdir(places.root, { recursive: true, mode: 0o755 })
  await mkdir(join(places.root, 'hooks'), { recursive: true, mode: 0o755 })
  for (const folder of [places.repositories, places.making, places.deleted, places.sockets, places.apache])
    await makeOwnFolder(folder)
}
