import { describe, expect, test } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword } from './password.ts'
import { requireGoodPassword } from './password-rules.ts'

const OWNER = { login: 'mara-of-the-orchard', email: 'mara@waypost.example' }
const SETTINGS = { password_min_length: 12 }

describe('a new password', () => {
  test.each(['four plain words here', 'ünïcödé töö ☃☃', '☃🙂☂☃🙂☂🌳☃🙂☂🌳🌲', 'x1x1x1qvqvqv'])(
    'may be %s',
    async (password) => {
      await expect(requireGoodPassword(password, OWNER, SETTINGS)).resolves.toBeUndefined()
    },
  )

  test.each([
    ['elevenchars', 'password_too_short'],
    ['🙂'.repeat(11), 'password_too_short'],
    ['mara-of-the-orchard', 'password_is_name'],
    ['Mara-Of-The-Orchard', 'password_is_name'],
    ['MARA@waypost.example', 'password_is_name'],
    ['passwordpassword', 'password_common'],
    ['Password1234', 'password_common'],
    ['qwertyuiop2024', 'password_common'],
    ['ＱＷＥＲＴＹＵＩＯＰ１２３', 'password_common'],
    ['aaaaaaaaaaaaaaaa', 'password_common'],
    ['abababababababab', 'password_common'],
  ])('may not be %s: %s', async (password, cause) => {
    await expect(requireGoodPassword(password, OWNER, SETTINGS)).rejects.toMatchObject({
      reason: 'rule_violated',
      details: { path: 'password', cause },
    })
  })

  test('must differ from the current one', async () => {
    const current_hash = await hashPassword('the one in use already')

    await expect(
      requireGoodPassword('the one in use already', { ...OWNER, current_hash }, SETTINGS, 'new_password'),
    ).rejects.toMatchObject({ details: { path: 'new_password', cause: 'password_unchanged' } })
    await expect(
      requireGoodPassword('the one in use no more', { ...OWNER, current_hash }, SETTINGS),
    ).resolves.toBeUndefined()
  })

  test('has a length of 1,024 bytes at most', async () => {
    await expect(requireGoodPassword(`a${' b'.repeat(511)}c`, OWNER, SETTINGS)).resolves.toBeUndefined()
    await expect(requireGoodPassword('ä'.repeat(513), OWNER, SETTINGS)).rejects.toMatchObject({
      reason: 'parameter_out_of_range',
      details: { path: 'password', rule: 'max_length', allowed: { maximum: 1024 } },
    })
  })

  test('has the minimum length of the platform', async () => {
    await expect(requireGoodPassword('8 is ok!', OWNER, { password_min_length: 8 })).resolves.toBeUndefined()
    await expect(requireGoodPassword('long enough for most', OWNER, { password_min_length: 64 })).rejects.toMatchObject(
      {
        details: { allowed: { minimum: 64 } },
      },
    )
  })
})

describe('the list of common passwords', () => {
  test.each(['password', 'Iloveyou', '123456789012', 'dragon2019', 'letmein!', 'hunterhunter', '1qaz2wsx3edc'])(
    'contains %s',
    (common) => {
      expect(isCommonPassword(common)).toBe(true)
    },
  )

  test.each(['correct horse battery staple', 'sunshine83927465', 'zq7', 'passwordless signing in'])(
    'does not match %s',
    (rare) => {
      expect(isCommonPassword(rare)).toBe(false)
    },
  )
})
