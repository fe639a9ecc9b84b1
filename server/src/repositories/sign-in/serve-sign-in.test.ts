import { mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wholeRequest } from '../../../test/suites/fuzz/fastcgi-requests.ts'
import { sendGarbage } from '../../../test/harness/send-garbage.ts'
import { MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { freePort } from '../../platform/operation/free-port.ts'
import { startSvnWorld } from '../../../test/peers/svn.ts'
import { readConfig } from '../../platform/operation/config.ts'
import { apacheConfig } from '../disk/apache-config.ts'
import { serveSignIn } from './serve-sign-in.ts'

const SECRET = 'the-shared-secret-of-apache-and-the-server'
const port = await freePort()
// Apache connects over TCP here; all other Subversion tests use the Unix socket.
const { api, context, root, startAnother, svn, svnOrigin } = await startSvnWorld({
  WAYPOST_SVN_SIGN_IN: `127.0.0.1:${port}`,
  WAYPOST_SVN_SIGN_IN_SECRET: SECRET,
})
const request = (more: Record<string, string> = {}) =>
  wholeRequest({
    SCRIPT_FILENAME: `dav_svn:${root}/repositories/orchard/core`,
    REMOTE_USER: TOM.login,
    REMOTE_PASSWD: PASSWORD,
    REMOTE_ADDR: '127.0.0.1',
    ...more,
  })

/** The status of the response; undefined if the connection was closed without one. */
function ask(where: { port: number } | { path: string }, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', ...where })
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(/Status: (\d+)/.exec(text)?.[1]))
    socket.write(bytes)
  })
}

beforeAll(async () => {
  const settings = { layout: ['trunk'] }
  await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core', settings } })
})

describe('over TCP', () => {
  test('V04 a sign-in without the shared secret gets no response, even with a correct password', async () => {
    expect(await ask({ port }, request())).toBeUndefined()
    expect(await ask({ port }, request({ WAYPOST_SIGN_IN_SECRET: `${SECRET}x` }))).toBeUndefined()
    expect(await ask({ port }, request({ HTTP_WAYPOST_SIGN_IN_SECRET: SECRET }))).toBeUndefined()
    expect(await ask({ port }, request({ WAYPOST_SIGN_IN_SECRET: SECRET }))).toBe('200')
  })

  test('Apache sends the secret, and only its user can read its configuration', async () => {
    expect((await svn(TOM, 'ls', `${svnOrigin}/svn/orchard/core`)).out).toBe('trunk/\n')
    expect((await stat(join(root, 'apache', 'httpd.conf'))).mode & 0o777).toBe(0o600)
  })

  test('V04 a port without a secret is refused at startup', () => {
    const given = { WAYPOST_DATABASE_URL: 'x', WAYPOST_SECRET_KEYS: SECRET, WAYPOST_SVN_SIGN_IN: '127.0.0.1:8082' }
    expect(() => readConfig(given)).toThrow('WAYPOST_SVN_SIGN_IN_SECRET is not set')
    expect(() => readConfig({ ...given, WAYPOST_SVN_SIGN_IN_SECRET: 'short' })).toThrow('needs 32')
    expect(readConfig({ ...given, WAYPOST_SVN_SIGN_IN_SECRET: SECRET }).WAYPOST_SVN_SIGN_IN).not.toBeNull()
  })
})

describe('V06 a socket error does not end the process', () => {
  test('of the sign-in', async () => {
    await sendGarbage({ port })
    expect(await ask({ port }, request({ WAYPOST_SIGN_IN_SECRET: SECRET }))).toBe('200')
  })

  test('of the hooks', async () => {
    const [socket = ''] = await readdir(join(root, 'sockets'))
    await sendGarbage({ path: join(root, 'sockets', socket) })
    const url = `${svnOrigin}/svn/orchard/core`
    expect((await svn(TOM, 'mkdir', '-m', 'After it.', `${url}/trunk/after`)).error).toBe('')
  })

  test('of HTTP', async () => {
    const { server, api: other } = await startAnother()
    await sendGarbage({ port: Number(new URL(other.origin).port) })
    server.server.emit('error', new Error('accept: too many open files'))
    expect((await other.get('/projects', { as: TOM })).status).toBe(200)
  })
})

describe('by default', () => {
  const config = { ...context.config, WAYPOST_SVN_SIGN_IN: null, WAYPOST_SVN_SIGN_IN_SECRET: null }
  const folder = join(root, 'sign-in')
  const path = join(folder, 'current')
  const serve = () => serveSignIn({ ...context, config })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('V05 Apache and the server use a Unix socket that other users cannot open', async () => {
    await mkdir(folder, { recursive: true })
    const serving = await serve()
    expect(apacheConfig('/x', config)).toContain(`fcgi://${path}:0/`)
    expect(await ask({ path }, request())).toBe('200')
    expect((await stat(path)).mode & 0o777).toBe(0o660)
    expect((await stat(folder)).mode & 0o007).toBe(0)
    await serving.close()
    expect(await readdir(folder)).toEqual([])
  })

  test('processes share the socket: one that ends hands it over, and a killed one is replaced', async () => {
    const [first, second] = [await serve(), await serve()]
    await second.close()
    expect(await ask({ path }, request())).toBe('200')
    // A killed process leaves its socket and the symlink.
    await rm(path)
    await symlink('killed.sock', path)
    const dead = createServer().listen(join(folder, 'killed.sock'))
    await new Promise((resolve) => dead.close(resolve))
    await expect.poll(() => ask({ path }, request())).toBe('200')
    expect(await readlink(path)).toMatch(/^[0-9a-f]{8}\.sock$/)
    await first.close()
  })
})
