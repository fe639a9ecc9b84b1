import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ApiError } from '../messages/errors.ts'
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
  ['absent', undefined, 'taken'],
  ['right', `sha-256=:${right}:`, 'taken'],
  ['right, in upper case', `SHA-256=:${right}:`, 'taken'],
  ['right, sha-512', `sha-512=:${long}:`, 'taken'],
  ['both right', `sha-256=:${right}:, sha-512=:${long}:`, 'taken'],
  ['an unknown algorithm', 'crc32=:AAAAAA==:', 'taken'],
  ['names of prototype members', 'constructor=:AAAA:, __proto__=:AAAA:', 'taken'],
  ['wrong, then right', `sha-256=:${wrong}:, sha-256=:${right}:`, 'taken'],
  ['right, then wrong', `sha-256=:${right}:, sha-256=:${wrong}:`, 'content_digest'],
  ['of other bytes', `sha-256=:${wrong}:`, 'content_digest'],
  ['one right and one wrong', `sha-512=:${long}:, sha-256=:${wrong}:`, 'content_digest'],
  ['truncated', `sha-256=:${right.slice(0, 8)}:`, 'content_digest'],
  ['not a byte sequence', `sha-256=${right}`, 'format'],
  ['empty', '', 'format'],
  ['an empty digest', 'sha-256=::', 'format'],
])('Content-Digest: %s', (_, given, expected) => {
  expect(outcome(given)).toBe(expected)
})

test('a digest that is named a thousand times is computed once', () => {
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
