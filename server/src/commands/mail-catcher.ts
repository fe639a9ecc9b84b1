import { once } from 'node:events'
import { writeFile } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

interface MailCatcher {
  /** For WAYPOST_SMTP_URL. */
  readonly url: string
  stop(): Promise<void>
}

/** A mail server that stores every mail as a file, for development. */
export async function startMailCatcher(folder: string): Promise<MailCatcher> {
  await mkdir(folder, { recursive: true })
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address.replaceAll(/[^\w.@-]/g, '_')).join(',')
        const name = `${String(Date.now())}-${++count}-${to}.eml`
        writeFile(join(folder, name), Buffer.concat(chunks), { mode: 0o600 }, done)
      })
    },
  })
  // Connection errors are emitted here; without a listener they would end the process.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
