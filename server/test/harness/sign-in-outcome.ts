import { ApiError } from '../../src/platform/messages/errors.ts'
import type { Viewer } from '../../src/platform/http/viewer.ts'

/** The login that is signed in, or the reason of the refusal. */
export function signInOutcome(attempt: Promise<Viewer>): Promise<string | undefined> {
  return attempt.then(
    ({ login }) => login,
    (error: unknown) => (error instanceof ApiError ? error.reason : String(error)),
  )
}
