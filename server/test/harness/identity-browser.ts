import { type IncomingHttpHeaders, request } from 'node:http'
import type { Response, TestClient } from './client.ts'

/** Follows redirects like a browser, with a jar of cookies for each server, and stops where a test wants to look. */
export interface IdentityBrowser {
  /** Opens a page of the platform by its path. */
  visit(path: string): Promise<Response>
  /** Opens any address; those of the public address go to the server of the test. */
  open(address: string): Promise<Response>
  /** Signs in at the provider as this person, from the address that the platform has answered; ends at the address back. */
  passProvider(address: string, person: string): Promise<string>
  readonly cookies: Map<string, string>
  /** The header with the session, for requests to the API. */
  readonly session: { cookie: string; 'sec-fetch-site': string; 'sec-fetch-mode': string }
}

const PUBLIC_ORIGIN = 'https://waypost.example'

export function createIdentityBrowser({ origin }: TestClient): IdentityBrowser {
  const platform = new Map<string, string>()
  const provider = new Map<string, string>()
  const open = async (address: string): Promise<Response> => {
    const url = new URL(address)
    const isOurs = url.origin === PUBLIC_ORIGIN
    const jar = isOurs ? platform : provider
    const answer = await get(isOurs ? `${origin}${url.pathname}${url.search}` : url.href, jar)
    keepCookies(jar, answer.headers)
    return answer
  }
  return {
    cookies: platform,
    visit: (path) => open(`${PUBLIC_ORIGIN}${path}`),
    open,
    async passProvider(address, person) {
      for (let at = address, steps = 0; steps < 10; steps++) {
        if (at.startsWith(PUBLIC_ORIGIN)) return at
        const { pathname } = new URL(at)
        const isQuestion = /^\/interaction\/[^/]+$/.test(pathname)
        const { headers, text } = await open(isQuestion ? `${at}/login?person=${person}` : at)
        if (headers.location === undefined) throw new Error(`${at} does not lead on: ${text.slice(0, 500)}`)
        at = new URL(headers.location, at).href
      }
      throw new Error('The provider leads in circles.')
    },
    get session() {
      return { cookie: cookieHeader(platform), 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    },
  }
}

function keepCookies(jar: Map<string, string>, { 'set-cookie': cookies = [] }: IncomingHttpHeaders): void {
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '' || /Max-Age=0\b/i.test(cookie)) jar.delete(name)
    else jar.set(name, value)
  }
}

function cookieHeader(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

async function get(address: string, jar: ReadonlyMap<string, string>): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const headers = {
    ...(jar.size > 0 && { cookie: cookieHeader(jar) }),
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
  }
  const outgoing = request(address, { headers }, (incoming) => {
    let text = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (chunk: string) => {
      text += chunk
    })
    incoming.on('end', () =>
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: undefined }),
    )
  })
  outgoing.on('error', reject).end()
  return promise
}
