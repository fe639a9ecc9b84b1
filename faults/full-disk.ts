import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Fault } from './setup.ts'

const run = promisify(execFile)

interface Files {
  readonly folder: string
  /** Where it may be filled: a disk of its own. */
  readonly isDisk: boolean
  end(): Promise<void>
}

/** The place of the bytes of files: a small disk in memory, where we may mount one. */
export async function prepareFiles(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true })
  const mount = ['-t', 'tmpfs', '-o', 'size=256m,mode=0700', 'tmpfs', folder]
  const isDisk = await run('mount', mount).then(
    () => true,
    () => false,
  )
  return {
    folder,
    isDisk,
    async end() {
      if (isDisk) await run('umount', ['--lazy', folder])
    },
  }
}

/** Uploads are refused while the disk of files is full; all the rest goes on. */
export function fullDisk({ folder, isDisk }: Files): Fault[] {
  if (!isDisk) return []
  const ballast = join(folder, 'ballast')
  return [
    {
      name: 'the disk of files is full',
      counts: ['other'],
      share: 1,
      async inject({ random }) {
        await writeFile(ballast, Buffer.alloc(300 * 2 ** 20)).catch(() => {}) // Until nothing fits any more.
        await pause(random.integer(1000, 3000))
        await rm(ballast, { force: true })
      },
    },
  ]
}
