import { describe, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { startMailPeer } from '../../peers/mail-peer.ts'
import { ADA, MARA, type TestPerson, TOM } from '../../fixtures/people.ts'
import { ORCHARD, VAULT } from '../../fixtures/seed-ids.ts'
import { masked, refused } from '../../harness/refused.ts'
import { runJobs } from '../../harness/run-jobs.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attack, attackOnce, checkAnswer } from './attack.ts'
import { targetAddress, usualOptions, targetPath, TARGETS } from './inputs.ts'
import { exchangeRaw } from './raw-socket.ts'

const peer = await startMailPeer()
const world = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url }, seedOnce: true })
const { api, context } = world
await seedTestArtifacts(context.db)

/** Requests a page over a raw connection. */
async function visit(path: string, { as = TOM, headers = '' }: { as?: TestPerson; headers?: string } = {}) {
  const bytes = `GET ${path} HTTP/1.1\r\nHost: waypost.example\r\nX-Auth-AccessKey: ${as.key}\r\nConnection: close\r\n${headers}\r\n`
  const { answers } = await exchangeRaw(api.origin, bytes)
  const [answer] = answers
  if (!answer || answers.length > 1) throw new Error(`${path} got ${answers.length} answers.`)
  checkAnswer(answer, path, path)
  return answer
}

describe('line breaks', () => {
  const BREAKS = ['%0d%0aX-Evil:%20yes', '%0aSet-Cookie:%20a=b', '%0d%0a%0d%0a<script>', '%E5%98%8A%E5%98%8DX-Evil:yes']

  test.each(BREAKS)('I26/link in the query make no header of the links that lead on: %s', async (breaks) => {
    const answer = await visit(`/api/projects/${ORCHARD}/labels?query=${breaks}`)
    expect(answer).toMatchObject({
      status: 200,
      headers: { link: expect.stringMatching(/\?query=%[^<>]*>; rel="first"$/) },
    })
    expect(Object.keys(answer.headers)).not.toContain('x-evil')
    expect(Object.keys(answer.headers)).not.toContain('set-cookie')
  })

  test.each(BREAKS)('I26/goto in a reference redirect nowhere: %s', async (breaks) => {
    for (const query of [`key=art&val=1${breaks}`, `key=art${breaks}&val=1`, `key=art&val=1&group_id=${breaks}`]) {
      const answer = await visit(`/goto?${query}`)
      expect([400, 404]).toContain(answer.status)
      expect(answer.headers).not.toHaveProperty('x-evil')
    }
    const redirected = await visit(`/api/explorer?${breaks}`)
    expect(redirected.status).toBe(301)
    expect(Object.keys(redirected.headers)).not.toContain('x-evil')
  })

  test('I26/request in the request id cause it to be replaced', async () => {
    for (const id of ['a%0d%0ab', 'a b', '<script>', 'a'.repeat(65), '"quoted"', '\u00e9'])
      expect((await visit('/api/version', { headers: `X-Request-Id: ${id}\r\n` })).headers['x-request-id']).toMatch(
        /^[0-9a-f]{20}$/,
      )
  })

  test('I26/mail in a name stay inside its mail header', async () => {
    const emails = ['guest@waypost.example']
    const evil = 'Orchard\r\nBcc: everybody@evil.example'
    await api.patch('/settings', { as: ADA, body: { platform_name: evil } })
    await api.post('/invitations', {
      as: ADA,
      body: { emails, custom_message: `Hi\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n` },
    })
    await runJobs(context)
    for (const { to, headers } of peer.mails) {
      expect(to).toEqual(emails)
      expect([...headers.keys()]).not.toContain('bcc')
    }
    expect(peer.mails).toHaveLength(1)
    await api.patch('/settings', { as: ADA, body: { platform_name: 'Waypost' } })
  })
})

