import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { failpoint } from '#failpoint'
import type { Config } from '../../platform/operation/config.ts'
import type { RepositoryId } from '../repository.ts'
import { makeOwnFolder, createSvnFolders, type SvnFolders, getSvnFolders, repositoryFolder } from './svn-folders.ts'
import { runTool } from './run-tool.ts'
import { ID_FILE, readRepositoryId, moveToTrash } from './move-to-trash.ts'

export interface RepositoryToPlace {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
}

export const HOOKS = ['pre-commit', 'post-commit', 'pre-revprop-change', 'post-revprop-change']
/** Message of the first revision, if there is a layout. */
export const LAYOUT_MESSAGE = 'Layout of the repository.'
export const SCRIPT = fileURLToPath(new URL('../../../assets/svn/ask-server', import.meta.url))

/**
 * Creates a repository of a project that Apache already serves (`serveProject`). Runs inside the transaction that
 * inserts the row, so the repository is reachable only after the commit. A crash leaves a folder without a row, which
 * the next repository of this name moves to the trash.
 */
export async function makeRepository(
  config: Config,
  repository: RepositoryToPlace,
  first: { layout: readonly string[]; author: string },
): Promise<void> {
  const places = getSvnFolders(config)
  await prepareSvnFolders(places)
  const making = join(places.making, randomUUID())
  try {
    await runTool('svnadmin', ['create', making])
    failpoint('svn.created')
    await makeLayout(places, making, first)
    await adopt(places, making, repository)
    await moveIntoPlace(places, making, repository)
    failpoint('svn.placed')
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** Turns a foreign repository into one of ours: writes its id and installs the hooks. */
export async function adopt(
  places: SvnFolders,
  folder: string,
  { id, shortname, name }: RepositoryToPlace,
): Promise<void> {
  for (const file of await readdir(join(folder, 'hooks'))) await unlink(join(folder, 'hooks', file))
  const target = hookTarget(places, { shortname, name })
  for (const hook of HOOKS) await symlink(target, join(folder, 'hooks', hook))
  await rm(join(folder, 'conf'), { recursive: true })
  await makeOwnFolder(join(folder, 'conf'))
  await writeFile(join(folder, ID_FILE), String(id))
}

/** The link target of each hook of a repository at its final path. */
export function hookTarget(places: SvnFolders, repository: Pick<RepositoryToPlace, 'shortname' | 'name'>): string {
  return relative(join(repositoryFolder(places, repository), 'hooks'), places.hook)
}

/** A folder already at this path has no row or a deleted one; else the name would be taken. */
export async function moveIntoPlace(places: SvnFolders, folder: string, repository: RepositoryToPlace): Promise<void> {
  const place = repositoryFolder(places, repository)
  await makeOwnFolder(join(places.repositories, repository.shortname))
  const other = await readRepositoryId(place)
  if (other !== undefined) await moveToTrash(places, place, other)
  await rename(folder, place)
}

/** Creates the folders and installs the hook program that all hooks link to. */
export async function prepareSvnFolders(places: SvnFolders): Promise<void> {
  await createSvnFolders(places)
  const [wanted, there] = await Promise.all([readFile(SCRIPT), readFile(places.hook).catch(() => undefined)])
  if (there?.equals(wanted)) return
  const fresh = `${places.hook}.${randomUUID()}`
  await copyFile(SCRIPT, fresh)
  await rename(fresh, places.hook)
}

/** Runs before the hooks are installed, so no hook check applies. */
async function makeLayout(
  places: SvnFolders,
  folder: string,
  { layout, author }: { layout: readonly string[]; author: string },
): Promise<void> {
  if (layout.length === 0) return
  const { href } = pathToFileURL(folder)
  const directories = layout.map((path) => path.split('/').filter(Boolean).map(encodeURIComponent).join('/'))
  const home = join(places.making, `${randomUUID()}.home`)
  await mkdir(home, { mode: 0o700 })
  try {
    await makeOwnFolder(home)
    const flags = ['--non-interactive', '--no-auth-cache', '--config-dir', home, '--username', author]
    const targets = [...new Set(directories)].map((path) => `${href}/${path}@`)
    await runTool('svn', ['mkdir', '--parents', '-m', LAYOUT_MESSAGE, ...flags, '--', ...targets])
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
