import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A disk of its own, of some size; false: nothing can be mounted here. */
export function mountDisk(folder: string, megabytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]).status === 0
}

export function unmountDisk(folder: string): void {
  spawnSync('umount', ['--lazy', folder])
}

/** Next to nothing more fits on the disk while this is done. */
export async function whileFull<T>(folder: string, doing: () => Promise<T>): Promise<T> {
  const filler = join(folder, 'filler')
  const handle = await open(filler, 'w')
  try {
    const chunk = Buffer.alloc(2 ** 20)
    for (let size = chunk.length; size > 0; )
      size = await handle.write(chunk, 0, size).then(
        ({ bytesWritten }) => (bytesWritten < size ? Math.floor(size / 2) : size),
        () => Math.floor(size / 2),
      )
    // Not to the last byte: what is refused has begun before.
    await handle.truncate(Math.max((await handle.stat()).size - 2 ** 20, 0))
    return await doing()
  } finally {
    await handle.close()
    await rm(filler, { force: true })
  }
}
