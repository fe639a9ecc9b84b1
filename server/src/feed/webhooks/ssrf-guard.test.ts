import { createServer } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { BUGS } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { allowLoopback, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import { createTargetCheck } from '../../platform/http/ssrf-guard.ts'

const { api, context } = await startWorld({ seedOnce: true })
const receiver = await startReceiver()

// Must never be reached: counts connections.
let callers = 0
const canary = createServer((socket) => {
  callers++
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(canary, 'listening')
const address = canary.address()
const port = typeof address === 'object' && address ? address.port : 0
afterAll(() => new Promise((resolve) => canary.close(resolve)))
beforeEach(async () => {
  callers = 0
  withNames({})
  await context.db.deleteFrom('webhook').execute()
  await sql`update setting set chosen = '{}', version = version + 1`.execute(context.db)
})

const make = (url: string, body: object = {}) =>
  api.post(`/trackers/${BUGS}/webhooks`, { as: MARA, body: { url, ...body } })

async function report(): Promise<void> {
  const body = { tracker: { id: BUGS }, values_by_field: { summary: { value: 'It leaks' } } }
  await api.post('/artifacts', { as: TOM, body })
}

/** Stores an address that the API would refuse, as if it had been saved before it was forbidden. */
async function smuggle(url: string): Promise<number> {
  const { json } = await make('https://93.184.215.14/in')
  await context.db.updateTable('webhook').set({ url }).where('id', '=', json.id).execute()
  return json.id
}

const HOSTILE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST:8080/',
  'http://waypost.localhost/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[ff02::1]/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://printer/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://mara@hooks.waypost.example/',
  'http://mara:secret@hooks.waypost.example/',
  'http://hooks.waypost.example:5432/',
  'http://hooks.waypost.example:22/',
  'http://hooks.waypost.example:25/',
  'file:///etc/passwd',
  'gopher://hooks.waypost.example/',
  'ftp://hooks.waypost.example/',
  'javascript:alert(1)',
]

test.each(HOSTILE)('I30 %s is refused when it is saved', async (url) => {
  const { status, json } = await make(url)
  expect([status, json.error.reason, json.error.details.cause]).toEqual([400, 'parameter_not_allowed', 'target'])
})

test('I30 the same addresses are refused when connecting, and nothing is sent', async () => {
  const local = HOSTILE.map((url) => url.replace(/^(http:\/\/[^/:]*(?:\[[^\]]*\])?)(?::\d+)?\//, `$1:${port}/`))
  for (const [at, url] of local.entries()) {
    await smuggle(url)
    if (at % 20 < 19 && at < local.length - 1) continue
    await report()
    await drainWorker(context)
    const states = await context.db.selectFrom('webhook_delivery').select(['state', 'error', 'status']).execute()
    expect(states.length).toBeGreaterThan(0)
    // A name that does not resolve is retried, because it may exist later.
    for (const each of states) expect(['refused_target', 'ENOTFOUND']).toContain(each.error)
    await context.db.deleteFrom('webhook').execute()
  }
  expect(callers).toBe(0)
})

test.each(['', '  ', 'hooks.waypost.example', 'http://', '//hooks.waypost.example/'])(
  '%j is not a valid address',
  async (url) => {
    expect(await make(url)).toMatchObject({ status: 400 })
  },
)

test('names are resolved when a hook is saved; an unknown name is accepted', async () => {
  expect(await make('https://hooks.waypost.example/in')).toMatchObject({ status: 201 })
  withNames({ 'hooks.waypost.example': [['10.1.2.3']] })
  expect(await make('https://hooks.waypost.example/in')).toMatchObject({ status: 400 })
  withNames({ 'hooks.waypost.example': [['93.184.215.14', '::1']] })
  expect(await make('https://hooks.waypost.example/in')).toMatchObject({ status: 400 })
  withNames({ 'hooks.waypost.example': [['93.184.215.14']] })
  expect(await make('https://hooks.waypost.example/in')).toMatchObject({ status: 201 })
})

test.each([
  ['resolves to a private address the next time', [['93.184.215.14'], ['127.0.0.1'], ['127.0.0.1']]],
  [
    'resolves to a public and a private address',
    [['93.184.215.14'], ['93.184.215.14', '127.0.0.1'], ['93.184.215.14', '127.0.0.1']],
  ],
  ['resolves to an IPv4-mapped private address', [['93.184.215.14'], ['::ffff:7f00:1'], ['::ffff:7f00:1']]],
])('I31 a name that %s is refused when connecting', async (_, answers) => {
  withNames({ 'hooks.waypost.example': answers })
  const { status, json } = await make(`http://hooks.waypost.example:${port}/in`)
  expect(status).toBe(201)
  await report()
  await drainWorker(context)
  const { json: log } = await api.get(`/webhooks/${json.id}/deliveries`, { as: MARA })
  expect(log).toMatchObject([{ state: 'failed', status: null, error: 'refused_target' }])
  expect(callers).toBe(0)
})

test('the connection goes to the checked address, without a second DNS lookup', async () => {
  await allowLoopback(api)
  let asked = 0
  Object.defineProperty(context, 'addressesOf', {
    configurable: true,
    value: async () => {
      asked++
      return asked <= 2 ? ['127.0.0.1'] : ['127.0.0.2']
    },
  })
  await make(`http://hooks.waypost.example:${receiver.port}/in`)
  await report()
  await drainWorker(context)
  const [request] = await receiver.received()
  expect(request?.headers['host']).toBe(`hooks.waypost.example:${receiver.port}`)
  expect(asked).toBe(2)
})

test('I32 a redirect is not followed', async () => {
  await allowLoopback(api)
  const { json } = await make(receiver.url(`/redirect?to=${encodeURIComponent(`http://127.0.0.1:${port}/`)}`))
  await report()
  await drainWorker(context)
  expect((await api.get(`/webhooks/${json.id}/deliveries`, { as: MARA })).json).toMatchObject([
    { state: 'failed', status: 302 },
  ])
  expect(callers).toBe(0)
})

test('I32 an endless response is cut at 64 KiB, and a slow or missing one ends after 10 seconds', async () => {
  await allowLoopback(api)
  const hooks: number[] = []
  for (const path of ['/endless', '/drip', '/silent', '/']) hooks.push((await make(receiver.url(path))).json.id)
  await report()
  const working = drainWorker(context)
  // The receiver that answers does not wait for the others.
  await expect
    .poll(async () => (await api.get(`/webhooks/${hooks[3]}/deliveries`, { as: MARA })).json[0]?.state, {
      timeout: 8000,
    })
    .toBe('delivered')
  await working
  const logs = await Promise.all(
    hooks.map(async (id) => {
      const { json } = await api.get(`/webhooks/${id}/deliveries`, { as: MARA })
      return (await api.get(`/webhooks/${id}/deliveries/${json[0].id}`, { as: MARA })).json
    }),
  )
  expect(logs).toMatchObject([
    { state: 'delivered' },
    { state: 'delivered' },
    { state: 'retrying', error: 'timeout' },
    {},
  ])
  expect(logs[0].answer.body).toHaveLength(65_536)
  for (const { duration_ms } of logs) expect(duration_ms).toBeLessThan(15_000)
})

test('only networks that the platform allows may be reached', async () => {
  await api.patch('/settings', { as: ADA, body: { webhook_private_targets: ['10.1.0.0/16', 'fd00:1::/32'] } })
  for (const url of ['http://10.1.2.3/', 'http://[::ffff:10.1.2.3]/', 'http://[fd00:1::5]/'])
    expect([url, (await make(url)).status]).toEqual([url, 201])
  for (const url of ['http://10.2.2.3/', 'http://[fd00:2::5]/', 'http://127.0.0.1/'])
    expect([url, (await make(url)).status]).toEqual([url, 400])
})

describe('addresses', () => {
  const mayReach = createTargetCheck([])
  test.each(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:1.1.1.1'])(
    '%s may be reached',
    (one) => expect(mayReach(one)).toBe(true),
  )
  test.each(['', 'name', '127.0.0.1', '::1', '::', 'fe80::1%eth0', '3fff::1', '2001:db8::1', '1::', '::ffff:0:0'])(
    '%j may not be reached',
    (one) => expect(mayReach(one)).toBe(false),
  )
})

/** Stubs DNS: successive answers by name; the last one repeats. */
function withNames(names: Record<string, string[][]>): void {
  Object.defineProperty(context, 'addressesOf', {
    configurable: true,
    value: async (name: string) => {
      if (/(?:^|\.)localhost$/i.test(name)) return ['127.0.0.1', '::1']
      const [next, ...rest] = names[name] ?? []
      if (!next) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
      if (rest.length > 0) names[name] = rest
      return next
    },
  })
}
