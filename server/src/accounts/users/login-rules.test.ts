import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, OLGA } from '../../../test/fixtures/people.ts'

const { api } = await startWorld()

let count = 0
const create = (username: string) =>
  api.post('/users', {
    as: ADA,
    body: { username, real_name: 'Nina Nova', email: `nina${++count}@waypost.example` },
  })

describe('a login', () => {
  test.each([
    ['nina', 'nina'],
    ['Nina.Nova-2_x', 'nina.nova-2_x'],
    ['ＮＩＮＡ', 'nina'],
    [' nina ', 'nina'],
    ['n1', 'n1'],
    [`n${'o'.repeat(29)}`, `n${'o'.repeat(29)}`],
  ])('%j is stored as %s', async (given, kept) => {
    const { status, json } = await create(given)

    expect(status).toBe(201)
    expect(json.username).toBe(kept)
  })

  test.each([
    ['n'],
    [`n${'o'.repeat(30)}`],
    ['1nina'],
    ['-nina'],
    ['ni na'],
    ['nina/..'],
    ['nina@waypost'],
    ['nina%00'],
    ['нина'],
    [''],
    ['self'],
    ['ME'],
    ['anonymous'],
    ['root'],
    ['erased-12'],
  ])('may not be %j', async (login) => {
    const { status, json } = await create(login)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason: 'name_invalid', details: { path: 'username' } })
  })

  test('I07 that only looks like another one is refused, or equals that other one', async () => {
    expect((await create('admin')).status).toBe(201)

    const lookalikes = [
      ['\u0430dmin', 'name_invalid'], // a Cyrillic a
      ['adm\u0456n', 'name_invalid'], // a Cyrillic i
      ['ad\u200bmin', 'name_invalid'], // a zero-width space
      ['admin\u200d', 'name_invalid'], // a zero-width joiner
      ['adm\u0131n', 'name_invalid'], // a dotless i
      ['admi\u0303n', 'name_invalid'], // a combining tilde
      ['\u202eadmin', 'name_invalid'], // right to left
      ['\uff41dmin', 'name_taken'], // a wide a
      ['\u{1d41a}dmin', 'name_taken'], // a bold a
      ['ADMIN', 'name_taken'],
      ['\ufeffadmin', 'name_taken'], // A leading byte order mark is trimmed like space.
    ]
    for (const [login = '', reason] of lookalikes) {
      const { status, json } = await create(login)
      expect([login, status, json.error?.reason]).toEqual([login, 400, reason])
    }
  })

  test('that was ever used is never given to another account, even after a change', async () => {
    expect((await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { username: 'helga' } })).status).toBe(200)

    expect((await create('olga')).json.error.reason).toBe('name_taken')
    expect((await create('helga')).json.error.reason).toBe('name_taken')
    expect((await api.patch(`/users/${OLGA.id}`, { as: ADA, body: { username: 'olga' } })).status).toBe(200)
    expect((await create('helga')).json.error.reason).toBe('name_taken')
  })
})
