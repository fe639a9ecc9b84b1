import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Places } from './places.ts'
import { runTool, ToolError } from './run-tool.ts'

/** Where a repository says which one it is. */
export const ID_FILE = join('conf', 'waypost-id')
const PATIENCE = 5_000

/** The number of the repository in a folder; `''`: it has none; undefined: there is no such folder. */
export async function idIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => undefined)
  if (!entries) return undefined
  return readFile(join(folder, ID_FILE), 'utf8').catch(() => '')
}

/** Takes a repository from where Apache finds it to where the deleted ones lie, between two commits and not within one. */
export async function setAside({ deleted }: Places, place: string, id: string): Promise<void> {
  const target = join(deleted, /^\d+$/.test(id) ? id : randomUUID())
  if ((await idIn(target)) !== undefined) await rename(target, join(deleted, randomUUID()))
  await runTool('svnadmin', ['freeze', place, '--', 'mv', '-T', '--', place, target], { timeLimit: PATIENCE }).catch(
    async (error: unknown) => {
      // What is no sound repository takes no commits either.
      if (!(error instanceof ToolError)) throw error
      if ((await idIn(place)) !== undefined) await rename(place, target)
    },
  )
}

/** Takes a folder away, at once; whoever has time removes what it has become. */
export async function detach({ making }: Places, folder: string): Promise<string> {
  const going = join(making, randomUUID())
  await rename(folder, going).catch((error: unknown) => {
    if (!isAbsent(error)) throw error
  })
  return going
}

/** Removes a folder: it is never there in parts. */
export async function removeFolder(places: Places, folder: string): Promise<void> {
  await rm(await detach(places, folder), { recursive: true, force: true })
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
