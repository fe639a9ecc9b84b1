import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { mountSmallDisk, type SmallDisk } from '../server/test/small-disk.ts'
import type { Fault } from './setup.ts'

const MEGABYTES = 256

interface Files {
  readonly folder: string
  /** Where it may be filled: a disk of its own. */
  readonly disk: SmallDisk | undefined
  end(): Promise<void>
}

/** The place of the bytes of files: a small disk in memory, where we may mount one. */
export async function prepareFiles(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true })
  const disk = mountSmallDisk(folder, MEGABYTES)
  return { folder, disk, end: async () => disk?.unmount() }
}

/** Uploads are refused while the disk of files is full; all the rest goes on. */
export function fullDisk({ disk }: Files): Fault[] {
  if (!disk) return []
  return [
    {
      name: 'the disk of files is full',
      counts: ['other'],
      share: 1,
      async inject({ random }) {
        await disk.fill()
        await pause(random.integer(1000, 3000))
        await disk.empty()
      },
    },
  ]
}
