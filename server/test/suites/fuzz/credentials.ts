import type { OutgoingHttpHeaders } from 'node:http'
import { basic } from '../../harness/client.ts'
import { CROSS_SITE_HEADERS, SAME_ORIGIN_HEADERS } from '../../harness/browser-requests.ts'
import { ADA, type TestPerson, TOM } from '../../fixtures/people.ts'
import type { Knowledge, KnownSession } from './knowledge.ts'
import type { RepeatableRandom } from './random.ts'

/** Credentials of this person, in a random form. */
export function credentialsOf(person: TestPerson, known: Knowledge, random: RepeatableRandom): OutgoingHttpHeaders {
  const way = random.number()
  const session = random.pickAny(known.sessions.filter((each) => each.person === person))
  const token = random.pickAny(known.tokens.filter((each) => each.person === person))
  if (way < 0.1) return { authorization: `Bearer ${person.key}` }
  if (way < 0.16 && session) return cookieHeader(session)
  if (way < 0.2 && token) return { 'x-auth-token': token.token, 'x-auth-userid': person.id }
  if (way < 0.21) return basic(person)
  return { 'x-auth-accesskey': person.key }
}

export function cookieHeader({ cookie }: KnownSession): OutgoingHttpHeaders {
  return { ...SAME_ORIGIN_HEADERS, cookie }
}

/** All headers that identify the caller and the page. */
export const CREDENTIAL_HEADERS =
  'authorization x-auth-accesskey x-auth-token x-auth-userid cookie sec-fetch-site sec-fetch-mode origin referer'.split(
    ' ',
  )

type Wrong = (known: Knowledge, random: RepeatableRandom) => OutgoingHttpHeaders

const flipped = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`

/** Invalid credentials. */
const WRONG: readonly [Wrong, ...Wrong[]] = [
  () => ({ 'x-auth-accesskey': flipped(ADA.key) }),
  () => ({ 'x-auth-accesskey': `tlp-k1-999999.${'ab'.repeat(32)}` }),
  () => ({ 'x-auth-accesskey': `tlp-k1-99999999999999999999.${'ab'.repeat(32)}` }),
  () => ({ 'x-auth-accesskey': "' or 1=1 --" }),
  () => ({ 'x-auth-accesskey': '' }),
  () => ({ 'x-auth-accesskey': [ADA.key, TOM.key] }),
  () => ({ authorization: 'Bearer' }),
  () => ({ authorization: `Bearer ${'x'.repeat(5000)}` }),
  () => ({ authorization: `Bearer ${flipped(ADA.key)}` }),
  () => ({ authorization: 'Digest username="ada"' }),
  () => ({ authorization: 'Basic !!!' }),
  () => ({ authorization: `Basic ${Buffer.from('ada').toString('base64')}` }),
  () => ({ authorization: `Basic ${Buffer.from('ada:\0').toString('base64')}` }),
  () => ({ authorization: `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x61]).toString('base64')}` }),
  (known) => basic({ login: known.fresh('stranger') }, 'wrong'), // Every login has its own failure counter.
  () => ({ 'x-auth-token': 'f'.repeat(32) }),
  () => ({ 'x-auth-userid': String(ADA.id) }),
  () => ({ 'x-auth-token': 'f'.repeat(32), 'x-auth-userid': String(ADA.id) }),
  () => ({ 'x-auth-token': 'f'.repeat(32), 'x-auth-userid': '99999999999999999999' }),
  () => ({ 'x-auth-token': "'", 'x-auth-userid': "'" }),
  (known, random) => ({ 'x-auth-token': random.pickAny(known.tokens)?.token ?? 'x', 'x-auth-userid': '999999' }),
  () => ({ ...SAME_ORIGIN_HEADERS, cookie: '__Host-waypost=' }),
  () => ({ ...SAME_ORIGIN_HEADERS, cookie: `__Host-waypost=${'A'.repeat(43)}` }),
  () => ({ ...SAME_ORIGIN_HEADERS, cookie: '__Host-waypost=%00%ff; __Host-waypost' }),
  (known, random) => ({
    ...random.pickAny(CROSS_SITE_HEADERS),
    cookie: random.pickAny(known.sessions)?.cookie ?? '__Host-waypost=x',
  }),
]

export function wrongCredentials(known: Knowledge, random: RepeatableRandom): OutgoingHttpHeaders {
  return random.pick(WRONG)(known, random)
}
