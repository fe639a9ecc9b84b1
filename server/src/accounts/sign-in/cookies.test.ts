import { expect, test } from 'vitest'
import { testConfig } from '../../../test/harness/start-world.ts'
import { makeCookie, readCookie } from './cookies.ts'

const WAYPOST_DATABASE_URL = 'postgres://nowhere/nothing'
const overTls = testConfig({ WAYPOST_DATABASE_URL })
const plain = testConfig({ WAYPOST_DATABASE_URL, WAYPOST_PUBLIC_URL: 'http://waypost.example' })
const options = { seconds: 60, sameSite: 'Lax' } as const

test('over HTTPS a cookie is Secure and bound to this host; without, a browser would not take such a one', () => {
  expect(makeCookie(overTls, 'waypost', 'v', options)).toBe(
    '__Host-waypost=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  )
  expect(makeCookie(plain, 'waypost', 'v', options)).toBe('waypost=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax')
})

test('a cookie is read by its whole name', () => {
  const headers = { cookie: 'other=1; waypost=plain;__Host-waypost=secure; __Host-waypost-device=2' }
  expect(readCookie(headers, overTls, 'waypost')).toBe('secure')
  expect(readCookie(headers, plain, 'waypost')).toBe('plain')
  expect(readCookie({}, plain, 'waypost')).toBeUndefined()
})
