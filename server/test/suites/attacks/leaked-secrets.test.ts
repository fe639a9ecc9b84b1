import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { basic } from '../../harness/client.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { withAdministrator } from '../../../src/platform/database/local-postgres.ts'
import { inject } from 'vitest'
import { SAME_ORIGIN_HEADERS } from '../../harness/browser-requests.ts'
import { ADA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { seed } from '../../fixtures/seed.ts'
import { startServerProcess } from '../../harness/server-process.ts'
import { exchangeRaw } from './raw-socket.ts'

// A real process with full logging; all its output is searched.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
await seed(owner)
const server = await startServerProcess({
  WAYPOST_DATABASE_URL: database.appUrl,
  WAYPOST_LOG_LEVEL: 'trace',
  WAYPOST_ROLES: 'api,worker',
  WAYPOST_SMTP_URL: 'smtp://mailer:canary-smtp-password@127.0.0.1:9',
})
const { api } = server
afterAll(async () => {
  await server.stop('SIGKILL')
  await owner.destroy()
})

let count = 0
const SECRETS: string[] = [TOM.key.slice(-64), PASSWORD, 'canary-smtp-password', 'a-secret-key-of-the-tests']
/** A different secret per place, so that a hit names the place. */
function secret(place: string): string {
  const made = `canary-${place}-${++count}-f00d`
  SECRETS.push(made)
  return made
}

const answers: string[] = []
async function ask(...[method, path, options]: Parameters<typeof api.request>) {
  const { status, headers, text } = await api.request(method, path, { reader: TOM, ...options })
  answers.push(`${method} ${status} ${JSON.stringify(headers)} ${text}`)
  return { status, text }
}

test('A12/log a secret in a URL does not reach the log', async () => {
  for (const name of ['access_key', 'token', 'X-Auth-AccessKey', 'password', 'api_key', 'secret', 'unknown']) {
    const value = secret(`query-${name}`)
    const own = `${TOM.key.slice(0, -64)}${TOM.key.slice(-64)}`
    expect((await ask('GET', `/projects?${name}=${value}`)).status).toBe(400)
    expect((await ask('GET', `/users/self?${name}=${own}`)).status).toBe(400)
    await ask('GET', `/nothing?${name}=${value}`)
    await ask('GET', `/projects?limit=${value}`)
    await ask('GET', `/projects/%zz?${name}=${value}`)
  }
  for (const kind of ['tokens', 'password_resets', 'email_verifications', 'invitations'])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      await ask(method, `/${kind}/${secret(`path-${kind}`)}`, { as: TOM })
      await ask(method, `/v1/${kind.toUpperCase()}/${secret(`path-${kind}`)}.json`)
      await ask(method, `/${kind}/${secret(`path-${kind}`)}/more`)
    }
  await expectSilence()
})

test('the log has the request_id of every refusal, also of input that is hardly HTTP', async () => {
  const HEAD = 'GET /api/projects HTTP/1.1\r\nHost: waypost.example\r\n'
  for (const bytes of [
    'GET /api/%zz HTTP/1.1\r\nHost: waypost.example\r\nConnection: close\r\n\r\n',
    'GET /api/projects HTTP/1.1\r\n\r\n',
    `${HEAD}Expect: weird\r\nConnection: close\r\n\r\n`,
    `${HEAD}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
    'no request at all\r\n\r\n',
    `${HEAD}bad name: x\r\n\r\n`,
    `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  ]) {
    const { answers: received } = await exchangeRaw(api.origin, bytes)
    const [answer] = received
    expect(answer?.status, bytes.slice(0, 80)).toBeGreaterThanOrEqual(400)
    const { error } = JSON.parse(answer?.text ?? '{}')
    await expect.poll(() => server.output()).toContain(`"request_id":"${error.request_id}"`)
  }
})

test('A19 a secret in any request is in no log, no metric and no response', async () => {
  await provoke()
  await ask('POST', '/password_resets', { body: { login: TOM.login } }) // A mail that cannot be sent.
  await breakDatabase(provoke)
  await expect.poll(() => server.output()).toContain('"level":50')
  await expectSilence()
})

