import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { type RequestOutcome, sendOutboundRequest } from './send-outbound-request.ts'

const { context } = await startWorld({ seedOnce: true })

type Respond = (request: IncomingMessage, response: ServerResponse) => void
let respond: Respond = (_, response) => response.end()
let requests: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += String(chunk)))
  request.on('end', () => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    respond(request, response)
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
const port = typeof address === 'object' && address ? address.port : 0
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
afterEach(() => {
  requests = []
  respond = (_, response) => response.end()
})

interface Network {
  readonly url?: string
  readonly addresses?: () => Promise<readonly string[]>
  readonly allowed?: readonly string[]
}

/** Sends to a name that resolves to these addresses. */
function send({ url, addresses, allowed = ['127.0.0.0/8'] }: Network = {}): Promise<RequestOutcome> {
  const settings = {
    ...context.settings,
    current: { ...context.settings.current, webhook_private_targets: [...allowed] },
  }
  const addressesOf = addresses ?? (async () => ['127.0.0.1'])
  return sendOutboundRequest({ ...context, settings, addressesOf }, url ?? `http://hooks.example.org:${port}/in?a=b`, {
    headers: { 'x-given': 'yes' },
    body: 'ä',
  })
}

const REFUSED = { status: null, error: 'refused_target', headers: null, body: null, isRefused: true }

describe('a request', () => {
  test('goes to the path and query of the address, with its host, length and given headers', async () => {
    respond = (_, response) => response.writeHead(202, { 'x-answer': 'here' }).end('taken\0')
    const outcome = await send()
    expect(outcome).toMatchObject({ status: 202, error: null, body: 'taken\uFFFD', isRefused: false })
    expect(outcome.headers?.['x-answer']).toBe('here')
    expect(outcome.duration_ms).toBeGreaterThanOrEqual(0)
    expect(outcome.duration_ms).toBeLessThan(10_000)
    expect(requests).toMatchObject([
      {
        line: 'POST /in?a=b',
        headers: {
          host: `hooks.example.org:${port}`,
          'content-length': '2',
          connection: 'keep-alive',
          'x-given': 'yes',
        },
        body: 'ä',
      },
    ])
  })

  test('goes to the first address if the system connects to one family only', async () => {
    const isDefault = getDefaultAutoSelectFamily()
    setDefaultAutoSelectFamily(false)
    try {
      expect(await send({ addresses: async () => ['127.0.0.1', '127.0.0.2'] })).toMatchObject({ status: 200 })
    } finally {
      setDefaultAutoSelectFamily(isDefault)
    }
    expect(requests).toHaveLength(1)
  })

  test.each<{ why: string } & Network>([
    { why: 'of another protocol', url: 'ftp://hooks.example.org/' },
    { why: 'that is no address', url: 'hooks' },
    { why: 'of a name without addresses', addresses: async () => [] },
    { why: 'of a name with a public and a private address', addresses: async () => ['127.0.0.1', '10.0.0.1'] },
    { why: 'of a name with a private and a public address', addresses: async () => ['10.0.0.1', '127.0.0.1'] },
    { why: 'that is not allowed', allowed: [] },
    { why: 'that is a private address itself', url: `http://127.0.0.1:${port}/`, allowed: [] },
  ])('to a target $why is refused', async (network) => {
    expect(await send(network)).toMatchObject(REFUSED)
    expect(requests).toEqual([])
  })

  test('to an address needs no look-up', async () => {
    const addresses = () => Promise.reject(new Error('It was looked up.'))
    expect(await send({ url: `http://127.0.0.1:${port}/`, addresses })).toMatchObject({ status: 200 })
  })
})

describe('a connection', () => {
  /** A receiver of its own, so that no connection of another test is left. */
  async function startReceiver(answer: Respond) {
    const ports: (number | undefined)[] = []
    const server = createServer((request, response) => {
      ports.push(request.socket.remotePort)
      request.resume().on('end', () => answer(request, response))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const bound = server.address()
    const url = `http://hooks.example.org:${typeof bound === 'object' && bound ? bound.port : 0}/`
    return { ports, send: (network: Network = {}) => send({ url, ...network }) }
  }

  test('is used again while the host has the same addresses, in any order', async () => {
    const to = await startReceiver((_, response) => response.end())
    for (const addresses of [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
    ])
      expect(await to.send({ addresses: async () => addresses })).toMatchObject({ status: 200 })
    expect([to.ports.length, new Set(to.ports).size]).toEqual([2, 1])
  })

  test('I39 is not used when the host has other addresses', async () => {
    const to = await startReceiver((_, response) => response.end())
    for (const addresses of [['127.0.0.1'], ['127.0.0.1', '127.0.0.2']])
      expect(await to.send({ addresses: async () => addresses })).toMatchObject({ status: 200 })
    expect(new Set(to.ports).size).toBe(2)
  })

  test('I39 to an address that is not allowed any more is not used', async () => {
    const to = await startReceiver((_, response) => response.end())
    expect(await to.send()).toMatchObject({ status: 200 })
    expect(await to.send({ allowed: [] })).toMatchObject(REFUSED)
    expect(to.ports).toHaveLength(1)
  })

  test('that the receiver closes when the next request arrives is replaced', async () => {
    const to = await startReceiver(({ socket }, response) => {
      const isUsed = to.ports.filter((each) => each === socket.remotePort).length > 1
      if (isUsed) socket.destroy()
      else response.end()
    })
    expect(await to.send()).toMatchObject({ status: 200 })
    expect(await to.send()).toMatchObject({ status: 200, error: null })
    expect([to.ports.length, new Set(to.ports).size]).toEqual([3, 2])
  })

  test('that is new and breaks is an error', async () => {
    const to = await startReceiver(({ socket }) => socket.destroy())
    expect(await to.send()).toMatchObject({ status: null, error: 'ECONNRESET' })
    expect(to.ports).toHaveLength(1)
  })
})

describe('a response', () => {
  test.each([
    { sent: 65_535, ends: true, kept: 65_535 },
    { sent: 65_536, ends: false, kept: 65_536 },
    { sent: 200_000, ends: false, kept: 65_536 },
  ])('of $sent bytes is kept up to $kept, without waiting for more', async ({ sent, ends, kept }) => {
    respond = (_, response) => {
      response.write('x'.repeat(sent))
      if (ends) response.end()
    }
    const { status, body, duration_ms } = await send()
    expect([status, body?.length]).toEqual([200, kept])
    expect(duration_ms).toBeLessThan(8000)
  })

  test('that breaks off has its status and its beginning', async () => {
    respond = (_, response) => {
      response.writeHead(500, { 'content-length': '100' })
      response.write('begun')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await send()).toMatchObject({ status: 500, error: null, body: 'begun' })
  })
})

describe('an error', () => {
  test('of the receiver that hangs up is its code', async () => {
    respond = (_, response) => response.destroy()
    expect(await send()).toMatchObject({ status: null, error: 'ECONNRESET', isRefused: false })
  })

  test.each([
    { from: ['127.0.0.1'], name: 'one address' },
    { from: ['127.0.0.1', '127.0.0.2'], name: 'several addresses' },
  ])('of $name that nothing listens on is its code', async ({ from }) => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const unused = free.address()
    await new Promise((resolve) => free.close(resolve))
    const url = `http://hooks.example.org:${typeof unused === 'object' && unused ? unused.port : 0}/`
    expect(await send({ url, addresses: async () => from })).toMatchObject({
      status: null,
      error: 'ECONNREFUSED',
      isRefused: false,
    })
  })

  test.each([
    { thrown: Object.assign(new Error('10.0.0.1'), { code: 'ENOTFOUND' }), error: 'ENOTFOUND' },
    { thrown: Object.assign(new Error('10.0.0.1'), { code: 7 }), error: 'network_error' },
    { thrown: new Error('10.0.0.1'), error: 'network_error' },
    { thrown: 'no error', error: 'network_error' },
    { thrown: { code: 'ENOTFOUND' }, error: 'network_error' },
  ])('of a look-up never names an address: $error', async ({ thrown, error }) => {
    expect(await send({ addresses: () => Promise.reject(thrown) })).toMatchObject({ status: null, error })
  })
})
