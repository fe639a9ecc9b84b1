import { type FileHandle, open } from 'node:fs/promises'
import type { Kind } from './generator.ts'

/** What became of one write, as its client knows it. */
export interface Entry {
  /** The id of the request, of each attempt: what is written down with each version. */
  readonly op: string
  readonly kind: Kind
  readonly route: string
  /** Whose write it is. */
  readonly account: number
  /** What it was to change; of a creation, what the answer named. */
  readonly artifacts: readonly number[]
  /** How many versions it makes. */
  readonly versions: number
  /** The tag of the version that it was based on, and of the one that it made; neither where nobody said so. */
  readonly based_on: string | null
  readonly made: string | null
  /** Of what it writes. */
  readonly digest: string
  readonly file: { readonly id: number; readonly sha256: string } | null
  /** `refused`: nothing of it may be there. `unknown`: all of it, or nothing. */
  readonly outcome: 'ok' | 'refused' | 'unknown'
  readonly attempts: number
  /** In milliseconds of one clock that only goes forward. */
  readonly start: number
  readonly end: number
}

export interface Journal {
  readonly entries: readonly Entry[]
  /** Resolves when it is on the disk: before that, no answer counts as received. */
  append(entry: Entry): Promise<void>
  close(): Promise<void>
}

export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a')
  const entries: Entry[] = []
  let waiting: { readonly line: string; readonly done: () => void; readonly failed: (error: unknown) => void }[] = []
  let isWriting = false
  // Whoever comes while the disk is busy goes with the next load.
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
