import { once } from 'node:events'
import { createServer } from 'node:net'
import { hasApache } from '../repositories/disk/start-apache.ts'

/**
 * The port of the server; the next one is for Apache, if there is one. `0` finds two that are free. Another program on a
 * port would answer in place of the server, so a port in use is refused.
 */
export async function choosePort(asked: number): Promise<number> {
  const port = asked === 0 ? ((await listenBriefly(0)) ?? 0) : asked
  for (const each of hasApache() ? [port, port + 1] : [port])
    if ((await listenBriefly(each)) === undefined) {
      if (asked === 0) return choosePort(0)
      throw new Error(`Port ${each} is in use. Another one: npm run dev -- --port ${each + 10}`)
    }
  return port
}

/** The port that was free; undefined: it is in use. `0` takes any. */
async function listenBriefly(port: number): Promise<number | undefined> {
  const probe = createServer().listen(port)
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  const address = probe.address()
  if (!isListening || address === null || typeof address === 'string') return undefined
  probe.close()
  await once(probe, 'close')
  return address.port
}
