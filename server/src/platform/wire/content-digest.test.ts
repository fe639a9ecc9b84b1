import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '../words/errors.ts'
import { requireDigest } from './content-digest.ts'

const BYTES = Buffer.from('Hello, Waypost!')
const digest = (hash: string, bytes: Buffer | string) => createHash(hash).update(bytes).digest('base64')
const [right, wrong] = [digest('sha256', BYTES), digest('sha256', 'Hello, Waypost?')]
const long = digest('sha512', BYTES)

const outcome = (given: string | undefined) => {
  try {
    requireDigest(given === undefined ? {} : { 'content-digest': given }, BYTES)
    return 'taken'
  } catch (error) {
    return error instanceof ApiError ? (error.details?.cause ?? error.details?.rule) : error
  }
}

test.each([
  ['nothing', undefined, 'taken'],
  ['the digest of these bytes', `sha-256=:${right}:`, 'taken'],
  ['in another case', `SHA-256=:${right}:`, 'taken'],
  ['a longer one', `sha-512=:${long}:`, 'taken'],
  ['both', `sha-256=:${right}:, sha-512=:${long}:`, 'taken'],
  ['what is not known here', 'crc32=:AAAAAA==:', 'taken'],
  ['what every object knows', 'constructor=:AAAA:, __proto__=:AAAA:', 'taken'],
  ['one thing and then another', `sha-256=:${wrong}:, sha-256=:${right}:`, 'taken'],
  ['a right thing and then a wrong one', `sha-256=:${right}:, sha-256=:${wrong}:`, 'content_digest'],
  ['the digest of other bytes', `sha-256=:${wrong}:`, 'content_digest'],
  ['one right and one wrong', `sha-512=:${long}:, sha-256=:${wrong}:`, 'content_digest'],
  ['a part of it', `sha-256=:${right.slice(0, 8)}:`, 'content_digest'],
  ['no byte sequence', `sha-256=${right}`, 'format'],
  ['nothing at all', '', 'format'],
  ['an empty one', 'sha-256=::', 'format'],
])('a body whose sender says %s', (_, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test('a digest that is named a thousand times is made once', () => {
  const bytes = Buffer.alloc(8 * 1024 * 1024)
  const once = `sha-512=:${digest('sha512', bytes)}:`
  const took = (given: string) => {
    const begun = performance.now()
    requireDigest({ 'content-digest': given }, bytes)
    return performance.now() - begun
  }
  took(once)
  expect(took(Array.from({ length: 1000 }, () => once).join(','))).toBeLessThan(20 * took(once) + 100)
})
