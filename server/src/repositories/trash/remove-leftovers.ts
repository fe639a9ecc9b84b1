import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../platform/operation/context.ts'
import { LAYOUT_MESSAGE } from '../disk/make-repository.ts'
import type { Places } from '../disk/places.ts'
import { detach, idIn } from '../disk/set-aside.ts'
import { runTool } from '../disk/run-tool.ts'
import { youngestIn } from '../disk/youngest.ts'
import { entriesOf, findUnknown } from './find-unknown.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Ages {
  readonly now: Date
  /** What was last changed before then is not worth keeping, whatever it is. */
  readonly kept: Date
}

/**
 * Removes what lies on disk and belongs to no row. What is being made has no row yet, so it has to be old. And where
 * somebody has committed, the database may be the one that is wrong, restored from a backup: that stays for as long as
 * what was deleted.
 */
export async function removeLeftovers(context: Context, places: Places, { now, kept }: Ages): Promise<void> {
  const unfinished = new Date(now.getTime() - DAY)
  for (const path of await entriesOf(places.making))
    if ((await lastChange(path)) < unfinished) await rm(path, { recursive: true, force: true })
  for (const { path, id } of await findUnknown(context, places)) {
    const limit = id !== undefined && (await isBare(path)) ? new Date(now.getTime() - HOUR) : kept
    if ((await lastChange(path)) >= limit) continue
    const going = await detach(places, path)
    // Whoever was faster has put something of his own there.
    if ((await idIn(going)) !== id) await rename(going, path)
    else await rm(going, { recursive: true, force: true })
    context.log.info({ path }, 'removed what belongs to no repository')
  }
}

/** Nobody has committed: there is nothing in it but what the server itself has made. */
async function isBare(folder: string): Promise<boolean> {
  const youngest = await youngestIn(folder).catch(() => 0)
  if (youngest !== 1) return youngest === 0
  const { stdout } = await runTool('svnlook', ['log', '-r', '1', folder])
  return stdout.toString().trimEnd() === LAYOUT_MESSAGE
}

/** The moment of its move counts too. */
async function lastChange(path: string): Promise<Date> {
  const [itself, content] = await Promise.all([
    stat(path).catch(() => undefined),
    stat(join(path, 'db', 'current')).catch(() => undefined),
  ])
  return new Date(Math.max(itself?.ctimeMs ?? Infinity, content?.mtimeMs ?? 0))
}
