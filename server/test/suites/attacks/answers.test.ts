import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { EXPLORER } from '../../../src/platform/openapi/explorer.ts'
import { startWorld } from '../../harness/start-world.ts'
import { signInWithCookie } from '../../harness/browser-requests.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../fixtures/people.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { checkAnswer } from './attack.ts'
import { targetAddress, clearSignInFailures, usualOptions, targetPath, TARGETS } from './inputs.ts'
import { exchangeRaw } from './raw-socket.ts'

const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)

const visit = async (path: string, headers = '') => {
  const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`
  const { answers } = await exchangeRaw(api.origin, bytes)
  return answers[0] ?? { status: 0, headers: {}, text: '' }
}

const HSTS = 'max-age=63072000; includeSubDomains'
/** Refused before the hook that sets HSTS (docs/asvs.md, 3.4.1). */
const UNREADABLE = '/api/projects/%zz'

/** Every kind of response: success, error, unknown route, pages, and malformed requests. */
const OTHERS = [
  '/api/nothing',
  '/nothing',
  '/',
  '/api',
  UNREADABLE,
  '/api/projects/x',
  '/healthz',
  '/readyz',
  '/metrics',
  `/users/tom`,
  `/users/nobody`,
  '/users/tom/avatar.png',
  '/goto?key=art&val=1',
  '/goto',
  '/api/projects?limit=x',
  ...EXPLORER.map(({ path }) => `/api${path}`),
]

describe('every response', () => {
  /** A body has a type, and text declares UTF-8; SVG is XML, which is UTF-8 by default. */
  const checkType = (type: unknown, text: string, where: string) => {
    if (text !== '') expect(type, where).toMatch(/^image\/(?:png|svg\+xml)$|; charset=utf-8$/)
  }
  const checkPolicy = (policy: unknown, where: string) => {
    expect(policy, where).toEqual(expect.stringContaining("default-src 'none'"))
    expect(policy, where).toEqual(expect.stringContaining("base-uri 'none'"))
    expect(policy, where).toEqual(expect.stringContaining("frame-ancestors 'none'"))
    expect(policy, where).not.toMatch(/unsafe-inline|unsafe-eval|\*|data:(?!;|$)|https?:/)
  }

  test.each(sampleTenth(TARGETS, 'C11'))('C11 of $name has a CSP that allows nothing', async (target) => {
    await clearSignInFailures(context, target)
    const right = await api.request(target.route.method, targetAddress(target), usualOptions(target))
    const wrong = await api.request(target.route.method, targetPath(target), { headers: { accept: 'image/png' } })
    const anonymous = await api.request(target.route.method, targetPath(target))
    const options = await api.request('OPTIONS', targetPath(target))
    for (const { headers, status, text } of [right, wrong, anonymous, options]) {
      checkPolicy(headers['content-security-policy'], `${target.name} ${status}`)
      checkType(headers['content-type'], text, `${target.name} ${status}`)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
      expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'strict-transport-security': HSTS })
      expect(headers['content-type'] ?? '').not.toMatch(/html|svg|javascript/)
    }
  })

  test.each(OTHERS)('C11/other also of %s', async (path) => {
    for (const key of ['', `X-Auth-AccessKey: ${TOM.key}\r\n`]) {
      const answer = await visit(path, key)
      checkAnswer(answer, path, path)
      checkPolicy(answer.headers['content-security-policy'], `${path} ${answer.status}`)
      checkType(answer.headers['content-type'], answer.text, `${path} ${answer.status}`)
      expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(answer.headers['strict-transport-security']).toBe(path === UNREADABLE ? undefined : HSTS)
    }
  })

  test.each(OTHERS)('C10 of %s cannot be framed, and has no opener of another site', async (path) => {
    const { headers } = await visit(path, `X-Auth-AccessKey: ${TOM.key}\r\n`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test.each(sampleTenth(TARGETS, 'C12'))('C12 of $name is not cached by intermediaries', async (target) => {
    await clearSignInFailures(context, target)
    const right = await api.request(target.route.method, targetAddress(target), usualOptions(target))
    const anonymous = await api.request(target.route.method, targetPath(target))
    const unknown = await api.request(target.route.method, targetPath(target, { state: 'T7' }), { as: OLGA })
    for (const { headers, status } of [right, anonymous, unknown]) {
      expect(headers['cache-control'], `${target.name} ${status}`).toBe('no-store')
      expect(headers.vary).toBe('Accept')
    }
    const unchanged = await api.get(targetPath(target), { as: ADA, headers: { 'if-none-match': '"x"' } })
    expect(['no-store', 'private, no-cache']).toContain(unchanged.headers['cache-control'])
  })

  test.each(OTHERS)('C12/other also of %s, unless it is the same for all callers', async (path) => {
    const [cache, type] = await visit(path, `X-Auth-AccessKey: ${TOM.key}\r\n`).then(({ headers }) => [
      headers['cache-control'],
      headers['content-type'],
    ])
    const allowed = /\/explorer|\/openapi\.json/.test(path)
      ? ['no-cache', 'no-store']
      : ['no-store', ...(type === 'image/png' ? ['private, max-age=86400'] : [])]
    expect(allowed).toContain(cache)
  })
})

describe('an export', () => {
  /** A guard in front, and another one after each cell separator (R09). */
  const guarded = (text: string) => `'${text.replace(/(?<=[\t\r])(?==)/, "'")}`.replaceAll('"', '""')

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.example";"x")'])(
    'C08 neutralizes a cell that a spreadsheet would evaluate: %j',
    async (label) => {
      await sql`update project set label = ${label} where id = ${ORCHARD}`.execute(context.db)
      await api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: `=${label}` } })
      for (const separator of ['comma', 'semicolon', 'tab']) {
        const { status, text } = await api.get(`/audit.csv?separator=${separator}`, { as: ADA })
        expect(status).toBe(200)
        expect(text).toContain(guarded(label))
        const between = { comma: ',', semicolon: ';' }[separator] ?? '\t'
        expect(text).not.toContain(`${between}${label}`)
        expect(text).not.toContain(`${between}"${label.replaceAll('"', '""')}`)
      }
      await sql`update project set label = 'Orchard' where id = ${ORCHARD}`.execute(context.db)
    },
  )

  test('C08/artifacts neutralizes user text in artifacts', async () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.example";"x")']
    for (const value of texts) {
      const values_by_field = { summary: { value: 'Harmless' }, details: { value, format: 'text' } }
      const { status } = await api.post('/artifacts', { as: TOM, body: { tracker: { id: BUGS }, values_by_field } })
      expect(status).toBe(201)
    }
    const { text } = await api.get(`/trackers/${BUGS}/artifacts.csv?fields=values.details`, { as: TOM })
    for (const value of texts) expect(text).toMatch(new RegExp(`^"?${RegExp.escape(guarded(value))}`, 'm'))
    for (const cell of text.split('\r\n').slice(1)) expect(cell).not.toMatch(/^"?[=+\-@\t\r]/)
  })
})

