import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { foreignCanaries } from '../fixtures/canaries.ts'
import { ALL_PEOPLE } from '../fixtures/people.ts'

interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Unfolded, by lower-case name; repeated headers have all values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly subject: string
  /** Decoded. */
  readonly text: string
  /** The HTML part; empty if there is none. */
  readonly html: string
  /** The raw message. */
  readonly raw: string
}

interface MailPeer {
  readonly url: string
  /** Emptied before each test. */
  readonly mails: ReceivedMail[]
  /** Refuses the next mails with this response until it is cleared. */
  refuseWith(response: { code: number; message: string } | undefined): void
}

/** A real mail server on its own port, which keeps all mails. */
export async function startMailPeer(): Promise<MailPeer> {
  const mails: ReceivedMail[] = []
  let refusal: { code: number; message: string } | undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const take = async () => {
        const raw = await text(stream)
        if (refusal) throw Object.assign(new Error(refusal.message), { responseCode: refusal.code })
        mails.push(read(raw, mailFrom === false ? '' : mailFrom.address, rcptTo))
      }
      // oxlint-disable-next-line promise/no-callback-in-promise -- the peer's interface has callbacks
      take().then(() => done(), done)
    },
  })
  server.on('error', () => {}) // A client disconnected.
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  beforeEach(() => {
    mails.length = 0
    refusal = undefined
  })
  afterEach(() => {
    expect(mails.flatMap(leaksIn)).toEqual([])
  })
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseWith: (response) => {
      refusal = response
    },
  }
}

function read(raw: string, from: string, recipients: readonly { address: string }[]): ReceivedMail {
  const to = recipients.map(({ address }) => address)
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = headersIn(head)
  const body = rest.join('\r\n\r\n')
  const parts = partsOf(headers, body)
  return {
    from,
    to,
    headers,
    raw,
    subject: decodeWords(headers.get('subject')?.[0] ?? ''),
    text: parts.find(({ type }) => type.startsWith('text/plain'))?.content ?? '',
    html: parts.find(({ type }) => type.startsWith('text/html'))?.content ?? '',
  }
}

/** Canaries in a mail that its recipient may not read; checked for every mail of every test. */
function leaksIn({ to, subject, text: words, html }: ReceivedMail): string[] {
  return ALL_PEOPLE.filter(({ email }) => to.includes(email)).flatMap((person) =>
    foreignCanaries(`${subject}\n${words}\n${html}`, person).map((secret) => `${person.login} was mailed ${secret}`),
  )
}

/** The only part, or those of `multipart/alternative`. */
function partsOf(headers: ReceivedMail['headers'], body: string): { type: string; content: string }[] {
  const type = headers.get('content-type')?.[0] ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1]
  if (boundary === undefined)
    return [{ type, content: decode(body, headers.get('content-transfer-encoding')?.[0]?.toLowerCase()) }]
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => {
      const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n')
      return partsOf(headersIn(head), rest.join('\r\n\r\n').replace(/\r\n$/, ''))
    })
}

function headersIn(head: string): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return headers
}

function decode(body: string, encoding: string | undefined): string {
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(unquote(body, encoding), 'latin1')
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

function unquote(body: string, encoding: string | undefined): string {
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'utf8').toString('latin1')
  return body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString('utf8')
        : decode(words.replaceAll('_', ' '), 'quoted-printable'),
    )
}
