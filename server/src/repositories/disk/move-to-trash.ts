import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SvnFolders } from './svn-folders.ts'
import { runTool, ToolError } from './run-tool.ts'

/** The file in which a repository stores its id. */
export const ID_FILE = join('conf', 'waypost-id')
const FREEZE_TIMEOUT_MS = 5_000

/** The repository id in a folder; `''` if it has none; undefined if there is no such folder. */
export async function readRepositoryId(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => undefined)
  if (!entries) return undefined
  return readFile(join(folder, ID_FILE), 'utf8').catch(() => '')
}

/** Moves a repository from the served tree to the trash folder while commits are frozen. */
export async function moveToTrash({ deleted }: SvnFolders, place: string, id: string): Promise<void> {
  const target = join(deleted, /^\d+$/.test(id) ? id : randomUUID())
  if ((await readRepositoryId(target)) !== undefined) await rename(target, join(deleted, randomUUID()))
  await runTool('svnadmin', ['freeze', place, '--', 'mv', '-T', '--', place, target], {
    timeLimit: FREEZE_TIMEOUT_MS,
  }).catch(async (error: unknown) => {
    // A broken repository accepts no commits, so it needs no freeze.
    if (!(error instanceof ToolError)) throw error
    if ((await readRepositoryId(place)) !== undefined) await rename(place, target)
  })
}

/** Moves a folder away atomically; the caller removes it later. */
export async function detach({ making }: SvnFolders, folder: string): Promise<string> {
  const going = join(making, randomUUID())
  await rename(folder, going).catch((error: unknown) => {
    if (!isAbsent(error)) throw error
  })
  return going
}

/** Renames the folder before removing it, so a partly removed folder is never visible. */
export async function removeFolder(places: SvnFolders, folder: string): Promise<void> {
  await rm(await detach(places, folder), { recursive: true, force: true })
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