describe('behind a caching proxy', () => {
  const kept = new Map<string, string>()
  const proxy = createServer((incoming, outgoing) => {
    const found = kept.get(incoming.url ?? '')
    if (found !== undefined) {
      outgoing.end(found)
      return
    }
    const forwarded = request(`${api.origin}${incoming.url}`, { headers: incoming.headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => {
        const { 'cache-control': control = '', vary = '' } = answer.headers
        const mayKeep = !/no-store|private/.test(control) && !vary.includes('*')
        if (mayKeep) kept.set(incoming.url ?? '', text)
        outgoing.end(text)
      })
    })
    forwarded.end()
  }).listen(0, '127.0.0.1')
  afterAll(() => void proxy.close())

  test('C12/proxy no caller gets the cached response of another', async () => {
    if (!proxy.listening) await once(proxy, 'listening')
    const address = proxy.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const ask = async (path: string, headers: Record<string, string>) =>
      (await fetch(origin + path, { headers })).text()
    const { cookie, ...page } = await signInWithCookie(api, MARA)
    const key = (person: TestPerson) => ({ 'x-auth-accesskey': person.key })
    const pageHeaders = Object.fromEntries(Object.entries(page).map(([name, value]) => [name, String(value)]))

    for (const path of [
      '/api/users/self',
      '/api/projects',
      `/api/projects/${ORCHARD}`,
      '/users/tom',
      '/api/users/self/membership',
    ]) {
      const asMara = await ask(path, { ...pageHeaders, cookie })
      const asTom = await ask(path, key(TOM))
      const direct = await (await fetch(api.origin + path, { headers: key(TOM) })).text()
      expect(asTom, path).toBe(direct)
      expect(await ask(path, {}), path).not.toContain(MARA.email)
      expect(asMara.length).toBeGreaterThan(0)
    }
    expect([...kept.keys()]).toEqual([])
  })
})
