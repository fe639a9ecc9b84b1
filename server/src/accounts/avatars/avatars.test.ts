import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ONE_PIXEL } from '../../../test/fixtures/one-pixel.ts'
import { ADA, MARA, OLGA, RITA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'

const { api, context } = await startWorld()

const set = (content: string, as = TOM, id: number | string = 'self') =>
  api.put(`/users/${id}/avatar`, { as, body: { content } })
const show = async (as: TestPerson, id: number | string = 'self') => (await api.get(`/users/${id}`, { as })).json
const avatarUrl = async (as = TOM): Promise<string> => (await show(as)).avatar_url
const open = (url: string, as?: TestPerson) =>
  fetch(`${api.origin}${new URL(url).pathname}`, { headers: as ? { 'x-auth-accesskey': as.key } : {} })

/** A wide photograph: red on the left, green in the middle, blue on the right. */
async function photograph(): Promise<string> {
  const colored = (background: string) => sharp({ create: { width: 300, height: 300, channels: 3, background } })
  const parts = await Promise.all(['#f00', '#0f0', '#00f'].map((color) => colored(color).png().toBuffer()))
  const wide = sharp({ create: { width: 900, height: 300, channels: 3, background: '#fff' } })
    .composite(parts.map((input, index) => ({ input, left: index * 300, top: 0 })))
    .withExif({ IFD0: { Copyright: 'a secret of the camera' } })
  return (await wide.jpeg().toBuffer()).toString('base64')
}

describe('PUT /users/{id}/avatar', () => {
  test('draws the middle of the picture anew, without metadata, and serves it at a new address', async () => {
    expect(await set(await photograph())).toMatchObject({ status: 200, text: '' })

    const user = await show(TOM)
    expect(user.has_avatar).toBe(true)
    expect(user.avatar_url).toMatch(/^https:\/\/waypost\.example\/users\/tom\/avatars\/[\w-]{22}$/)
    const answer = await open(user.avatar_url)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=2592000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const { format, width, height, exif } = await sharp(bytes).metadata()
    expect({ format, width, height, exif }).toEqual({ format: 'webp', width: 256, height: 256, exif: undefined })
    const { dominant } = await sharp(bytes).stats()
    expect([dominant.r < 40, dominant.g > 200, dominant.b < 40]).toEqual([true, true, true])
  })

  test('is shown wherever the person is, and changes the version of the account', async () => {
    const before = await api.get(`/users/${TOM.id}`, { as: OLGA })
    await set(ONE_PIXEL)
    const after = await api.get(`/users/${TOM.id}`, { as: OLGA })

    expect(after.json).toMatchObject({ has_avatar: true, avatar_url: await avatarUrl() })
    expect(after.headers.etag?.split('.')[0]).not.toBe(before.headers.etag?.split('.')[0])
    expect(await audited(context, 'user.update')).toMatchObject([{ actor_id: TOM.id, object: `users/${TOM.id}` }])
  })

  test('gives each picture another address, and the old one leads nowhere', async () => {
    await set(ONE_PIXEL)
    const first = await avatarUrl()
    await set(ONE_PIXEL)

    expect(await avatarUrl()).not.toBe(first)
    expect((await open(first)).status).toBe(404)
    expect((await open((await avatarUrl()).replace('/tom/', '/mara/'))).status).toBe(404)
  })

  test.each([
    ['text', Buffer.from('not a picture')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['the begin of a PNG', Buffer.from(ONE_PIXEL, 'base64').subarray(0, 40)],
    [
      'a WebP',
      Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0', 'latin1'),
    ],
  ])('refuses %s', async (_, bytes) => {
    expect(await set(bytes.toString('base64'))).toMatchObject(refused(400, 'parameter_invalid', { path: 'content' }))
    expect((await show(TOM)).has_avatar).toBe(false)
  })

  test('refuses a small file with very many pixels', async () => {
    const bomb = sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#fff' } })
    const content = (await bomb.png({ compressionLevel: 9 }).toBuffer()).toString('base64')

    expect(content.length).toBeLessThan(500_000)
    expect(await set(content)).toMatchObject(refused(400, 'parameter_invalid', { path: 'content' }))
  })

  test('refuses other letters than those of base64, and too many', async () => {
    expect(await set('%%%')).toMatchObject(refused(400, 'parameter_invalid'))
    expect((await set('A'.repeat(2_000_001))).status).toBe(400)
  })

  test('is for the account itself', async () => {
    expect(await set(ONE_PIXEL, MARA, TOM.id)).toMatchObject(refused(403, 'permission_denied'))
    expect(await set(ONE_PIXEL, ADA, TOM.id)).toMatchObject(refused(403, 'permission_denied'))
    expect((await show(TOM)).has_avatar).toBe(false)
  })
})

describe('the address of a picture', () => {
  test('is given to those who may see the person, and to no others', async () => {
    await set(ONE_PIXEL)

    expect((await show(OLGA, TOM.id)).avatar_url).toBe(await avatarUrl())
    expect((await api.get(`/users/${TOM.id}`, { as: RITA })).text).not.toContain('avatars')
    expect((await open((await avatarUrl()).replace(/[\w-]{22}$/, 'A'.repeat(22)))).status).toBe(404)
  })

  test('requires credentials if the platform forbids anonymous access', async () => {
    await set(ONE_PIXEL)
    await context.db
      .updateTable('setting')
      .set((row) => ({ chosen: { anonymous_access: false }, version: row('version', '+', 1) }))
      .execute()

    expect((await open(await avatarUrl())).status).toBe(401)
    expect((await open(await avatarUrl(), OLGA)).status).toBe(200)
  })
})

describe('DELETE /users/{id}/avatar', () => {
  test('brings the pattern back', async () => {
    const pattern = await avatarUrl()
    await set(ONE_PIXEL)
    const picture = await avatarUrl()

    expect(await api.delete('/users/self/avatar', { as: TOM })).toMatchObject({ status: 200, text: '' })

    expect(await show(TOM)).toMatchObject({ has_avatar: false, avatar_url: pattern })
    expect((await open(picture)).status).toBe(404)
    expect(await context.db.selectFrom('avatar').selectAll().execute()).toEqual([])
  })

  test('is for the account itself and for site administrators', async () => {
    await set(ONE_PIXEL)
    expect(await api.delete(`/users/${TOM.id}/avatar`, { as: OLGA })).toMatchObject(refused(403, 'permission_denied'))
    expect((await api.delete(`/users/${TOM.id}/avatar`, { as: ADA })).status).toBe(200)
    expect((await show(TOM)).has_avatar).toBe(false)
  })
})

test('erasing the account erases its picture', async () => {
  await set(ONE_PIXEL)
  const picture = await avatarUrl()
  await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })

  expect((await open(picture)).status).toBe(404)
  expect(await show(ADA, TOM.id)).toMatchObject({
    has_avatar: false,
    avatar_url: expect.stringMatching(/avatar\.png$/),
  })
  expect(await context.db.selectFrom('avatar').selectAll().execute()).toEqual([])
})
