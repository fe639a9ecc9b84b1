import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFolderFault, findFutureFolderFault } from '../../platform/operation/folder-access.ts'
import type { DiagnosticFinding, Installation } from '../../platform/operation/diagnosis.ts'
import { findApacheFaults } from './apache-faults.ts'
import { svnUser } from './run-tool.ts'
import { hasApache } from './start-apache.ts'
import { getSvnFolders, type SvnFolders } from './svn-folders.ts'

const TIMEOUT_MS = 5000

/** Folders as the user of the repositories, Apache's files against the database, and whether Apache responds. */
export async function checkSubversion({ db, config }: Installation): Promise<DiagnosticFinding> {
  const what = 'subversion'
  if (config.WAYPOST_SVN_ROOT === null) return { what, state: 'ok', detail: 'not used' }
  const places = getSvnFolders(config)
  if (!(await stat(places.root).catch(() => undefined))) {
    const fault = await findFutureFolderFault(places.root)
    const detail = fault ?? `${places.root} does not exist yet: the server will create it`
    return { what, state: fault === undefined ? 'ok' : 'wrong', detail }
  }
  const faults = [...(await findForeignFolders(places)), ...(await findApacheFaults(db, config))]
  if (!hasApache()) faults.push('Apache or its Subversion module is not installed')
  if (faults.length > 0) return { what, state: 'wrong', detail: faults.join('; ') }
  const { host, port } = config.WAYPOST_SVN_LISTEN
  const answer = await fetch(`http://${host}:${port}/.waypost/away.xml`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (!answer?.ok) return { what, state: 'warning', detail: `Apache does not respond on ${host}:${port}` }
  return { what, state: 'ok', detail: `Apache on ${host}:${port}` }
}

const MAX_FAULTS = 3

/** Folders that the user of the repositories cannot write to: for example restored, or created, by root. */
async function findForeignFolders(places: SvnFolders): Promise<string[]> {
  const projects = await subfolders(places.repositories)
  const repositories = (await Promise.all(projects.map(subfolders))).flat()
  const folders = [
    places.repositories,
    places.making,
    places.deleted,
    places.apache,
    ...projects,
    ...repositories.flatMap((folder) => [folder, join(folder, 'db'), join(folder, 'db', 'transactions')]),
  ]
  const user = await svnUser()
  const faults: string[] = []
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined)
    if (!found || faults.length >= MAX_FAULTS) continue
    // Root may write everywhere; Apache and the tools run as the other user.
    if (user && found.uid !== user.uid) faults.push(`${folder} belongs to the user ${found.uid} instead of ${user.uid}`)
    const fault = user ? undefined : await findFolderFault(folder)
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}
