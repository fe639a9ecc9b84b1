import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { OLGA, type Person, PIA, RITA, TOM } from '../../../test/people.ts'
import { drawAvatar } from './avatar-page.ts'

const { api, context } = await startWorld()

const visit = (path: string, as?: Person) =>
  fetch(`${api.origin}${path}`, { redirect: 'manual', headers: as ? { 'x-auth-accesskey': as.key } : {} })

describe('the page of a user', () => {
  test('says who it is to those who see the user', async () => {
    const answer = await visit('/users/TOM', OLGA)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).toContain('<h1>Tom Tiller (tom)</h1>')
  })

  test('escapes what people call themselves', async () => {
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
  ])('of $login answers $status to $who.login', async ({ who, login, status }) => {
    expect((await visit(`/users/${login}`, who)).status).toBe(status)
  })
})

describe('the avatar of a user', () => {
  test('is a small picture that may be kept', async () => {
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

  test('differs between people, and stays the same for one', () => {
    expect(drawAvatar('tom')).toEqual(drawAvatar('tom'))
    expect(drawAvatar('tom')).not.toEqual(drawAvatar('uma'))
  })

  test('does not tell who exists', async () => {
    expect((await visit('/users/nobody-there/avatar.png')).status).toBe(200)
  })

  test('asks for credentials where the platform is closed to anonymous people', async () => {
    await context.db
      .updateTable('setting')
      .set((row) => ({ chosen: { anonymous_access: false }, version: row('version', '+', 1) }))
      .execute()
    expect((await visit('/users/tom/avatar.png')).status).toBe(401)
    expect((await visit('/users/tom/avatar.png', OLGA)).status).toBe(200)
  })
})
