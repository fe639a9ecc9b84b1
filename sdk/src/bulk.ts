import { readFailure, Refusal, unreachable } from './answer.ts'
import type { BulkLine, DryRunReport, ErrorDetails, Reason } from './api.ts'
import { type Client, toQueryString } from './client.ts'

/** The result of one line. */
export interface LineAnswer {
  /** Starts at 1. */
  readonly line: number
  /** The status that the single write would have had. */
  readonly status: number
  /** Null: the artifact was not created. */
  readonly id: number | null
  /** For `if_match` of the next write. */
  readonly etag?: string
  /** The line changed nothing. */
  readonly unchanged?: true
  readonly error?: { readonly reason: Reason; readonly i18n_error_message: string; readonly details?: ErrorDetails }
  /** The report of a dry run. */
  readonly dry_run?: DryRunReport
}

export interface BulkOptions {
  readonly signal: AbortSignal
  /** Validates everything and writes nothing. */
  readonly isDryRun?: boolean
  /** `false`: sends no mail; for administrators of the tracker. */
  readonly notify?: boolean
  /** The key of a request that an earlier run may have made: its writes are not repeated. */
  readonly idempotencyKey?: string
}

/**
 * Creates and updates many artifacts of a tracker; yields the result of each line, in order. A refused line does not
 * affect the others. A refusal of the whole request and a truncated response are thrown; lines yielded before that are
 * written.
 */
export async function* writeMany(
  client: Client,
  tracker: number,
  lines: readonly BulkLine[],
  { signal, isDryRun, notify, idempotencyKey }: BulkOptions,
): AsyncGenerator<LineAnswer> {
  const path = `/trackers/${tracker}/artifacts/bulk${toQueryString({ dry_run: isDryRun, notify })}`
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
