import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { LAYOUT_MESSAGE } from '../disk/make-repository.ts'
import type { SvnFolders } from '../disk/svn-folders.ts'
import { detach, readRepositoryId } from '../disk/move-to-trash.ts'
import { runTool } from '../disk/run-tool.ts'
import { readYoungestRevision } from '../disk/read-youngest-revision.ts'
import { listEntries, findUnknownPaths } from './find-unknown.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface RetentionLimits {
  readonly now: Date
  /** Paths last changed before this are removed, even with commits. */
  readonly kept: Date
}

/**
 * Removes paths on disk that belong to no row. They must be old, because a repository under construction has no row
 * yet. A folder with commits may mean that the database was restored from a backup, so it is kept for the retention
 * time of the trash.
 */
export async function removeLeftovers(
  context: Context,
  places: SvnFolders,
  { now, kept }: RetentionLimits,
): Promise<void> {
  const unfinished = new Date(now.getTime() - DAY_MS)
  for (const path of await listEntries(places.making))
    if ((await lastChange(path)) < unfinished) await rm(path, { recursive: true, force: true })
  for (const { path, id } of await findUnknownPaths(context, places)) {
    const limit = id !== undefined && (await hasNoCommits(path)) ? new Date(now.getTime() - HOUR_MS) : kept
    if ((await lastChange(path)) >= limit) continue
    const going = await detach(places, path)
    // Another process has put a new folder at this path: move it back.
    if ((await readRepositoryId(going)) !== id) await rename(going, path)
    else await rm(going, { recursive: true, force: true })
    context.log.info({ path }, 'removed what belongs to no repository')
  }
}

/** Whether it contains only the layout that the server created. */
async function hasNoCommits(folder: string): Promise<boolean> {
  const youngest = await readYoungestRevision(folder).catch(() => 0)
  if (youngest !== 1) return youngest === 0
  const { stdout } = await runTool('svnlook', ['log', '-r', '1', folder])
  return stdout.toString().trimEnd() === LAYOUT_MESSAGE
}

/** The time of its move (ctime) counts too. */
async function lastChange(path: string): Promise<Date> {
  const [itself, content] = await Promise.all([
    stat(path).catch(() => undefined),
    stat(join(path, 'db', 'current')).catch(() => undefined),
  ])
  return new Date(Math.max(itself?.ctimeMs ?? Infinity, content?.mtimeMs ?? 0))
}
