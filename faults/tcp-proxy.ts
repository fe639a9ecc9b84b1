import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One address for the current primary, as HAProxy provides it in the Patroni set-up. */
export interface TcpProxy {
  readonly port: number
  /** Routes new connections to that socket and closes the existing ones; undefined refuses connections. */
  forwardTo(socket: string | undefined): void
  close(): Promise<void>
}

export async function startTcpProxy(): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let target: string | undefined
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    keep(client)
    if (target === undefined) {
      client.destroy()
      return
    }
    const primary = keep(connect(target))
    client.on('close', () => primary.destroy())
    primary.on('close', () => client.destroy())
    client.pipe(primary).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    forwardTo(socket) {
      target = socket
      for (const each of open) each.destroy()
    },
    async close() {
      for (const each of open) each.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
