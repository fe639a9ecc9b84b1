import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const [old, renewed] = ['an-old-key-of-thirty-two-characters!', 'a-new-key-of-thirty-two-characters!!']

test('what an old key signed is still good while that key is kept behind the new one', () => {
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

test('without a key nothing starts', () => {
  expect(() => createSecrets([])).toThrow('WAYPOST_SECRET_KEYS')
})

test('what is locked is opened by any of the keys, for its own purpose, and only whole', () => {
  const [first, both] = [createSecrets([old]), createSecrets([renewed, old])]
  const locked = first.lock('webhook', 'sesame ü')
  expect(both.unlock('webhook', locked)).toBe('sesame ü')
  expect(locked.toString('latin1')).not.toContain('sesame')
  expect(first.lock('webhook', 'sesame ü')).not.toEqual(locked)
  expect(() => both.unlock('mail', locked)).toThrow('None of the keys')
  expect(() => createSecrets([renewed]).unlock('webhook', locked)).toThrow('None of the keys')
  locked[locked.length - 1] = (locked.at(-1) ?? 0) ^ 1
  expect(() => both.unlock('webhook', locked)).toThrow('None of the keys')
})
