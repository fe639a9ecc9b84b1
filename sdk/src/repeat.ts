import type { Answer } from './answer.ts'

const FIRST_PAUSE = 200
const LONGEST_PAUSE = 10_000
const PASSING = [0, 429, 502, 503, 504]

/** Tries again what failed for a passing reason, a little later each time. The caller sees to it that this does no harm. */
export async function repeat<T>(
  attempts: number,
  attempt: () => Promise<Answer<T>>,
  signal?: AbortSignal,
): Promise<Answer<T>> {
  for (let made = 1; ; made++) {
    const answer = await attempt()
    if (answer.ok || made >= attempts || !PASSING.includes(answer.status)) return answer
    const asked = (answer.retryAfterSeconds ?? 0) * 1000
    if (asked > LONGEST_PAUSE) return answer
    await pause(Math.max(asked, backOff(made)), signal)
    if (signal?.aborted) return answer
  }
}

/** Twice as long each time, and never as long as that of others who failed at the same moment. */
export function backOff(made: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (made - 1)) * (0.5 + Math.random() / 2)
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
