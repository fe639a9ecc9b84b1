import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A disk in memory, small enough to be filled. */
export interface SmallDisk {
  /** Fills the disk until `left` bytes remain, by default almost none. */
  fill(left?: number): Promise<void>
  empty(): Promise<void>
  unmount(): void
}

/** Mounts it at an existing folder that others can enter; undefined if mounting is not possible. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  const mount = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]
  if (spawnSync('mount', mount).status !== 0) return undefined
  const ballast = join(folder, 'ballast')
  return {
    fill: (left = 0) => fillWith(ballast, left),
    empty: () => rm(ballast, { force: true }),
    unmount: () => void spawnSync('umount', ['--lazy', folder]),
  }
}

async function fillWith(ballast: string, left: number): Promise<void> {
  const handle = await open(ballast, 'w')
  try {
    const chunk = Buffer.alloc(2 ** 20)
    for (let size = chunk.length; size > 0; )
      size = await handle.write(chunk, 0, size).then(
        ({ bytesWritten }) => (bytesWritten < size ? Math.floor(size / 2) : size),
        () => Math.floor(size / 2),
      )
    if (left > 0) await handle.truncate(Math.max((await handle.stat()).size - left, 0))
  } finally {
    await handle.close()
  }
}
