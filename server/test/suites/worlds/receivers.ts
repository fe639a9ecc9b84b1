import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { startSmtpPeer } from './smtp-peer.ts'

/** A receiver of webhooks and a mail server in this process. Both keep what they got. */
export interface WorldReceivers {
  /** Bodies by the path of the hook. */
  readonly bodies: Map<string, string[]>
  /** Decoded mails by the address of the recipient. */
  readonly mails: Map<string, string[]>
  readonly hookUrl: (path: string) => string
  readonly smtpUrl: string
  readonly close: () => Promise<void>
}

export async function startWorldReceivers(): Promise<WorldReceivers> {
  const bodies = new Map<string, string[]>()
  const mails = new Map<string, string[]>()
  const receiver = createServer((incoming, answer) => {
    text(incoming)
      .then((body) => {
        keep(bodies, incoming.url ?? '', decodeBody(body))
        return answer.writeHead(204).end()
      })
      .catch(() => incoming.destroy())
  })
  const port = await new Promise<number>((resolve) => {
    receiver.listen(0, '127.0.0.1', () => resolve(portIn(receiver.address())))
  })
  const smtp = await startSmtpPeer((recipients, raw) => {
    for (const address of recipients) keep(mails, address, decodeMail(raw))
  })
  return {
    bodies,
    mails,
    hookUrl: (path) => `http://127.0.0.1:${port}${path}`,
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    close: async () => {
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
      await smtp.close()
    },
  }
}

export function decodeBody(body: string): string {
  return body.startsWith('payload=') ? decodeURIComponent(body.slice('payload='.length)) : body
}

/** Soft line breaks and folded headers could split a canary, and base64 hides it. */
function decodeMail(raw: string): string {
  const blocks = raw.match(/(?:[A-Za-z0-9+/]{60,}\r\n)+[A-Za-z0-9+/=]*/g) ?? []
  const decoded = blocks.map((block) => Buffer.from(block, 'base64').toString())
  return [raw.replaceAll(/=\r\n|\?=\r\n =\?UTF-8\?Q\?/g, ''), ...decoded].join('\n')
}

function keep(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

function portIn(address: unknown): number {
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0
}