describe('host headers of the client', () => {
  const FORGED = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-server': 'evil.example',
    'x-host': 'evil.example',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example;proto=http',
  }

  test('I27 appear in no response and in no mail', async () => {
    const made = await attackOnce(world, 'POST', '/user_groups', {
      as: MARA,
      headers: FORGED,
      body: { project_id: ORCHARD, short_name: 'pickers' },
    })
    expect(made.headers.location).toMatch(/^https:\/\/waypost\.example\/api\/user_groups\//)
    for (const path of [
      '/projects?limit=1',
      '/users/self',
      '/explorer/swagger.json',
      '/explorer/openapi.json',
      '/explorer',
    ]) {
      const answer = await api.get(path, { as: TOM, headers: FORGED })
      expect(`${JSON.stringify(answer.headers)}${answer.text}`).not.toContain('evil.example')
    }

    await api.post('/password_resets', { headers: FORGED, body: { login: TOM.login } })
    await api.post('/invitations', { as: ADA, headers: FORGED, body: { emails: ['guest@waypost.example'] } })
    await runJobs(context)
    expect(peer.mails).toHaveLength(2)
    for (const { text, raw } of peer.mails) {
      expect(text).toContain('https://waypost.example/')
      expect(raw).not.toContain('evil.example')
    }
  })
})

