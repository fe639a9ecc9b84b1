import type { OutgoingHttpHeaders } from 'node:http'
import type { Client, Response } from './client.ts'
import { PASSWORD, type Person } from './people.ts'

/** What a browser sends with a request of our own page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

/** The page of somebody who means no good. */
export const EVIL = 'https://evil.example'

/** What comes with requests that are not our own page's; the last one is no browser's. */
export const FOREIGN_PAGES = [
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: EVIL },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'https://other.waypost.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'https://waypost.example' },
  { origin: EVIL },
  { origin: 'null' },
  { origin: EVIL, referer: `https://waypost.example/` },
  { referer: `${EVIL}/?https://waypost.example` },
  {},
]

/** Signs in as the web interface does; returns the headers of the requests that follow. */
export async function signInOnPage(
  api: Client,
  person: Person,
  { password = PASSWORD, agent }: { password?: string; agent?: string } = {},
): Promise<OutgoingHttpHeaders & { cookie: string }> {
  const headers = { ...OWN_PAGE, ...(agent !== undefined && { 'user-agent': agent }) }
  const body = { username: person.login, password }
  const answer = await api.post('/session', { headers, body, reader: person })
  if (answer.status !== 201) throw new Error(`${person.login} could not sign in: ${answer.text}`)
  return { ...headers, cookie: cookieIn(answer) }
}

/** `name=value` of the cookie that an answer sets. */
export function cookieIn({ headers }: Response): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
