import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { mountSmallDisk, type SmallDisk } from '../server/test/peers/small-disk.ts'
import type { Fault } from './setup.ts'

const DISK_MEGABYTES = 256

interface Files {
  readonly folder: string
  /** A separate disk that may be filled up. */
  readonly disk: SmallDisk | undefined
  end(): Promise<void>
}

/** The file store: a small disk in memory, if mounting is allowed. */
export async function prepareFiles(folder: string): Promise<Files> {
  await mkdir(folder, { recursive: true })
  const disk = mountSmallDisk(folder, DISK_MEGABYTES)
  return { folder, disk, end: async () => disk?.unmount() }
}

/** Uploads are refused while the file disk is full; everything else works. */
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
