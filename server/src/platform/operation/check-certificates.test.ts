import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { testConfig } from '../../../test/harness/start-world.ts'
import { certificates, judgeHost } from './check-certificates.ts'

const DAY_MS = 86_400_000
const folder = await mkdtemp(join(tmpdir(), 'waypost-certificates-'))
afterAll(() => rm(folder, { recursive: true }))

/** A server with a certificate of its own for `localhost`. */
async function serveFor(days: number): Promise<number> {
  const [key, cert] = [join(folder, `${days}.key`), join(folder, `${days}.pem`)]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', String(days)]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await promisify(execFile)('openssl', [...made, '-keyout', key, '-out', cert, ...subject])
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (socket) => socket.end())
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
const [long, short] = [await serveFor(90), await serveFor(5)]
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

test('a certificate that has expired, or is for another name, is wrong', async () => {
  expect(await judgeHost(`localhost:${long}`, inDays(91))).toEqual({
    state: 'wrong',
    detail: expect.stringMatching(/^localhost:\d+: expired on /),
  })
  expect(await judgeHost(`127.0.0.1:${long}`, new Date())).toEqual({
    state: 'wrong',
    detail: expect.stringContaining('127.0.0.1'),
  })
  expect(await judgeHost(`localhost:${long}`, inDays(-2))).toMatchObject({ state: 'wrong' })
})

test('one that ends soon, or that this machine cannot verify, is a warning', async () => {
  expect((await judgeHost(`localhost:${short}`, new Date())).detail).toMatch(/expires in [45] days$/)
  expect(await judgeHost(`localhost:${long}`, new Date())).toEqual({
    state: 'warning',
    detail: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  })
})

test('all https addresses of the installation are checked', async () => {
  const check = (more: Record<string, string>) =>
    certificates({ config: testConfig({ WAYPOST_DATABASE_URL: 'postgresql:///none', ...more }) })
  expect(await check({ WAYPOST_PUBLIC_URL: 'http://localhost' })).toEqual({
    what: 'certificates',
    state: 'ok',
    detail: 'no https address',
  })
  const found = await check({
    WAYPOST_PUBLIC_URL: `https://localhost:${await freePort()}`,
    WAYPOST_FILES_URL: `https://127.0.0.1:${long}`,
    WAYPOST_SVN_URL: `https://localhost:${short}/svn`,
  })
  expect(found.state).toBe('wrong')
  expect(found.detail).toMatch(/cannot be reached from here.*; 127\.0\.0\.1.*; localhost:\d+: expires in/)
})
