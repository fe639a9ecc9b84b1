import type { BulkLine } from '@waypost/sdk/api'
import { writeMany } from '@waypost/sdk/bulk'
import { api } from '../../api.ts'

/** Rows of one request; the server takes 10,000. */
const BATCH_SIZE = 2_000

export interface ImportOutcome {
  readonly written: number
  /** By the message of the server, with the numbers of the rows. */
  readonly refused: readonly { readonly message: string; readonly rows: readonly number[] }[]
}

/** Creates an artifact per row, without mails. A refused row does not stop the others. */
export async function importRows(
  tracker: number,
  lines: readonly BulkLine[],
  onProgress: (done: number) => void,
): Promise<ImportOutcome> {
  const { signal } = new AbortController()
  const refused = new Map<string, number[]>()
  let written = 0
  for (let from = 0; from < lines.length; from += BATCH_SIZE)
    for await (const { line, error } of writeMany(api, tracker, lines.slice(from, from + BATCH_SIZE), {
      signal,
      notify: false,
    })) {
      if (!error) written++
      else refused.set(error.i18n_error_message, [...(refused.get(error.i18n_error_message) ?? []), from + line])
      if ((from + line) % 50 === 0) onProgress(from + line)
    }
  return { written, refused: [...refused].map(([message, rows]) => ({ message, rows })) }
}
