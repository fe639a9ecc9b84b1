import { type Answer, bodyOf, type Failure, readFailure, Refusal } from '@waypost/sdk/answer'
import { createClient } from '@waypost/sdk'
import { askForConfirmation } from './accounts/confirmation.ts'
import { changesCounts, refreshCounts } from './counts-after-writes.ts'
import { locale } from './messages/language.ts'
import { sendOrRecall } from './offline/kept-answers.ts'

/** Identifies this tab in the events that its own writes cause. */
export const CLIENT_UUID = crypto.randomUUID()

/** The API client of all pages, with the session of the browser. Pages use the public API only. */
export const api = createClient({ clientUuid: CLIENT_UUID, language: locale, fetch: send })

/** Sends a request; after a change of artifacts, their counts are read again. */
async function send(url: string, request: RequestInit): Promise<Response> {
  const response = await sendOrRecall(url, request, sendConfirmed)
  if (response.ok && changesCounts(url, request.method)) refreshCounts()
  return response
}

/** Sends a request; if it needs a password confirmation, asks for it and sends the request again. */
async function sendConfirmed(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request)
  if (response.status !== 401) return response
  const { reason } = readFailure(response.status, response.headers, await response.clone().text())
  if (reason !== 'confirmation_required' || !(await askForConfirmation())) return response
  return fetch(url, request)
}

/** For queries: turns a refusal into an exception. */
export async function read<T>(answer: Promise<Answer<T>>): Promise<T> {
  return bodyOf(await answer)
}

export function failureOf(error: unknown): Failure | undefined {
  return error instanceof Refusal ? error.failure : undefined
}
