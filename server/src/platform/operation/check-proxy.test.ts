import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, testConfig } from '../../../test/harness/start-world.ts'
import { freePort } from './free-port.ts'
import { proxy } from './check-proxy.ts'

const MODULES = '/usr/lib/apache2/modules'
const [trusting, distrusting] = [
  await startWorld({ seedOnce: true, environment: { WAYPOST_TRUSTED_PROXIES: '127.0.0.1' } }),
  await startWorld({ seedOnce: true }),
]

/** One virtual host per proxy configuration, so that one Apache is enough. */
const WAYS = {
  untrusted: { to: distrusting.api.origin, lines: ['ProxyPass "/metrics" "!"'] },
  open: { to: distrusting.api.origin, lines: [] },
  silent: {
    to: trusting.api.origin,
    lines: ['ProxyPass "/metrics" "!"', 'ProxyAddHeaders Off', 'RequestHeader unset X-Forwarded-For early'],
  },
  credulous: { to: trusting.api.origin, lines: ['ProxyPass "/metrics" "!"', 'ProxyAddHeaders Off'] },
  right: { to: trusting.api.origin, lines: ['ProxyPass "/metrics" "!"'] },
} as const
type Way = keyof typeof WAYS
const ports = new Map<string, number>()

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-proxy-'))
  for (const way of Object.keys(WAYS)) ports.set(way, await freePort())
  const modules = ['mpm_event', 'authz_core', 'headers', 'proxy', 'proxy_http']
  const config = [
    `ServerRoot ${folder}`,
    `DefaultRuntimeDir ${folder}`,
    'PidFile httpd.pid',
    'Mutex pthread',
    'ServerName localhost',
    'ErrorLog error.log',
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...Object.entries(WAYS).flatMap(([way, { to, lines }]) => [
      `Listen 127.0.0.1:${ports.get(way)}`,
      `<VirtualHost 127.0.0.1:${ports.get(way)}>`,
      ...lines,
      `ProxyPass "/" "${to}/"`,
      '</VirtualHost>',
    ]),
  ]
  const file = join(folder, 'httpd.conf')
  await writeFile(file, `${config.join('\n')}\n`)
  const apache = spawn('/usr/sbin/apache2', ['-d', folder, '-f', file, '-D', 'FOREGROUND'], { stdio: 'ignore' })
  const ended = once(apache, 'exit')
  afterAll(async () => {
    apache.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  })
  while (apache.exitCode === null && !(await fetch(addressOf('right')).catch(() => undefined))) await pause(25)
})

const addressOf = (way: Way) => `http://127.0.0.1:${ports.get(way)}/api`
const check = (publicUrl: string) =>
  proxy({
    config: testConfig({ WAYPOST_DATABASE_URL: 'postgresql://nobody@localhost/none', WAYPOST_PUBLIC_URL: publicUrl }),
  })
const checkBehind = (way: Way) => check(new URL(addressOf(way)).origin)

describe('the doctor', () => {
  test('B05 fails behind a proxy that is not trusted', async () => {
    expect(await checkBehind('untrusted')).toEqual({
      what: 'proxy',
      state: 'wrong',
      detail: '127.0.0.1 is a proxy and not in WAYPOST_TRUSTED_PROXIES: all clients count as one',
    })
  })

  test('B05/metrics fails if the proxy forwards the metrics', async () => {
    // All requests seem to come from the proxy on the loopback, which may read the metrics.
    expect(await checkBehind('open')).toMatchObject({
      state: 'wrong',
      detail: expect.stringContaining('/metrics can be read through the proxy'),
    })
  })

  test('B05/header fails if the proxy does not forward the client address', async () => {
    expect(await checkBehind('silent')).toMatchObject({
      state: 'wrong',
      detail: expect.stringContaining('the proxy does not send X-Forwarded-For'),
    })
  })

  test('B05/choice fails if clients can choose their address', async () => {
    expect(await checkBehind('credulous')).toMatchObject({
      state: 'wrong',
      detail: expect.stringContaining('anybody can choose their address'),
    })
  })

  test('accepts a trusted proxy, and a connection without a proxy', async () => {
    expect(await checkBehind('right')).toEqual({ what: 'proxy', state: 'ok', detail: '127.0.0.1, trusted' })
    expect(await check(trusting.api.origin)).toEqual({ what: 'proxy', state: 'ok', detail: 'none in front' })
  })

  test('reports that it could not check if the server does not respond, or another one does', async () => {
    expect(await check(`http://127.0.0.1:${await freePort()}`)).toMatchObject({ state: 'warning' })
  })

  test('B05/stranger is the only client that learns how a request arrived', async () => {
    for (const probe of ['1.2.3', `${Date.now()}.x.y`, '']) {
      const { headers } = await fetch(addressOf('right'), { headers: { 'x-waypost-probe': probe } })
      expect(headers.has('x-waypost-probed')).toBe(false)
    }
  })
})
