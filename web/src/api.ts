import { type Answer, bodyOf, type Failure, Refusal } from '@waypost/sdk/answer'
import { createClient } from '@waypost/sdk'

/** Names this tab in the events that it makes itself. */
export const CLIENT_UUID = crypto.randomUUID()

/** The one way to the server, with the session of the page. The explorer can do no less and no more. */
export const api = createClient({ clientUuid: CLIENT_UUID })

/** For queries: a refusal is an error there. */
export async function read<T>(answer: Promise<Answer<T>>): Promise<T> {
  return bodyOf(await answer)
}

export function failureOf(error: unknown): Failure | undefined {
  return error instanceof Refusal ? error.failure : undefined
}
