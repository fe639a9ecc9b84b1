import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { OLGA, type TestPerson, PIA, RITA, TOM } from '../../../test/fixtures/people.ts'
import { drawAvatar } from './avatar-page.ts'

const { api, context } = await startWorld()

const visit = (path: string, as?: TestPerson) =>
  fetch(`${api.origin}${path}`, { redirect: 'manual', headers: as ? { 'x-auth-accesskey': as.key } : {} })

describe('the page of a user', () => {
  test('names the user to viewers who may see them', async () => {
    const answer = await visit('/users/TOM', OLGA)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toContain('<h1>Tom Tiller (tom)</h1>')
  })

  test('escapes user-chosen names', async () => {
    await context.db.updateTable('account').set({ real_name: '<script>' }).where('id', '=', TOM.id).execute()
    expect(await (await visit('/users/tom', OLGA)).text()).not.toContain('<script>')
  })

  test.each([
    { who: undefined, login: 'tom', status: 401 },
    { who: undefined, login: 'nobody-there', status: 401 },
    { who: OLGA, login: 'nobody-there', status: 404 },
    { who: OLGA, login: PIA.login, status: 404 },
    { who: RITA, login: 'tom', status: 404 },
    { who: RITA, login: 'victor', status: 200 },
  ])('of $login responds $status to $who.login', async ({ who, login, status }) => {
    expect((await visit(`/users/${login}`, who)).status).toBe(status)
  })
})

describe('the avatar of a user', () => {
  test('is a small cacheable image', async () => {
    const answer = await visit('/users/tom/avatar.png')
    const bytes = Buffer.from(await answer.arrayBuffer())

    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(bytes.length).toBeLessThan(300)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const data = bytes.indexOf('IDAT')
    const lines = inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4)))
    expect(lines.length).toBe(80 * 11)
  })

  test('differs between accounts, and is stable per account', () => {
    expect(drawAvatar('tom')).toEqual(drawAvatar('tom'))
    expect(drawAvatar('tom')).not.toEqual(drawAvatar('uma'))
  })

  test('does not reveal which logins exist', async () => {
    expect((await visit('/users/nobody-there/avatar.png')).status).toBe(200)
  })

  test('requires credentials if the platform forbids anonymous access', async () => {
    await context.db
      .updateTable('setting')
      .set((row) => ({ chosen: { anonymous_access: false }, version: row('version', '+', 1) }))
      .execute()
    expect((await visit('/users/tom/avatar.png')).status).toBe(401)
    expect((await visit('/users/tom/avatar.png', OLGA)).status).toBe(200)
  })
})
