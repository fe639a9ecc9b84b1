import { describe, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, PASSWORD, TOM } from '../../fixtures/people.ts'
import { ORCHARD } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { sampleTenth } from '../../harness/sampling.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { attack, attackOnce, measureSlowdown, effectiveStatus } from './attack.ts'
import {
  targetAddress,
  BODY_PLACES,
  usualBody,
  usualOptions,
  withValueAt,
  TARGETS,
  type RouteTarget,
} from './inputs.ts'

const world = await startWorld({ seedOnce: true })
const { api } = world
await seedTestArtifacts(world.context.db)

describe('deeply nested JSON', () => {
  test.each<[what: string, body: () => string, status?: number]>([
    ['arrays', () => '['.repeat(100_000)],
    ['arrays that are closed', () => `{"login":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects', () => '{"a":'.repeat(100_000)],
    ['quotes', () => `{"a":"${'\\"'.repeat(250_000)}`],
    ['backslashes', () => `{"a":"${'\\\\'.repeat(250_000)}`],
    ['members', () => `{${Array.from({ length: 50_000 }, (_, at) => `"${at % 45_000}":0`).join()}}`, 413],
    ['digits', () => `{"login":${'9'.repeat(250_000)}}`],
  ])('I01 of %s is refused at once', async (_, body, status = 400) => {
    const text = body()
    const took: number[] = []
    for (let round = 0; round < 5; round++) {
      const began = performance.now()
      expect((await attackOnce(world, 'PUT', `/projects/${ORCHARD}/banner`, { as: MARA, body: text })).status).toBe(
        status,
      )
      took.push(performance.now() - began)
    }
    expect(Math.min(...took)).toBeLessThan(500 * (await measureSlowdown(api)))
  })

  test('I01/everywhere is refused on every route with a body', async () => {
    await attack(world, async (send) => {
      for (const target of TARGETS.filter(({ route }) => route.body))
        expect(
          await send(target.route.method, targetAddress(target), { ...usualOptions(target), body: '['.repeat(50_000) }), // The body of a GET is short.
        ).toMatchObject(refused(400, 'body_malformed'))
    })
  })
})

describe('types', () => {
  const JSON_TEXT = JSON.stringify({ key: 'theme', value: 'dark' })
  const send = (headers: Record<string, string>, body = JSON_TEXT) =>
    attackOnce(world, 'PATCH', `/users/${TOM.id}/preferences`, { as: TOM, headers, body })

  test.each([
    'text/plain',
    'text/html',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'image/png',
    'application/jsonp',
    'application/json5',
    'application/x-yaml',
    'application/vnd.api+json',
    'text/json',
    'application/x-ndjson',
    'application/x-java-serialized-object',
    'nonsense',
    ';',
    'application/',
    '*/*',
  ])('I19 a body with the content type %s is refused', async (type) => {
    expect(await send({ 'content-type': type })).toMatchObject(refused(415, 'unsupported_media_type'))
  })

  test('I19/tokens is parsed as JSON for one old client, and only if it is JSON', async () => {
    const body = JSON.stringify({ username: TOM.login, password: PASSWORD })
    const tokens = (text: string) =>
      attackOnce(world, 'POST', '/tokens', { headers: { 'content-type': 'text/plain' }, body: text })
    expect((await tokens(body)).status).toBe(200)
    expect((await tokens(`username=${TOM.login}`)).status).toBe(415)
  })

  test.each([
    'text/html',
    'image/*',
    'application/pdf',
    'nonsense',
    '/',
    'application/json;q=0',
    'text/csv',
    ';;;,,,;q=',
  ])('I19/accept a response cannot be requested as %s', async (accept) => {
    const answer = await attackOnce(world, 'GET', `/projects/${ORCHARD}`, { as: TOM, headers: { accept } })
    expect(answer).toMatchObject(refused(406, 'not_acceptable'))
  })

  test('I19/empty a type with an empty body counts as no body', async () => {
    for (const type of ['application/json', 'application/xml', 'text/plain', 'nonsense'])
      for (const method of ['GET', 'DELETE']) {
        const headers = { 'content-type': type, 'content-length': '0' }
        const path = method === 'GET' ? `/projects/${ORCHARD}` : '/tokens'
        expect((await attackOnce(world, method, path, { as: TOM, headers })).status).toBe(200)
      }
  })
})

describe('a precondition', () => {
  // Links have the version of their artifact.
  const readAt = (target: RouteTarget) => (targetAddress(target).split('?')[0] ?? '').replace(/\/links$/, '')
  const versioned = TARGETS.filter(
    ({ route, row }) => route.versioned && route.writes && route.method !== 'POST' && row.needsMore === undefined,
  )

  test.each(sampleTenth(versioned, 'I34'))(
    'I34 of $name that does not match never becomes an unconditional write',
    async (target) => {
      const read = readAt(target)
      const tag = String((await api.get(read, { as: ADA })).headers.etag)
      const [version = '', bytes = ''] = tag.replaceAll('"', '').split('.')
      const tries = [
        `W/${tag}`,
        '""',
        '"',
        'garbage',
        '"*"',
        `"${version}x"`,
        `"x${version}"`,
        `"${bytes}"`,
        'W/*',
        '","',
        '**',
      ]
      const write = (match: string) =>
        attackOnce(world, target.route.method, targetAddress(target, '', true), {
          ...usualOptions(target),
          headers: { 'if-match': match },
        })
      for (const match of tries) expect(await write(match), match).toMatchObject(refused(412, 'version_mismatch'))
      expect((await write('"a", '.repeat(200_000))).status).toBe(431)
    },
  )

  test.each(sampleTenth(versioned, 'I34/right'))(
    'I34/right of $name that matches is accepted in each of its forms',
    async (target) => {
      const read = readAt(target)
      const tag = String((await api.get(read, { as: ADA })).headers.etag)
      const [version = '', bytes = ''] = tag.replaceAll('"', '').split('.')
      const forms = [version, `"${version}"`, tag, `${version}.${bytes}`, `"${version}.wrong"`, `"other", ${tag}`, '*']
      for (const match of forms) {
        const answer = await api.request(target.route.method, targetAddress(target), {
          ...usualOptions(target),
          headers: { 'if-match': match },
        })
        expect(answer.status, match).toBe(200)
      }
    },
  )
})

describe('numbers and dates', () => {
  const INTEGERS = BODY_PLACES.filter(
    ({ shape }) =>
      shape.kind === 'integer' || (shape.kind === 'union' && shape.variants.some(({ kind }) => kind === 'integer')),
  )

  test.each(sampleTenth(INTEGERS, 'I36'))(
    'I36 $name accepts no number that would lose precision',
    async ({ target, path }) => {
      const numbers = ['9007199254740992', '-9007199254740992', '9007199254740993', '1e400', '-1e400', '1.5']
      await attack(world, async (send) => {
        for (const number of [
          ...numbers,
          '"9007199254740993"',
          '"1e3"',
          '"NaN"',
          '"Infinity"',
          '"0x10"',
          '" 1"',
          'true',
        ]) {
          const body = JSON.stringify(withValueAt(usualBody(target), path, '__number__')).replace(
            '"__number__"',
            number,
          )
          const answer = await send(target.route.method, targetAddress(target), { ...usualOptions(target), body })
          expect(effectiveStatus(answer), `${number}: ${answer.text}`).toBe(400)
        }
        const body = JSON.stringify(withValueAt(usualBody(target), path, '__number__')).replace('"__number__"', 'NaN')
        const options = { ...usualOptions(target), body }
        expect(await send(target.route.method, targetAddress(target), options)).toMatchObject(
          refused(400, 'body_malformed'),
        )
      })
    },
  )

  test.each([
    '+275761-01-01T00:00:00Z',
    '275761-01-01T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2027-06-30T23:59:60Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:00:00',
    '2027-01-01',
    'tomorrow',
    '1e12',
    '0000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T00:00:00+25:00',
    'infinity',
    '2027-01-01T00:00:00Z\0',
    '2027-01-01T00:00:00Z; drop',
    '２０２７-01-01T00:00:00Z',
    '-2027-01-01T00:00:00Z',
  ])('I36/date %s is not a valid expiry of a key', async (expiration_date) => {
    const answer = await attackOnce(world, 'POST', '/access_keys', { as: TOM, body: { expiration_date } })
    expect(answer.status, answer.text).toBe(400)
  })

  test.each(['Etc/GMT+12', 'Pacific/Kiritimati', 'America/St_Johns', 'Asia/Kathmandu', 'UTC'])(
    'I36/zone an instant is the same for a reader in %s',
    async (time_zone) => {
      await api.patch(`/users/${TOM.id}`, { as: TOM, body: { time_zone } })
      for (const [given, read] of [
        ['2027-01-01T00:30:00+14:00', '2026-12-31T10:30:00+00:00'],
        ['2026-12-31T23:30:00-12:00', '2027-01-01T11:30:00+00:00'],
        ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
      ]) {
        const { json } = await api.post('/access_keys', { as: TOM, body: { expiration_date: given } })
        const id = /-k1-(\d+)\./.exec(json.identifier)?.[1]
        expect((await api.get(`/access_keys/${id}`, { as: TOM })).json.expiration_date).toBe(read)
      }
    },
  )

  test.each(['from', 'to'])('I36/range %s refuses a nonexistent date', async (name) => {
    for (const date of [
      '2027-02-30',
      '%2B275761-01-01',
      '2027-06-30T23:59:60Z',
      '-1',
      'infinity',
      'now',
      '2027-1-1',
      "'",
    ])
      for (const path of ['/audit', '/jobs'])
        expect((await attackOnce(world, 'GET', `${path}?${name}=${date}`, { as: ADA })).status).toBe(400)
  })
})