test('I26/log every request is one line of the log, with any content', async () => {
  const breaks = '%0a{"level":50,"msg":"forged"}%0d%0a'
  const before = server.output().length
  await ask('GET', `/nothing${breaks}`)
  await ask('GET', `/projects?a=${breaks}`)
  await exchangeRaw(api.origin, `GET /api/\x1b[31m\x07 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await ask('GET', '/projects', { headers: { 'x-request-id': 'a"b\\', 'user-agent': '{"level":50}' } })
  // The log is written asynchronously, in order: wait for the line of the last request.
  const last = await ask('GET', '/users/self', { as: TOM, headers: { 'x-request-id': 'last-of-the-lines' } })
  expect(last.status).toBe(200)
  await expect.poll(() => server.output().slice(before)).toMatch(/last-of-the-lines.*\n/)
  const lines = server.output().slice(before).split('\n').filter(Boolean)
  expect(lines.length).toBeGreaterThanOrEqual(3)
  for (const line of lines) {
    expect(JSON.parse(line).msg).not.toBe('forged')
    // oxlint-disable-next-line no-control-regex -- a terminal would obey them
    expect(line).not.toMatch(/[\x00-\x1f\x7f]/)
  }
})

/** Secrets in every place, valid and invalid, with every kind of error. */
async function provoke(): Promise<void> {
  const body = () => ({
    username: TOM.login,
    password: secret('body'),
    new_password: secret('body'),
    current_password: secret('body'),
  })
  for (const path of ['/tokens', '/session', '/registrations', '/access_keys', '/nothing', '/users'])
    for (const content of [
      body(),
      `{"password":"${secret('broken')}"`,
      `{"password":"${secret('twice')}","password":1}`,
      [body()],
    ])
      await ask('POST', path, { headers: SAME_ORIGIN_HEADERS, body: content })
  await ask('POST', '/tokens', { body: { username: TOM.login, password: PASSWORD } })
  await ask('POST', '/tokens', { body: { username: secret('login'), password: PASSWORD } })
  await ask('PUT', '/users/self/password', { as: TOM, body: body() })
  await ask('PUT', '/users/self/password', {
    as: TOM,
    headers: { 'content-type': 'application/xml' },
    body: `<a>${secret('xml')}`,
  })
  await ask('PATCH', '/settings', {
    as: ADA,
    body: { password: secret('member'), [secret('name-of-member')]: 1 },
  }).then(dropNames)
  for (const [name, value] of [
    ['x-auth-accesskey', secret('key')],
    ['x-auth-accesskey', `${TOM.key.slice(0, -8)}deadbeef`],
    ['authorization', `Bearer ${secret('bearer')}`],
    ['authorization', String(basic(TOM, secret('basic')).authorization)],
    ['authorization', String(basic(TOM).authorization)],
    ['authorization', `Digest ${secret('digest')}`],
    ['cookie', `__Host-waypost=${secret('cookie')}; other=${secret('other-cookie')}`],
    ['x-auth-token', secret('token')],
    ['idempotency-key', secret('idempotency').padEnd(200, 'x')],
    ['if-match', secret('tag')],
    ['x-anything', secret('header').repeat(1000)],
  ] as const)
    for (const method of ['GET', 'POST', 'PATCH'])
      await ask(method, '/users/self', {
        headers: { ...SAME_ORIGIN_HEADERS, [name]: value },
        ...(method !== 'GET' && { body: body() }),
      })
  await exchangeRaw(api.origin, `GET /api/projects HTTP/1.1\r\nHost: x\r\nX-Secret ${secret('no-http')}\r\n\r\n`, 100)
  await exchangeRaw(api.origin, `${secret('first-line')} HTTP/9\r\n\r\n`, 100)
}

/** An error may repeat a member name; those are not used for secrets. */
function dropNames(): void {
  const names = SECRETS.filter((each) => each.startsWith('canary-name-of-member'))
  for (const name of names) SECRETS.splice(SECRETS.indexOf(name), 1)
}

/** Makes statements fail while `work` runs, because errors are logged with details. */
async function breakDatabase(work: () => Promise<void>): Promise<void> {
  const alter = (statement: string) =>
    withAdministrator({ host: inject('cluster'), database: database.name }, (administrator) =>
      administrator.query(statement),
    )
  await alter('alter table account rename to account_away')
  try {
    await work()
  } finally {
    await alter('alter table account_away rename to account')
  }
  expect(answers.some((answer) => answer.includes(' 500 '))).toBe(true)
}

async function expectSilence(): Promise<void> {
  const { text: metrics } = await api.get('/metrics')
  expect(metrics).toContain('waypost_http_request_duration_seconds')
  expect(server.output().length).toBeGreaterThan(1000)
  const places = { log: server.output(), metrics, answers: answers.join('\n') }
  const hits = Object.entries(places).flatMap(([place, text]) =>
    SECRETS.flatMap((each) => [each, Buffer.from(each).toString('base64').slice(0, -4), encodeURIComponent(each)])
      .filter((each) => text.includes(each))
      .map((each) => `${place}: ${text.slice(Math.max(0, text.indexOf(each) - 200), text.indexOf(each) + 100)}`),
  )
  expect(hits).toEqual([])
}
