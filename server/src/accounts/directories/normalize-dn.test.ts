import { describe, expect, test } from 'vitest'
import { normalizeDn } from './normalize-dn.ts'

describe('a distinguished name', () => {
  test.each([
    ['CN=Mara Keller, OU=People,DC=Example', 'cn=mara keller,ou=people,dc=example'],
    ['cn=Keller\\, Mara,dc=example', 'cn=keller\\, mara,dc=example'],
    ['cn=Keller\\2C Mara,dc=example', 'cn=keller\\, mara,dc=example'],
    ['cn=M\\c3\\bcller,dc=example', 'cn=müller,dc=example'],
    ['uid=mara+cn=Mara,dc=example', 'cn=mara+uid=mara,dc=example'],
    ['cn=blank\\ ,dc=example', 'cn=blank ,dc=example'],
    ['cn=a\\+b,dc=example', 'cn=a\\+b,dc=example'],
  ])('%s has one spelling', (given, expected) => {
    expect(normalizeDn(given)).toBe(expected)
  })

  test.each(['', 'mara', 'cn=mara,', '=mara', "' or '1'='1", 'cn=mara\\'])('%j is malformed', (given) => {
    expect(normalizeDn(given)).toBeUndefined()
  })
})
