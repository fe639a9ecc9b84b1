import { type FileHandle, open } from 'node:fs/promises'
import type { WriteKind } from './generator.ts'

/** The outcome of one write, as its client knows it. */
export interface JournalEntry {
  /** The request id, shared by all attempts and stored with each version. */
  readonly op: string
  readonly kind: WriteKind
  readonly route: string
  /** The account of the writer. */
  readonly account: number
  /** The artifacts to change; for a creation, those named by the response. */
  readonly artifacts: readonly number[]
  /** The number of versions that it creates. */
  readonly versions: number
  /** The tags of the base version and of the created one; null if unknown. */
  readonly based_on: string | null
  readonly made: string | null
  /** The digest of the content. */
  readonly digest: string
  readonly file: { readonly id: number; readonly sha256: string } | null
  /** `refused`: nothing may be stored. `unknown`: everything or nothing. */
  readonly outcome: 'ok' | 'refused' | 'unknown'
  readonly attempts: number
  /** In milliseconds of a monotonic clock. */
  readonly start: number
  readonly end: number
}

export interface Journal {
  readonly entries: readonly JournalEntry[]
  /** Resolves after fsync: only then does a response count as received. */
  append(entry: JournalEntry): Promise<void>
  close(): Promise<void>
}

export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a')
  const entries: JournalEntry[] = []
  let waiting: { readonly line: string; readonly done: () => void; readonly failed: (error: unknown) => void }[] = []
  let isWriting = false
  // Group commit: entries that arrive while the disk is busy go with the next batch.
  const write = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const load = waiting
      waiting = []
      const outcome = await store(
        file,
        load.map(({ line }) => line),
      ).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      for (const { done, failed } of load)
        if (outcome) failed(outcome.error)
        else done()
    }
    isWriting = false
  }
  return {
    entries,
    async append(entry) {
      await new Promise<void>((done, failed) => {
        waiting.push({ line: `${JSON.stringify(entry)}\n`, done, failed })
        if (!isWriting) void write()
      })
      entries.push(entry)
    },
    close: () => file.close(),
  }
}

async function store(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(lines.join(''))
  await file.datasync()
}