describe('methods', () => {
  const paths = Map.groupBy(TARGETS, ({ route }) => route.path)
  test.each(sampleTenth([...paths.keys()], 'I28'))('I28 %s accepts its own and lists them', async (path) => {
    const group = paths.get(path) ?? []
    const [first] = group
    if (!first) return
    const takes = group.map(({ route }) => route.method)
    // A literal segment may match where another path has an id.
    const alike = TARGETS.filter(({ route }) => new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter(
      (method) => !alike.some(({ route }) => route.method === method),
    )
    await attack(world, async (send) => {
      for (const method of others) {
        const answer = await send(method, targetPath(first), {
          as: ADA,
          headers: { 'x-http-method-override': takes[0] },
        })
        expect(answer, method).toMatchObject(refused(405, 'method_not_allowed'))
        expect(answer.headers.allow?.split(', ').toSorted()).toEqual(['OPTIONS', ...takes].toSorted())
      }
    })
  })
})

describe('the target of a redirect', () => {
  const EVIL = [
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '%2f%2fevil.example',
    '\t//evil.example',
    '1/../../evil',
  ]
  const isLocal = (location: unknown) =>
    typeof location === 'string' &&
    /^\/(?![/\\])/.test(location) &&
    new URL(location, 'https://waypost.example').origin === 'https://waypost.example'

  test.each(EVIL)('I33 is on our own origin, not %s', async (evil) => {
    const escaped = encodeURIComponent(evil)
    const paths = [
      `/goto?key=art&val=${escaped}`,
      `/goto?key=${escaped}&val=1`,
      `/goto?key=art&val=1&return_to=${escaped}&url=${escaped}&next=${escaped}`,
      `/goto?key=svn&val=${escaped}/1&group_id=${ORCHARD}`,
      `/api/explorer?return_to=${escaped}`,
      `/users/tom?return_to=${escaped}`,
      `/users/${escaped}`,
    ]
    for (const path of paths) {
      const { status, headers } = await visit(path)
      expect(status < 300 || status >= 400 || isLocal(headers.location), `${path} ${headers.location}`).toBe(true)
      expect(headers).not.toHaveProperty('refresh')
    }
  })

  test('I33/slashes stays there with extra slashes in front of the path', async () => {
    for (const path of [
      '//evil.example/api/explorer',
      '/\\evil.example/api/explorer',
      '///evil.example',
      '/api/explorer//evil.example',
    ]) {
      const { status, headers } = await visit(path)
      expect([400, 404].includes(status) || isLocal(headers.location), `${path} ${headers.location}`).toBe(true)
    }
  })
})

describe('double escaping', () => {
  test.each([
    '%252e%252e',
    '%2525',
    '%252f',
    '%2e%2e',
    '..',
    '%252e%252e%252f2002',
    '2001%252f..%252f2002',
    '%5c..%5c',
  ])('I37 in a path is decoded once: %s', async (text) => {
    for (const path of [`/projects/${text}`, `/projects/${text}/banner`, `/users/${text}/avatar.png`, `/jobs/${text}`])
      expect([400, 404]).toContain((await visit(`/api${path}`, { as: ADA })).status)
    for (const path of [`/users/${text}`, `/api/explorer/${text}`, `/api/explorer/${text}/package.json`])
      expect([400, 404]).toContain((await visit(path)).status)
  })

  test('I37/query in a query is taken literally', async () => {
    const path = `/users/${TOM.id}/preferences`
    await api.patch(path, { as: TOM, body: { key: '%2e%2e', value: 'literal' } })
    expect((await api.get(`${path}?key=%252e%252e`, { as: TOM })).json.value).toBe('literal')
    expect((await api.get(`${path}?key=%2e%2e`, { as: TOM })).json.value).toBe(false)
    const query = encodeURIComponent(encodeURIComponent('{"shortname":"vault"}'))
    expect((await attackOnce(world, 'GET', `/projects?query=${query}`, { as: TOM })).status).toBe(400)
  })
})

describe('a page', () => {
  test.each(['%00', 'a%00b', '%ff', '%ED%A0%80', '%', "'%3B--", '%E2%80%AE', 'a'.repeat(600)])(
    'I06/page refuses malformed text: %s',
    async (text) => {
      for (const path of [`/users/${text}`, `/goto?key=art&val=${text}`, `/goto?key=${text}&val=1`])
        expect([400, 404]).toContain((await visit(path)).status)
      expect([200, 400, 404]).toContain((await visit(`/users/${text}/avatar.png`)).status)
    },
  )
})

describe('a URL', () => {
  const spelt = async (path: string) => {
    const { status, headers, text } = await visit(path)
    const { 'cache-control': cache, vary, 'access-control-allow-origin': cors } = headers
    return { status, cache, vary, cors, body: masked({ text }) }
  }

  test.each([
    `/%61pi/projects/${VAULT}`,
    `/api/%70rojects/${VAULT}`,
    `/API/PROJECTS/${VAULT}`,
    `/api/v1/projects/${VAULT}/`,
    `http://evil.example/api/projects/${VAULT}`,
    `http://evil.example/api/projects/${VAULT}.json`,
    `/api/projects/%32002`,
  ])('I37/spelling gives the same response in every spelling: %s', async (path) => {
    expect(await spelt(path)).toEqual(await spelt(`/api/projects/${VAULT}`))
    const open = path.replace(String(VAULT), String(ORCHARD)).replace('%32002', '%32001')
    expect(await spelt(open)).toEqual(await spelt(`/api/projects/${ORCHARD}`))
  })

  test('I37/none has no alternative spelling', async () => {
    for (const path of [
      '/api//settings',
      '/api/./settings',
      '/api/x/../settings',
      '/api/settings;a=b',
      '/api%2fsettings',
      '/api/settings%2f',
      '/api/settings%00',
      '/api/settings%20',
      '/api\\settings',
    ])
      expect([400, 404]).toContain((await visit(path, { as: ADA })).status)
  })

  const READ = TARGETS.filter(({ route }) => !route.writes)

  test('I26/target every route refuses a query of nonsense', async () => {
    await attack(world, async (send) => {
      for (const target of sampleTenth(READ, 'I26')) {
        const address = targetAddress(target, '%3Cscript%3E=1&&&=&a.b=c')
        const { status, headers } = await send(target.route.method, address, usualOptions(target))
        expect([target.name, status]).toEqual([target.name, 400])
        expect(headers['content-type']).not.toContain('html')
      }
    })
  })
})
