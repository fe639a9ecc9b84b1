import { beforeAll, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { ADA, OLGA, TOM } from '../../../test/people.ts'
import { ORCHARD, VAULT } from '../../../test/places.ts'
import { pseudo } from '../../../test/pseudo-locale.ts'
import { acceptedLanguages, catalogueFor, install, say, text } from './catalogue.ts'
import { english } from './english.ts'
import { REASONS } from './reasons.ts'

const { api } = await startWorld()
beforeAll(() => install(pseudo)) // What it answers takes the language away after the tests.

const REFUSALS = [
  ['GET', '/nothing', {}],
  ['PATCH', '/version', {}],
  ['GET', '/projects?limit=500', {}],
  ['GET', `/projects/${VAULT}`, { as: OLGA }],
  ['GET', `/projects/${VAULT}`, {}],
  ['GET', '/projects/abc', {}],
  ['PUT', `/projects/${ORCHARD}/banner`, { as: TOM, body: { message: 'mine' } }],
  ['PUT', `/projects/${ORCHARD}/banner`, { as: TOM, body: '{' }],
  ['POST', '/projects', { as: TOM, body: { shortname: 'x', label: 'y', is_public: true, template_id: 100 } }],
  ['POST', '/users', { as: ADA, body: { username: 'tom', real_name: 'Tom', email: 'new@waypost.example' } }],
  ['POST', '/access_keys', { as: TOM, body: { scopes: [] } }],
  ['GET', '/users?query=x', { as: TOM }],
] as const

describe('words', () => {
  test('every reason has its sentence in English', () => {
    for (const reason of Object.keys(REASONS)) expect(Object.keys(english.reasons)).toContain(reason)
    for (const sentence of [...Object.values(english.reasons), ...Object.values(english.causes)])
      expect(sentence({ path: 'x', allowed: ['a'], who_may: ['owner'], id: 1, current_etag: '"v"' })).toMatch(
        /^[^⟦]+\.$/,
      )
  })

  test.each(REFUSALS)(
    '%s %s is refused in words of the catalogue, in the language that was asked for',
    async (method, path, options) => {
      const plain = await api.request(method, path, options)
      const foreign = await api.request(method, path, {
        ...options,
        headers: { 'accept-language': 'xx, en-XA;q=0.8, en;q=0.5' },
      })
      expect(foreign.status).toBe(plain.status)
      expect(foreign.json.error.message).toBe(plain.json.error.message)
      const sentences: string[] = plain.json.error.i18n_error_message.split('\n')
      expect(foreign.json.error.i18n_error_message).toBe(sentences.map((each) => `⟦${each}⟧`).join('\n'))
    },
  )

  test("an account's own language wins over that of the browser, and labels follow it too", async () => {
    await api.patch('/users/self', { as: TOM, body: { language: 'en-XA' } })
    const headers = { 'accept-language': 'en' }
    const refused = await api.get(`/projects/${VAULT}`, { as: TOM, headers })
    const groups = await api.get(`/projects/${ORCHARD}/user_groups`, { as: TOM, headers })
    expect(refused.json.error.i18n_error_message).toMatch(/^⟦/)
    expect(groups.json[0]).toMatchObject({ label: '⟦Project members⟧', short_name: 'project_members' })
  })

  test('a language that is not there is served in English, a region by its language', () => {
    expect(catalogueFor(['xx', null]).tag).toBe('en')
    expect(catalogueFor(['en-GB']).tag).toBe('en')
    expect(acceptedLanguages('de;q=0.2, en-XA, fr;q=0')).toEqual(['en-XA', 'de'])
  })

  test('a missing word falls back to English', () => {
    const silent = { tag: 'yy', reasons: {}, causes: {}, texts: {} }
    expect(say(silent, 'not_found')).toBe(english.reasons.not_found({}))
    expect(text(silent, 'no such text', {})).toBe('no such text')
  })
})
