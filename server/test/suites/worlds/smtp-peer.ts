import { createServer, type Socket } from 'node:net'

export interface SmtpPeer {
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * A mail server that accepts every mail. The package `smtp-server` waits 100 ms before each greeting, which is longer
 * than everything else that a mail takes.
 */
export async function startSmtpPeer(take: (recipients: readonly string[], raw: string) => void): Promise<SmtpPeer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    converse(socket, take)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const END_OF_DATA = '\r\n.\r\n'

function converse(socket: Socket, take: (recipients: readonly string[], raw: string) => void): void {
  let [received, isData] = ['', false]
  let recipients: string[] = []
  const answer = (line: string) => socket.write(`${line}\r\n`)
  const obey = (command: string) => {
    const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(command) ?? []
    if (recipient !== undefined) recipients.push(recipient)
    isData = /^DATA/i.test(command)
    if (isData) answer('354 Send the mail.')
    else if (/^QUIT/i.test(command)) socket.end('221 Closing.\r\n')
    else answer('250 Accepted.')
  }
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    for (;;) {
      const end = received.indexOf(isData ? END_OF_DATA : '\r\n')
      if (end < 0) return
      const part = received.slice(0, end)
      received = received.slice(end + (isData ? END_OF_DATA.length : 2))
      if (!isData) obey(part)
      else {
        take(recipients, part)
        recipients = []
        isData = false
        answer('250 Accepted.')
      }
    }
  })
  answer('220 worlds ESMTP')
}
