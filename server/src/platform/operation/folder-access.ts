import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { userInfo } from 'node:os'

/** The path itself, or the nearest folder above it that exists. */
export async function existingParent(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined)
    if (found || folder === dirname(folder)) return folder
  }
}

/** Why this process cannot read and write in an existing folder; undefined: it can. Creates nothing. */
export async function findFolderFault(folder: string): Promise<string | undefined> {
  try {
    const found = await stat(folder)
    if (!found.isDirectory()) return `${folder} is no folder`
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const owner = await stat(folder).catch(() => undefined)
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `${folder}: ${code}: ${userName()} cannot write there${owner ? `; it belongs to the user ${owner.uid}` : ''}`
  }
}

/** The same for a folder that the server creates when it first needs it. */
export async function findFutureFolderFault(folder: string): Promise<string | undefined> {
  return findFolderFault(await existingParent(folder))
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `the user ${process.getuid?.()}` // It has no entry in the list of users.
  }
}
