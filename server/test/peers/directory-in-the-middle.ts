import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** The ways in which a person in the middle treats a connection to a directory. */
type Interference =
  | 'pass'
  /** StartTLS is answered with a refusal. */
  | 'refuse_starttls'
  /** StartTLS is granted, with the beginning of a further answer behind it. */
  | 'inject'
  /** Entries without an end. */
  | 'endless'

export interface DirectoryInTheMiddle {
  readonly port: number
  /** The connections so far. */
  readonly connections: () => number
  /** All bytes of clients so far, as they came. */
  readonly received: () => Buffer
}

/** An answer to StartTLS with the message id 1 and this result code. */
const startTlsAnswer = (code: number) => Buffer.from([0x30, 12, 2, 1, 1, 0x78, 7, 10, 1, code, 4, 0, 4, 0])
/** A successful bind with the message id 2, whose last text is still to come: the next protected bytes would end it. */
const UNFINISHED_SUCCESS = Buffer.from([0x30, 112, 2, 1, 2, 0x61, 107, 10, 1, 0, 4, 0, 4, 100])
/** An entry with a name of 60,000 bytes, for the message id 2. */
const ENTRY = (() => {
  const name = Buffer.alloc(60_000, 'a')
  const header = (tag: number, length: number) => Buffer.from([tag, 0x82, length >> 8, length & 255])
  const inner = Buffer.concat([header(4, name.length), name, Buffer.from([0x30, 0])])
  const entry = Buffer.concat([Buffer.from([2, 1, 2]), header(0x64, inner.length), inner])
  return Buffer.concat([header(0x30, entry.length), entry])
})()

/** Listens on the loopback, and passes bytes to a directory unless it interferes. */
export async function standInTheMiddle(target: string, interference: Interference): Promise<DirectoryInTheMiddle> {
  const { hostname, port: targetPort } = new URL(target)
  const open = new Set<Socket>()
  const chunks: Buffer[] = []
  let connections = 0
  const server = createServer((client) => {
    connections++
    open.add(client)
    client.on('error', () => {}).on('data', (chunk) => chunks.push(chunk))
    if (interference === 'refuse_starttls') client.once('data', () => client.write(startTlsAnswer(52)))
    else if (interference === 'inject')
      client.once('data', () => client.write(Buffer.concat([startTlsAnswer(0), UNFINISHED_SUCCESS])))
    else if (interference === 'endless') client.once('data', () => sendForEver(client))
    else {
      const directory = connect({ host: hostname, port: Number(targetPort) })
      open.add(directory)
      directory.on('error', () => client.destroy())
      client.pipe(directory).pipe(client)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('This server has no port.')
  return { port: address.port, connections: () => connections, received: () => Buffer.concat(chunks) }
}

function sendForEver(client: Socket): void {
  const send = () => {
    while (!client.destroyed && client.write(ENTRY));
  }
  client.on('drain', send)
  send()
}
