import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { LinkKind } from '../../../src/accounts/mails/mailed-link.ts'

interface MailedSecret {
  readonly kind: LinkKind
  readonly secret: string
}

export interface MailReader {
  /** For WAYPOST_SMTP_URL. */
  readonly url: string
  /** The number of mails so far. */
  count(): number
  /** The secrets of the mails since the last call. */
  take(): MailedSecret[]
  stop(): Promise<void>
}

const KINDS = new Map<string, LinkKind>([
  ['reset', 'password_reset'],
  ['email', 'email_verification'],
  ['invitation', 'invitation'],
])

/** A mail server that extracts links: their secrets exist nowhere else. */
export async function startMailReader(): Promise<MailReader> {
  let found: MailedSecret[] = []
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const take = async () => {
        found.push(...secretsIn(await text(stream)))
        count++
      }
      // oxlint-disable-next-line promise/no-callback-in-promise -- the server's interface has callbacks
      take().then(() => done(), done)
    },
  })
  server.on('error', () => {}) // A client disconnected.
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    count: () => count,
    take() {
      const taken = found
      found = []
      return taken
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function secretsIn(mail: string): MailedSecret[] {
  const [, encoding = ''] = /^content-transfer-encoding: *(\S+)/im.exec(mail) ?? []
  const body = mail.slice(mail.indexOf('\r\n\r\n'))
  const readable =
    encoding.toLowerCase() === 'base64' ? Buffer.from(body, 'base64').toString() : body.replaceAll('=\r\n', '')
  return [...readable.matchAll(/\/account\/(\w+)#([\w-]{43})/g)].flatMap(([, page = '', secret = '']) => {
    const kind = KINDS.get(page)
    return kind ? [{ kind, secret }] : []
  })
}
