import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { DiagnosticFinding, Installation } from './diagnosis.ts'
import { existingParent } from './folder-access.ts'

const GIB = 2 ** 30
/** Below either, writes will fail soon. */
const CRITICAL = { bytes: GIB / 4, share: 0.01 }
const LOW = { bytes: 2 * GIB, share: 0.05 }

/** Free space and inodes of the disks that this process writes to. Those of the database are on another machine, or seen by it. */
export async function disk({ config }: Pick<Installation, 'config'>): Promise<DiagnosticFinding> {
  const { WAYPOST_FILES: files, WAYPOST_SVN_ROOT: svn } = config
  const folders = [...(files.kind === 'disk' ? [files.folder] : []), ...(svn === null ? [] : [svn]), tmpdir()]
  let state: DiagnosticFinding['state'] = 'ok'
  const details: string[] = []
  for (const folder of new Set(folders)) {
    const { bsize, blocks, bavail, files: inodes, ffree } = await statfs(await existingParent(folder))
    const free = bavail * bsize
    const share = Math.min(bavail / Math.max(blocks, 1), inodes === 0 ? 1 : ffree / inodes)
    const isBelow = (limit: typeof LOW) => free < limit.bytes || share < limit.share
    if (isBelow(CRITICAL)) state = 'wrong'
    else if (isBelow(LOW) && state === 'ok') state = 'warning'
    details.push(`${folder}: ${(free / GIB).toFixed(1)} GiB free (${Math.floor(share * 100)} %)`)
  }
  return { what: 'disk', state, detail: details.join('; ') }
}
