import { once } from 'node:events'
import { createServer } from 'node:net'
import { freePort } from '../platform/operation/free-port.ts'
import { hasApache } from '../repositories/disk/start-apache.ts'

/**
 * The port of the server; the next one is for Apache, if there is one. `0` finds two that are free. Another program on a
 * port would answer in place of the server, so a port in use is refused.
 */
export async function choosePort(asked: number): Promise<number> {
  const port = asked === 0 ? await freePort() : asked
  for (const each of hasApache() ? [port, port + 1] : [port])
    if (!(await isFree(each))) {
      if (asked === 0) return choosePort(0)
      throw new Error(`Port ${each} is in use. Another one: npm run dev -- --port ${each + 10}`)
    }
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port)
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await once(server.close(), 'close')
  return isListening
}
