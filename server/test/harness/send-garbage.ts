import { connect } from 'node:net'

/** Sends bytes of no known protocol, and disconnects at once. */
export async function sendGarbage(where: { port: number } | { path: string }): Promise<void> {
  const all = Array.from({ length: 20 }, (_, at) => {
    const socket = connect({ host: '127.0.0.1', ...where })
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('error', () => {}).on('close', () => resolve())
    socket.on('connect', () => {
      socket.write(Buffer.alloc(1 + 500 * at, 0x80 + at))
      if (at % 2 === 0 && 'port' in where) socket.resetAndDestroy()
      else socket.end()
    })
    socket.resume()
    setTimeout(() => socket.destroy(), 2000).unref()
    return promise
  })
  await Promise.all(all)
}
