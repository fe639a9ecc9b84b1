import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { EVIL_ORIGIN } from '../../../test/harness/browser-requests.ts'
import { sql } from 'kysely'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import { createSignIn } from './sign-in.ts'
import { TOKENS_DISCOURAGED } from './sign-in-by-token.ts'

const { context } = await startWorld()
const signIn = createSignIn(context)

const token = { 'x-auth-token': 'a', 'x-auth-userid': '1' }

describe('what is told by headers alone', () => {
  test.each([
    { headers: {}, discouraged: false },
    { headers: token, discouraged: true },
    { headers: { 'x-auth-token': 'a' }, discouraged: true },
    { headers: { 'x-auth-userid': '1' }, discouraged: true },
    { headers: { ...token, 'x-auth-accesskey': 'k' }, discouraged: false },
    { headers: { ...token, authorization: 'Bearer k' }, discouraged: false },
    { headers: { ...token, authorization: 'Basic k' }, discouraged: true },
    { headers: { authorization: 'Basic k' }, discouraged: false },
  ])('$headers are a token, which is discouraged: $discouraged', ({ headers, discouraged }) => {
    expect(signIn.deprecatedSince(headers)).toBe(discouraged ? TOKENS_DISCOURAGED : undefined)
  })

  const cookie = '__Host-waypost=value'
  test.each([
    { headers: {}, isIgnored: false },
    { headers: { origin: EVIL_ORIGIN }, isIgnored: false },
    { headers: { cookie }, isIgnored: false },
    { headers: { cookie, 'sec-fetch-site': 'same-origin' }, isIgnored: false },
    { headers: { cookie, origin: EVIL_ORIGIN }, isIgnored: true },
    { headers: { cookie, 'sec-fetch-site': 'cross-site' }, isIgnored: true },
  ])('the cookie of $headers is ignored on pages: $isIgnored', ({ headers, isIgnored }) => {
    expect(signIn.ignoresCookie(headers)).toBe(isIgnored)
  })

  test('the challenge names what is taken', async () => {
    const schemes = (headers: Record<string, string>) =>
      signIn.challenge(headers).replaceAll(' realm="Waypost API"', '')
    expect(schemes({})).toBe('AccessKey, Token, Bearer, Basic')
    expect(schemes({ 'sec-fetch-mode': 'navigate' })).toBe('AccessKey, Token, Bearer, Basic')
    expect(schemes({ 'sec-fetch-mode': 'cors' })).toBe('AccessKey, Token, Bearer')
    await sql`update setting set version = version + 1, chosen = '{"password_sign_in": "browser"}'`.execute(context.db)
    await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
    expect(schemes({})).toBe('AccessKey, Bearer')
  })
})
