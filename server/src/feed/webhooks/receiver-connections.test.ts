import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { connect, createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { createReceiverConnections, type ReceiverConnections } from './receiver-connections.ts'
import { sendOutboundRequest } from './send-outbound-request.ts'

const { context: world } = await startWorld({ seedOnce: true })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Sends to a name of the loopback, which is allowed. */
function send(url: string, receiverConnections: ReceiverConnections = createReceiverConnections()) {
  const { settings } = world
  const current = { ...settings.current, webhook_private_targets: ['127.0.0.0/8'] }
  const addressesOf = async () => ['127.0.0.1']
  const context = { ...world, settings: { ...settings, current }, addressesOf, receiverConnections }
  return sendOutboundRequest(context, url, { headers: {}, body: '{}' })
}

describe('a connection', () => {
  test('has five seconds to be made, and its response may take longer', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const port = await listen(
      createServer((_, response) => {
        resolve()
        void answered.promise.then(() => response.end())
      }),
    )
    const sending = send(`http://hooks.example.org:${port}/`)
    await arrived
    vi.advanceTimersByTime(9999)
    answered.resolve()
    expect(await sending).toMatchObject({ status: 200, error: null })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('without a response ends after ten seconds', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const server = createServer(() => resolve())
    const port = await listen(server)
    const sending = send(`http://hooks.example.org:${port}/`)
    await arrived
    vi.advanceTimersByTime(10_000)
    expect(await sending).toMatchObject({ status: null, error: 'timeout' })
    server.closeAllConnections()
  })

  test('of TLS includes the handshake', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => resolve()) // The first message of the handshake has no answer.
      onTestFinished(() => void socket.destroy())
    })
    const port = await listen(server)
    const sending = send(`https://hooks.example.org:${port}/`)
    await arrived
    vi.advanceTimersByTime(4999)
    const early = await Promise.race([sending, new Promise((wake) => setImmediate(wake, 'waits'))])
    vi.advanceTimersByTime(1)
    expect([early, await sending]).toMatchObject(['waits', { status: null, error: 'connect_timeout' }])
  })
})

describe('an address without a port', () => {
  test.each([
    { protocol: 'http', port: 80 },
    { protocol: 'https', port: 443 },
  ])('is of port $port for $protocol', async ({ protocol, port }) => {
    const ports: unknown[] = []
    const refuse = ({ port: asked }: { port?: unknown }) => {
      ports.push(asked)
      return connect({ host: '127.0.0.1', port: 1 })
    }
    const plain = Object.assign(new Agent(), { createConnection: refuse })
    const tls = Object.assign(new TlsAgent(), { createConnection: refuse })
    expect(await send(`${protocol}://hooks.example.org/`, { plain, tls })).toMatchObject({ status: null })
    expect(ports.map(Number)).toEqual([port])
  })
})
