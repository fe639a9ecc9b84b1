import { beforeAll, describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { pseudo } from '../../../test/harness/pseudo-locale.ts'
import { acceptedLanguages, selectCatalogue, installLanguage, errorMessage, getMessage } from './catalogue.ts'
import { english } from './english.ts'
import { REASONS } from './reasons.ts'

const { api } = await startWorld()
beforeAll(() => installLanguage(pseudo)) // The returned function removes the language after the tests.

function typedKeys<T extends object>(record: T): (keyof T)[] {
  const isKey = (key: string): key is keyof T & string => key in record
  return Object.keys(record).filter(isKey)
}

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

describe('messages', () => {
  test('every reason has its sentence in English', () => {
    expect(Object.keys(english.reasons).toSorted()).toEqual(Object.keys(REASONS).toSorted())
    const details = { path: 'x', allowed: ['a'], who_may: ['owner'], id: 1, current_etag: '"v"' } as const
    for (const reason of typedKeys(english.reasons))
      expect(errorMessage(english, reason, details)).toMatch(/^[^⟦{]+\.$/)
    for (const cause of typedKeys(english.causes))
      expect(errorMessage(english, 'rule_violated', { ...details, cause })).toMatch(/^[^⟦{]+\.$/)
  })

  test.each(REFUSALS)(
    '%s %s is refused with a message of the catalogue, in the requested language',
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

  test('the language of an account wins over that of the browser, also for labels', async () => {
    await api.patch('/users/self', { as: TOM, body: { language: 'en-XA' } })
    const headers = { 'accept-language': 'en' }
    const refused = await api.get(`/projects/${VAULT}`, { as: TOM, headers })
    const groups = await api.get(`/projects/${ORCHARD}/user_groups`, { as: TOM, headers })
    expect(refused.json.error.i18n_error_message).toMatch(/^⟦/)
    expect(groups.json[0]).toMatchObject({ label: '⟦Project members⟧', short_name: 'project_members' })
  })

  test('an unknown language is served in English, a region by its language', () => {
    expect(selectCatalogue(['xx', null]).tag).toBe('en')
    expect(selectCatalogue(['en-GB']).tag).toBe('en')
    expect(acceptedLanguages('de;q=0.2, en-XA, fr;q=0')).toEqual(['en-XA', 'de'])
  })

  test('a missing message falls back to English', () => {
    const silent = { tag: 'yy', reasons: {}, causes: {}, texts: {} }
    expect(errorMessage(silent, 'not_found')).toBe(english.reasons.not_found)
    expect(getMessage(silent, 'no such text', {})).toBe('no such text')
  })
})
