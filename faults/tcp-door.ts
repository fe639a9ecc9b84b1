import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** One address for whoever the primary is: what HAProxy does, for set-ups without it. */
export interface Door {
  readonly port: number
  /** Who comes now is led to that socket, and nobody stays with the one before; undefined: nobody is let in. */
  leadTo(socket: string | undefined): void
  close(): Promise<void>
}

export async function openDoor(): Promise<Door> {
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
    leadTo(socket) {
      target = socket
      for (const each of open) each.destroy()
    },
    async close() {
      for (const each of open) each.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
