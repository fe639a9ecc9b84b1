import type { OutgoingHttpHeaders } from 'node:http'
import type { TestClient, Response } from './client.ts'
import { PASSWORD, type TestPerson } from '../fixtures/people.ts'

/** Browser headers of a request from our own page. */
export const SAME_ORIGIN_HEADERS = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

/** The origin of a malicious page. */
export const EVIL_ORIGIN = 'https://evil.example'

/** Headers of requests from other sites; the last one is not from a browser. */
export const CROSS_SITE_HEADERS = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: EVIL_ORIGIN },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'https://other.waypost.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'https://waypost.example' },
  { origin: EVIL_ORIGIN },
  { origin: 'null' },
  { origin: EVIL_ORIGIN, referer: `https://waypost.example/` },
  { referer: `${EVIL_ORIGIN}/?https://waypost.example` },
  {},
]

/** Signs in like the web interface; returns the headers for further requests. */
export async function signInWithCookie(
  api: TestClient,
  person: TestPerson,
  { password = PASSWORD, agent }: { password?: string; agent?: string } = {},
): Promise<OutgoingHttpHeaders & { cookie: string }> {
  const headers = { ...SAME_ORIGIN_HEADERS, ...(agent !== undefined && { 'user-agent': agent }) }
  const body = { username: person.login, password }
  const answer = await api.post('/session', { headers, body, reader: person })
  if (answer.status !== 201) throw new Error(`${person.login} could not sign in: ${answer.text}`)
  return { ...headers, cookie: cookieIn(answer) }
}

/** `name=value` of the cookie in a response. */
export function cookieIn({ headers }: Response): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
