import { type DownloadFigures, measureDownloads } from './downloads.ts'
import { measureResumed, type ResumedFigures } from './resumed-upload.ts'
import { openFilesWorld } from './world.ts'

export interface FileOptions {
  readonly isSmall: boolean
  readonly data: string
}

export interface FileFigures {
  readonly resumed: ResumedFigures
  readonly downloads: DownloadFigures
}

const MB = 1_000_000

/** Uploads and downloads of files. */
export async function measureFiles({ isSmall, data }: FileOptions): Promise<FileFigures> {
  const world = await openFilesWorld(data)
  try {
    const resumed = await measureResumed(
      world,
      isSmall ? { bytes: 60 * MB, interruptions: 3 } : { bytes: 1000 * MB, interruptions: 20 },
    )
    const downloads = await measureDownloads(
      world,
      isSmall
        ? { files: 2, bytes: MB, parallel: 20, seconds: 0.5, turns: 1 }
        : { files: 20, bytes: 10 * MB, parallel: 200, seconds: 10, turns: 3 },
    )
    return { resumed, downloads }
  } finally {
    await world.stop()
  }
}
