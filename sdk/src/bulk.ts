import { readFailure, Refusal, unreachable } from './answer.ts'
import type { BulkLine, DryRunReport, ErrorDetails, Reason } from './api.ts'
import { type Client, queryOf } from './client.ts'

/** What became of one line. */
export interface LineAnswer {
  /** From 1. */
  readonly line: number
  /** As the single write would have answered. */
  readonly status: number
  /** Null: it was to be created, and is not. */
  readonly id: number | null
  /** Good for `if_match` of the next write. */
  readonly etag?: string
  /** It was so already. */
  readonly unchanged?: true
  readonly error?: { readonly reason: Reason; readonly i18n_error_message: string; readonly details?: ErrorDetails }
  /** Of a dry run. */
  readonly dry_run?: DryRunReport
}

export interface BulkOptions {
  readonly signal: AbortSignal
  /** Everything is checked, and nothing is written. */
  readonly isDryRun?: boolean
  /** `false`: nobody is told by mail; for administrators of the tracker. */
  readonly notify?: boolean
  /** Of a request that an earlier run of the program may have made: what it wrote is not written again. */
  readonly idempotencyKey?: string
}

/**
 * Creates and updates many artifacts of a tracker; yields what became of each line, in their order. A refused line leaves
 * the others alone. A refusal of the whole, and an answer that was cut, are thrown: what was yielded is written then.
 */
export async function* writeMany(
  client: Client,
  tracker: number,
  lines: readonly BulkLine[],
  { signal, isDryRun, notify, idempotencyKey }: BulkOptions,
): AsyncGenerator<LineAnswer> {
  const path = `/trackers/${tracker}/artifacts/bulk${queryOf({ dry_run: isDryRun, notify })}`
  const headers = {
    accept: TYPE,
    'content-type': TYPE,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const response = await client.open(path, headers, signal, body).catch((error: unknown) => {
    throw new Refusal(unreachable(error))
  })
  if (!response.ok || !response.body)
    throw new Refusal(readFailure(response.status, response.headers, await response.text()))
  let isDone = false
  for await (const line of linesOf(response.body)) {
    const answer: LineAnswer | { done: unknown } = JSON.parse(line)
    if ('done' in answer) isDone = true
    else yield answer
  }
  if (!isDone) throw new Refusal(unreachable(new Error('The answer was cut.')))
}

const TYPE = 'application/x-ndjson'

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      const parts = rest.split('\n')
      rest = parts.pop() ?? ''
      yield* parts.filter((part) => part !== '')
      if (done) return
    }
  } catch (error) {
    throw new Refusal(unreachable(error))
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
