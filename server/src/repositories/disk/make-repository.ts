import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { failpoint } from '#failpoint'
import type { Config } from '../../platform/operation/config.ts'
import type { RepositoryId } from '../repository.ts'
import { makeOwnFolder, makePlaces, type Places, placesOf, repositoryIn } from './places.ts'
import { runTool } from './run-tool.ts'
import { serveProject } from './serve-project.ts'
import { ID_FILE, idIn, setAside } from './set-aside.ts'

export interface NewRepository {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
}

export const HOOKS = ['pre-commit', 'post-commit', 'pre-revprop-change', 'post-revprop-change']
/** Of the first revision, where there is a layout. */
export const LAYOUT_MESSAGE = 'Layout of the repository.'
export const SCRIPT = fileURLToPath(new URL('../../../assets/svn/ask-server', import.meta.url))

/**
 * Makes a repository and lets Apache serve it. It is called in the transaction that makes its row, so that nobody comes in
 * before that is committed; what a death on the way leaves behind has no row, and the next of this name sets it aside.
 */
export async function makeRepository(
  config: Config,
  repository: NewRepository,
  first: { layout: readonly string[]; author: string },
): Promise<void> {
  const places = placesOf(config)
  await preparePlaces(places)
  const making = join(places.making, randomUUID())
  try {
    await runTool('svnadmin', ['create', making])
    failpoint('svn.created')
    await makeLayout(places, making, first)
    await adopt(places, making, repository)
    await putInPlace(places, making, repository)
    failpoint('svn.placed')
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  await serveProject(config, repository.shortname)
}

/** Makes a repository that came from elsewhere one of ours: it knows its number, and asks us before it takes a commit. */
export async function adopt(places: Places, folder: string, { id, shortname, name }: NewRepository): Promise<void> {
  for (const file of await readdir(join(folder, 'hooks'))) await unlink(join(folder, 'hooks', file))
  const target = hookTarget(places, { shortname, name })
  for (const hook of HOOKS) await symlink(target, join(folder, 'hooks', hook))
  await rm(join(folder, 'conf'), { recursive: true })
  await makeOwnFolder(join(folder, 'conf'))
  await writeFile(join(folder, ID_FILE), String(id))
}

/** What each hook of a repository in its place points to. */
export function hookTarget(places: Places, repository: Pick<NewRepository, 'shortname' | 'name'>): string {
  return relative(join(repositoryIn(places, repository), 'hooks'), places.hook)
}

/** Whatever has its place, has no row, or one that is deleted: else the name would not have been free. */
export async function putInPlace(places: Places, folder: string, repository: NewRepository): Promise<void> {
  const place = repositoryIn(places, repository)
  await makeOwnFolder(join(places.repositories, repository.shortname))
  const other = await idIn(place)
  if (other !== undefined) await setAside(places, place, other)
  await rename(folder, place)
}

/** The folders, and the one program that all hooks are. */
export async function preparePlaces(places: Places): Promise<void> {
  await makePlaces(places)
  const [wanted, there] = await Promise.all([readFile(SCRIPT), readFile(places.hook).catch(() => undefined)])
  if (there?.equals(wanted)) return
  const fresh = `${places.hook}.${randomUUID()}`
  await copyFile(SCRIPT, fresh)
  await rename(fresh, places.hook)
}

/** Before there are hooks: the server itself needs nobody's leave. */
async function makeLayout(
  places: Places,
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
