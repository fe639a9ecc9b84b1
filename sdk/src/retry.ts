import type { Answer } from './answer.ts'

const FIRST_RETRY_DELAY_MS = 200
const MAX_RETRY_DELAY_MS = 10_000
const TRANSIENT_STATUSES = [0, 429, 502, 503, 504]

/** Retries transient failures with backoff. The caller ensures that a retry is safe. */
export async function retry<T>(
  attempts: number,
  attempt: () => Promise<Answer<T>>,
  signal?: AbortSignal,
): Promise<Answer<T>> {
  for (let made = 1; ; made++) {
    const answer = await attempt()
    if (answer.ok || made >= attempts || !TRANSIENT_STATUSES.includes(answer.status)) return answer
    const asked = (answer.retryAfterSeconds ?? 0) * 1000
    if (asked > MAX_RETRY_DELAY_MS) return answer
    await pause(Math.max(asked, backoffMs(made)), signal)
    if (signal?.aborted) return answer
  }
}

/** Exponential backoff with jitter. */
export function backoffMs(made: number): number {
  return Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** (made - 1)) * (0.5 + Math.random() / 2)
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}
