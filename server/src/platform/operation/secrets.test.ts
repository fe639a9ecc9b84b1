import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const [old, renewed] = ['an-old-key-of-thirty-two-characters!', 'a-new-key-of-thirty-two-characters!!']

test('a signature of an old key stays valid while that key is listed after the new one', () => {
  const signature = createSecrets([old]).sign('cursor', 'place')

  expect(createSecrets([renewed, old]).verify('cursor', 'place', signature)).toBe(true)
  expect(createSecrets([renewed]).verify('cursor', 'place', signature)).toBe(false)
})

test('the first key signs, and a signature is good for its purpose and text only', () => {
  const secrets = createSecrets([renewed, old])
  const signature = secrets.sign('cursor', 'place')

  expect(createSecrets([renewed]).verify('cursor', 'place', signature)).toBe(true)
  expect(secrets.verify('cookie', 'place', signature)).toBe(false)
  expect(secrets.verify('cursor', 'other', signature)).toBe(false)
  expect(secrets.verify('cursor', 'place', '')).toBe(false)
  expect(secrets.verify('cursor', 'place', 'x'.repeat(22))).toBe(false)
  for (const more of ['\0', '=', '\r\n', ' ', '.'])
    expect(secrets.verify('cursor', 'place', `${signature}${more}`)).toBe(false)
})

test('a server without a key does not start', () => {
  expect(() => createSecrets([])).toThrow('WAYPOST_SECRET_KEYS')
})

test('any of the keys decrypts an unmodified ciphertext, for its own purpose only', () => {
  const [first, both] = [createSecrets([old]), createSecrets([renewed, old])]
  const locked = first.encrypt('webhook', 'sesame ü')
  expect(both.decrypt('webhook', locked)).toBe('sesame ü')
  expect(locked.toString('latin1')).not.toContain('sesame')
  expect(first.encrypt('webhook', 'sesame ü')).not.toEqual(locked)
  expect(() => both.decrypt('mail', locked)).toThrow('None of the keys')
  expect(() => createSecrets([renewed]).decrypt('webhook', locked)).toThrow('None of the keys')
  locked[locked.length - 1] = (locked.at(-1) ?? 0) ^ 1
  expect(() => both.decrypt('webhook', locked)).toThrow('None of the keys')
})
