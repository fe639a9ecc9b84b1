import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../messages/errors.ts'

/** Verifies the bytes of a body against its `Content-Digest`. */
export interface DigestCheck {
  update(bytes: Buffer): void
  /** Throws if the bytes do not match. */
  verify(): void
}

const HASHES: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])
const DIGEST = /^([a-z0-9*_.-]+)=:([a-z0-9+/]+=*):$/i

/** `Content-Digest` (RFC 9530). Undefined: absent, or no known algorithm. */
export function contentDigest({ 'content-digest': given }: IncomingHttpHeaders): DigestCheck | undefined {
  if (given === undefined) return undefined
  const path = 'Content-Digest'
  // Each hash is computed once: the last value wins, as in every structured header dictionary.
  const expectations = new Map<string, string>()
  for (const each of String(given).split(',')) {
    const [, algorithm = '', expected] = DIGEST.exec(each.trim()) ?? []
    if (expected === undefined) throw new ApiError('parameter_invalid', { path, rule: 'format' })
    const hash = HASHES.get(algorithm.toLowerCase())
    if (hash !== undefined) expectations.set(hash, expected)
  }
  if (expectations.size === 0) return undefined
  const digests = [...expectations].map(([hash, expected]) => ({ hash: createHash(hash), expected }))
  return {
    update(bytes) {
      for (const { hash } of digests) hash.update(bytes)
    },
    verify() {
      if (digests.some(({ hash, expected }) => hash.copy().digest('base64') !== expected))
        throw new ApiError('body_malformed', { path, cause: 'content_digest' })
    },
  }
}

/** For a complete body in memory. */
export function requireDigest(headers: IncomingHttpHeaders, bytes: Buffer): void {
  const check = contentDigest(headers)
  check?.update(bytes)
  check?.verify()
}
