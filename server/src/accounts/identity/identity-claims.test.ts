import { describe, expect, test } from 'vitest'
import { readClaims } from './identity-claims.ts'
import { PROVIDER_DEFAULTS, type ProviderSettings } from './provider-settings.ts'

const settings: ProviderSettings = {
  ...PROVIDER_DEFAULTS,
  issuer: 'https://login.orchard.test',
  label: 'Company',
  client_id: 'waypost',
  groups_claim: 'groups',
}
const read = (claims: object, more: Partial<ProviderSettings> = {}) =>
  readClaims({ sub: 'tom', ...claims }, { ...settings, ...more })

describe('an address', () => {
  test.each([
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, true],
    [{ email_verified: 'yes' }, false],
    [{ email_verified: 1 }, false],
    [{}, false],
  ])('with %j is verified: %s', (claims, isVerified) => {
    expect(read({ email: 'tom@orchard.example', ...claims })?.isVerified).toBe(isVerified)
  })

  test.each(['a@b@c', 'tom@orchard.example\n', '<tom@orchard.example>', '', 'tom', ['tom@orchard.example']])(
    '%j is none, even if it is verified',
    (email) => {
      expect(read({ email, email_verified: true }, { trusts_email: true })).toMatchObject({
        email: undefined,
        isVerified: false,
      })
    },
  )
})

describe('groups', () => {
  test.each([
    [
      ['a', 'b', 7, null, 'a\0b'],
      ['a', 'b'],
    ],
    ['a', ['a']],
    [undefined, []],
    [{ a: true }, []],
  ])('of %j are %j', (groups, expected) => {
    expect(read({ groups })?.groups).toEqual(expected)
  })

  test('are unknown, and not none, if the provider keeps them elsewhere', () => {
    expect(read({ _claim_names: { groups: 'src1' } })?.groups).toBeUndefined()
  })
})

test.each(['', 's'.repeat(256), 'a\0b', 'a\ud800', 7, undefined])('the subject %j is not usable', (sub) => {
  expect(read({ sub })).toBeUndefined()
})
