import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that no program uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  if (address === null || typeof address === 'string') throw new Error('This server has no port.')
  return address.port
}
